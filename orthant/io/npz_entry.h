#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orthant/io/npz.h"

namespace orthant::io {

// One array about to be written, as header and elements, for types that Array does not have.
struct NpzEntry {
  std::string name;
  std::string header;                   // a whole .npy header, see npy_header_text()
  std::span<const std::byte> elements;  // the caller's, until written
};

NpzEntry npz_entry(const std::string& name, const Array& array);

// What write_npz() does, entry by entry.
void write_npz_entries(const std::string& path, const std::vector<NpzEntry>& entries, NpzOptions options);

}  // namespace orthant::io
