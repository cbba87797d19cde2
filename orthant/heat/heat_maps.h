#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/core/matrix.h"

namespace orthant::heat {

// The part of a picture that a network saw, in shares of the picture's width and height: all of it, or the middle. Of a
// sound that is shorter than what the network takes it lies beyond the picture on both sides: silence.
struct Box {
  float left = 0;
  float top = 0;
  float width = 1;
  float height = 1;

  bool operator==(const Box&) const = default;
};

// How maps were made. Additive: a part belongs to each cell, and the parts and the rest make the value exactly.
// Occlusion: how far the value falls when a cell is covered; these do not add up.
enum class Method : uint8_t { kAdditive, kOcclusion };
std::string method_name(Method method);  // "additive", "occlusion"

// Where in one picture M values come from, on a grid of rows x cols cells that lies over the box.
struct HeatMaps {
  Method method = Method::kAdditive;
  int64_t rows = 0;
  int64_t cols = 0;
  Box box = {};
  Matrix maps = {};                // [M, rows * cols], cells row by row
  std::vector<float> values = {};  // [M]
  std::vector<float> rests = {};   // [M]: of additive maps, what a plain picture has; 0 of others

  int64_t count() const { return maps.rows(); }
};

// The same with at most `most` cells a side: additive maps with neighbouring cells added up, so that parts and rest
// still make the value; others as they are.
HeatMaps coarser(const HeatMaps& maps, int64_t most);

// What is sent between processes: the maps as one row of numbers, and back. IoError if they are not such a row: sizes
// that do not fit, numbers that are not finite, a box that shows nothing of the picture.
std::vector<float> to_floats(const HeatMaps& maps);
HeatMaps from_floats(std::span<const float> floats);

}  // namespace orthant::heat
