#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/data/dataset.h"

namespace orthant::pack {

// Which splits a file that was left out would have been in.
enum class Where : uint8_t { kEvery = 0, kTrain = 1, kTest = 2, kAllOnly = 3 };

struct LeftOut {
  Where where = Where::kEvery;
  std::string line;  // "path: reason"

  bool operator==(const LeftOut&) const = default;
};

// What is true of all pictures of a pack together.
struct Info {
  bool split_made_here = false;  // see DatasetInfo
  std::vector<std::string> class_names;
  std::vector<FactorInfo> factors;
  std::vector<LeftOut> left_out;
  std::vector<NamedCount> other_kinds;
};

// As bytes, and back; IoError naming `name` for bytes that are none.
std::string info_text(const Info& info);
Info parse_info(std::span<const std::byte> bytes, const std::string& name);

// The lines that concern one split: "train", "test" or "all".
std::vector<std::string> left_out_of(const Info& info, const std::string& split);

}  // namespace orthant::pack
