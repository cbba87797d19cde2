#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/core/features.h"
#include "orthant/index/callbacks.h"
#include "orthant/index/directory.h"
#include "orthant/io/atomic_file.h"

namespace orthant::index {

// What a segment is made of. Features [N, D] are finite and from 0 to 1e30; what is below 1e-30 counts as 0.
struct SegmentSource {
  Features features;
  std::span<const std::string> ids;      // [N]
  std::span<const int64_t> labels = {};  // [N] or empty
  std::string name;                      // in messages
};

// Appends a segment to the file, in the metric, form of values and number of features that the directory says, and
// raises the directory's largest_loss to that of these values. The same bytes for any number of threads.
// std::invalid_argument that names the first value that is not finite, negative or too large.
SegmentEntry write_segment(io::AtomicFile& file, Directory& directory, const SegmentSource& source, int threads,
                           const Progress& progress);

// Appends zeros up to the next section, and the section.
Section write_section(io::AtomicFile& file, std::span<const std::byte> bytes);

}  // namespace orthant::index
