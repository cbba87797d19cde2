#include "orthant/classify/confusion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "orthant/core/error.h"

namespace orthant::classify {
namespace {

double share(int64_t part, int64_t whole) {
  return whole == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(part) / static_cast<double>(whole);
}

void count(Confusion& found, std::span<const int64_t> labels, std::span<const int64_t> predicted, int64_t classes) {
  for (size_t i = 0; i < labels.size(); ++i) {
    check(labels[i] >= -1 && labels[i] < classes, "[confusion] expected labels from -1 (unknown) to ", classes - 1,
          ", got ", labels[i], " for item ", i);
    check(predicted[i] >= 0 && predicted[i] < classes, "[confusion] expected predictions from 0 to ", classes - 1,
          ", got ", predicted[i], " for item ", i);
    if (labels[i] < 0) {
      ++found.unlabelled;
    } else {
      ++found.counts(labels[i], predicted[i]);
      ++found.judged;
    }
  }
}

}  // namespace

Confusion confusion(std::span<const int64_t> labels, std::span<const int64_t> predicted, int64_t classes) {
  check(classes > 0, "[confusion] expected classes, got ", classes);
  check(labels.size() == predicted.size(), "[confusion] expected a label for each of ", predicted.size(),
        " predictions, got ", labels.size());
  Confusion found{.counts = DenseMatrix<int64_t>(classes, classes)};
  count(found, labels, predicted, classes);
  int64_t right = 0;
  int64_t largest = 0;
  for (int64_t c = 0; c < classes; ++c) {
    int64_t items = 0;
    int64_t named = 0;
    for (int64_t other = 0; other < classes; ++other) {
      items += found.counts(c, other);
      named += found.counts(other, c);
    }
    right += found.counts(c, c);
    largest = std::max(largest, items);
    found.recall.push_back(share(found.counts(c, c), items));
    found.precision.push_back(share(found.counts(c, c), named));
    const bool worse = found.worst < 0 || found.recall.back() < found.recall[static_cast<size_t>(found.worst)];
    if (items > 0 && worse) found.worst = c;
  }
  found.accuracy = share(right, found.judged);
  found.commonest = share(largest, found.judged);
  return found;
}

std::vector<Mistake> mistakes(const Confusion& confusion, int64_t limit) {
  std::vector<Mistake> found;
  for (int64_t c = 0; c < confusion.counts.rows(); ++c) {
    int64_t items = 0;
    for (const int64_t n : confusion.counts.row(c)) items += n;
    for (int64_t other = 0; other < confusion.counts.cols(); ++other) {
      const int64_t n = confusion.counts(c, other);
      if (other != c && n > 0) found.push_back({c, other, n, share(n, items)});
    }
  }
  std::ranges::stable_sort(found, std::greater(), [](const Mistake& m) { return std::tuple(m.share, m.items); });
  if (static_cast<int64_t>(found.size()) > limit) found.resize(static_cast<size_t>(std::max<int64_t>(limit, 0)));
  return found;
}

}  // namespace orthant::classify
