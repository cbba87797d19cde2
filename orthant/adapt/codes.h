#pragma once

#include <cstdint>
#include <vector>

namespace orthant::adapt {

// What a feature does in a row of a batch.
enum class Role : uint8_t {
  near,   // on, among the K
  wide,   // on, among the 4K but not the K
  spare,  // dead, and tries to explain the error
  edge,   // jump: off, but so close to its threshold that the threshold learns from it
};
constexpr int64_t kRoles = 4;

// One feature in one row.
struct Entry {
  int32_t feature = 0;
  float value = 0;  // its pre-activation, which is its activation where it is on
  float slope = 0;  // derivative of the objective by the pre-activation
  float push = 0;   // derivative by the activation, where that differs (jump)
};

// The entries of a row, in the order of the roles.
struct RowEntries {
  int64_t begin = 0;
  int32_t counts[kRoles] = {};

  int64_t size() const { return int64_t{counts[0]} + counts[1] + counts[2] + counts[3]; }
};

// The codes of a batch: all that is kept of [B, H].
struct BatchCodes {
  std::vector<RowEntries> rows;
  std::vector<Entry> entries;

  // Calls visit(role, entry) for the entries of row i.
  template <class Visitor>
  void visit(int64_t i, Visitor&& visit) {
    const RowEntries& row = rows[static_cast<size_t>(i)];
    int64_t at = row.begin;
    for (int64_t role = 0; role < kRoles; ++role) {
      for (int32_t n = 0; n < row.counts[role]; ++n, ++at) {
        visit(static_cast<Role>(role), entries[static_cast<size_t>(at)]);
      }
    }
  }
};

}  // namespace orthant::adapt
