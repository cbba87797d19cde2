#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "orthant/core/error.h"
#include "orthant/sources/cifar.h"

// Any bytes are either refused with IoError or records that all decode, with labels in range, in both layouts.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using orthant::CifarLayout;
  for (const CifarLayout layout : {CifarLayout::kCifar10, CifarLayout::kCifar100}) {
    const bool fine = layout == CifarLayout::kCifar100;
    try {
      const orthant::CifarBatch batch(std::as_bytes(std::span(data, size)), "fuzz", layout, nullptr);
      for (int64_t i = 0; i < batch.size(); ++i) {
        if (batch.image(i).pixels.size() != 3072 || batch.label(i) >= (fine ? 100 : 10)) std::abort();
        if (fine && batch.coarse_label(i) >= 20) std::abort();
      }
    } catch (const orthant::IoError&) {
    }
  }
  return 0;
}
