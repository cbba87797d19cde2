#include "orthant/layout/forces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "orthant/core/rng.h"
#include "orthant/core/threads.h"

namespace orthant::layout {
namespace {

constexpr int64_t kGrain = 512;  // an epoch of fewer items is over before other threads are awake
constexpr int kPushes = 5;
constexpr float kRate = 0.5F;  // of the first epoch: a layout to start from survives it better than UMAP's 1
constexpr float kLongest = 4;  // of a step along an axis, before the rate

struct Point {
  float x = 0;
  float y = 0;
};

// Points drawn at random, four from each block of random bits.
class Draws {
 public:
  Draws(uint64_t seed, int64_t epoch, int64_t point, size_t count)
      : counter_{0, static_cast<uint32_t>(epoch), static_cast<uint32_t>(point), 0},
        key_{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)},
        count_(count) {}

  size_t next() {
    if (used_ == block_.size()) {
      block_ = philox(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return static_cast<size_t>((uint64_t{block_[used_++]} * count_) >> 32);
  }

 private:
  std::array<uint32_t, 4> counter_;
  std::array<uint32_t, 2> key_;
  std::array<uint32_t, 4> block_{};
  size_t used_ = 4;
  uint64_t count_;
};

class Mover {
 public:
  Mover(const Curve& curve, float rate)
      : a_(static_cast<float>(curve.a)), b_(static_cast<float>(curve.b)), rate_(rate) {}

  void pull(Point& point, const Point& to) const {
    const Point apart{point.x - to.x, point.y - to.y};
    const float square = apart.x * apart.x + apart.y * apart.y;
    if (!(square > 0)) return;
    const float power = std::pow(square, b_);
    const float slope = -2 * a_ * b_ * power / (square * (1 + a_ * power));
    point.x += rate_ * std::clamp(slope * apart.x, -kLongest, kLongest);
    point.y += rate_ * std::clamp(slope * apart.y, -kLongest, kLongest);
  }

  // Away from several points at once, all seen from where the point is.
  void push(Point& point, const std::array<Point, kPushes>& from) const {
    Point sum;
    for (const Point& other : from) {
      const Point apart{point.x - other.x, point.y - other.y};
      const float square = apart.x * apart.x + apart.y * apart.y;
      const float slope = 2 * b_ / ((0.001F + square) * (1 + a_ * std::pow(square, b_)));
      sum.x += std::clamp(slope * apart.x, -kLongest, kLongest);
      sum.y += std::clamp(slope * apart.y, -kLongest, kLongest);
    }
    point.x += rate_ * sum.x;
    point.y += rate_ * sum.y;
  }

 private:
  float a_;
  float b_;
  float rate_;
};

// Whether an edge of this weight pulls in this epoch.
bool pulls(float weight, int64_t epoch) {
  return static_cast<int32_t>(static_cast<float>(epoch + 1) * weight) >
         static_cast<int32_t>(static_cast<float>(epoch) * weight);
}

}  // namespace

void move_by_forces(const SparseMatrix& graph, const ForceOptions& options, Matrix& points) {
  const int64_t count = points.rows();
  std::vector<Point> at(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) at[static_cast<size_t>(i)] = {points(i, 0), points(i, 1)};
  std::vector<Point> moved(at.size());
  for (int64_t epoch = 0; epoch < options.epochs; ++epoch) {
    const float left = 1 - static_cast<float>(epoch) / static_cast<float>(options.epochs);
    const Mover mover(options.curve, kRate * left);
    parallel_for(count, kGrain, options.threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        Point point = at[static_cast<size_t>(i)];
        Draws draws(options.seed, epoch, i, at.size());
        const auto row = graph.row(i);
        for (size_t n = 0; n < row.indices.size(); ++n) {
          if (!pulls(row.values[n], epoch)) continue;
          mover.pull(point, at[static_cast<size_t>(row.indices[n])]);
          std::array<Point, kPushes> others;
          for (Point& other : others) {
            const size_t drawn = draws.next();
            other = drawn == static_cast<size_t>(i) ? point : at[drawn];
          }
          mover.push(point, others);
        }
        moved[static_cast<size_t>(i)] = point;
      }
    });
    at.swap(moved);
    if (options.progress) options.progress(epoch + 1, options.epochs);
  }
  for (int64_t i = 0; i < count; ++i) {
    points(i, 0) = at[static_cast<size_t>(i)].x;
    points(i, 1) = at[static_cast<size_t>(i)].y;
  }
}

}  // namespace orthant::layout
