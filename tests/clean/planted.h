#pragma once

#include <algorithm>
#include <set>

#include "orthant/core/embeddings.h"
#include "orthant/core/rng.h"

namespace orthant::test {

// Three classes, told apart by ten features each out of thirty, with known faults.
struct Planted {
  Embeddings items;
  std::set<int64_t> wrong;  // labels that were changed
  int64_t copy = 0;         // a scaled and slightly changed copy of item 5
  int64_t empty = 0;
  int64_t far = 0;
};

inline Planted planted(int64_t rows = 300) {
  Planted made;
  Rng rng(3);
  Matrix x(rows, 40);
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t label = i % 3;
    made.items.labels.push_back(label);
    made.items.ids.push_back("item " + std::to_string(i));
    for (int64_t j = 0; j < 30; ++j) {
      const bool own = j / 10 == label;
      if (rng.uniform() < (own ? 0.7 : 0.1)) x(i, j) = static_cast<float>((own ? 0.5 : 0.1) + 0.5 * rng.uniform());
    }
  }
  made.copy = rows - 1;
  made.empty = rows - 2;
  made.far = rows - 3;
  made.items.labels[static_cast<size_t>(made.copy)] = made.items.labels[5];
  for (int64_t j = 0; j < 40; ++j) {
    x(made.copy, j) = 2 * x(5, j) + (x(5, j) > 0 ? 0.01F : 0);
    x(made.empty, j) = 0;
    x(made.far, j) = j >= 30 ? 1.0F : 0.0F;
  }
  for (int64_t i = 10; i < std::min<int64_t>(100, rows - 3); i += 9) {
    made.wrong.insert(i);
    auto& label = made.items.labels[static_cast<size_t>(i)];
    label = (label + 1) % 3;
  }
  made.items.features = std::move(x);
  made.items.class_names = {"cat", "dog, or so", "owl"};
  return made;
}

}  // namespace orthant::test
