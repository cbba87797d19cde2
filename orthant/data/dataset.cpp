#include "orthant/data/dataset.h"

#include "orthant/core/error.h"

namespace orthant {

namespace {

std::string content_of(const DatasetInfo& info) {
  if (info.text) return "texts";
  if (info.sound) return "sounds";
  return info.dims > 0 ? join("vectors of ", info.dims, " dimensions") : "images";
}

}  // namespace

Image Dataset::image(int64_t) const {
  fail("[", info().name, "] expected a data set of images, got ", content_of(info()));
}

Image Dataset::image_for(int64_t i, int64_t) const { return image(i); }

std::span<const float> Dataset::vector(int64_t) const {
  fail("[", info().name, "] expected a data set of vectors, got ", content_of(info()));
}

std::vector<std::string> Dataset::texts(int64_t) const {
  fail("[", info().name, "] expected a data set of texts, got ", content_of(info()));
}

Sound Dataset::sound(int64_t) const {
  fail("[", info().name, "] expected a data set of sounds, got ", content_of(info()));
}

int64_t Dataset::label(int64_t i) const {
  check_index(i);
  return -1;
}

void Dataset::factors(int64_t i, std::span<int32_t> classes) const {
  check_index(i);
  check_factors(classes);
}

std::vector<Linked> Dataset::links(int64_t i) const {
  check_index(i);
  return {};
}

std::string Dataset::id(int64_t i) const {
  check_index(i);
  return std::to_string(i);
}

void Dataset::check_index(int64_t i) const {
  check(i >= 0 && i < size(), "[", info().name, "] expected an index from 0 to ", size() - 1, ", got ", i);
}

void Dataset::check_factors(std::span<const int32_t> classes) const {
  check(classes.size() == info().factors.size(), "[", info().name, "] expected room for ", info().factors.size(),
        " factors, got ", classes.size());
}

}  // namespace orthant
