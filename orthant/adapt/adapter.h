#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "orthant/adapt/floats.h"

namespace orthant::adapt {

// Which features of a row are on.
enum class Gate {
  topk,   // the K largest that are above 0
  batch,  // all above one threshold, learned with the K largest per row of whole batches
  jump,   // all above a threshold of their own
};

// A learned encoder of vectors, with all that it takes to apply it:
//
//   x  = (n(v) - mean) * scale         n: to unit length, or nothing
//   z  = gate(W (x - b) + c)           [H], never negative
//   x^ = sum_j z_j V_j + b             V = W where tied
//
// The second of two towers may be mapped to the first: x = M (n(v) - mean_b).
// Rows of W and V are features. They are stored with zeros up to `stride` floats each.
struct Adapter {
  int64_t dims = 0;      // D
  int64_t stride = 0;    // padded(D)
  int64_t features = 0;  // H
  int64_t active = 0;    // K
  Gate gate = Gate::topk;
  bool tied = false;
  bool decodes = true;  // false: learned without reconstruction, V means nothing
  bool unit_rows = true;
  double scale = 1;
  Floats mean;                               // [stride]
  Floats mean_b;                             // of the second tower, padded as `mean`; empty: there is none
  int64_t dims_b = 0;                        // D_b of a second tower that is mapped; 0 otherwise
  Floats map_b;                              // M [D, D_b]; empty: the second goes the way of the first
  Floats encoder;                            // W [H, stride]
  Floats encoder_bias;                       // c [H]
  Floats decoder;                            // V [H, stride]; empty where tied
  Floats bias;                               // b [stride]
  Floats thresholds;                         // [H] of jump, [1] of batch, empty of topk
  std::map<std::string, std::string> notes;  // where it comes from

  const Floats& decoding() const { return tied ? encoder : decoder; }
  Floats& decoding() { return tied ? encoder : decoder; }

  // All weights zero, of these sizes.
  static Adapter empty(int64_t dims, int64_t features, Gate gate, bool tied);

  // Numbers that a vector of the first or the second tower has.
  int64_t width(bool second) const { return second && !map_b.empty() ? dims_b : dims; }

  // What n() multiplies a vector by: 0 of a vector of zeros.
  double length_factor(std::span<const float> vector) const;

  // x of one vector v [width(second)] into [stride]. A vector of zeros stays zero before the mean is taken off.
  void prepare(std::span<const float> vector, float* out, bool second = false) const;
};

const char* name_of(Gate gate);  // "topk", "batch", "jump"

// model.safetensors of a run: encoder.weight, encoder.bias, decoder.weight, bias, mean, thresholds, mean_b and map_b,
// and metadata that says the rest ("format": "orthant adapter", "version": "1"). Everything is checked when read:
// IoError naming the file for one that is no adapter, or whose parts do not fit or are not finite.
void write_adapter(const std::string& path, const Adapter& adapter);
Adapter read_adapter(const std::string& path);

}  // namespace orthant::adapt
