#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "orthant/core/error.h"
#include "orthant/io/npz.h"
#include "orthant/io/sparse_npz.h"

// Any bytes are either refused with IoError or an archive whose arrays are each refused or readable.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto owner = std::make_shared<const int>();
  try {
    const auto archive = orthant::io::Npz::parse(std::as_bytes(std::span(data, size)), "fuzz", owner);
    for (const std::string& name : archive.names()) {
      try {
        const orthant::io::Array array = archive.read(name);
        volatile unsigned sum = 0;
        for (const std::byte byte : array.bytes) sum = sum + std::to_integer<unsigned>(byte);
      } catch (const orthant::IoError&) {
      }
    }
    if (orthant::io::is_sparse_npz(archive)) orthant::io::read_sparse_npz(archive).to_dense();
  } catch (const orthant::IoError&) {
  }
  return 0;
}
