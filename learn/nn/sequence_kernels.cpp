#include "learn/nn/sequence_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "orthant/core/threads.h"

namespace orthant {
namespace {

void add_scaled(float* sum, const float* values, float scale, int64_t count) {
  for (int64_t i = 0; i < count; ++i) sum[i] += scale * values[i];
}

float dot(const float* a, const float* b, int64_t count) {
  constexpr int64_t kLanes = 8;  // independent sums, so that the compiler can keep them in registers
  std::array<float, kLanes> sums{};
  const int64_t whole = count - count % kLanes;
  for (int64_t i = 0; i < whole; i += kLanes) {
    for (int64_t k = 0; k < kLanes; ++k) sums[static_cast<size_t>(k)] += a[i + k] * b[i + k];
  }
  float total = 0;
  for (const float sum : sums) total += sum;
  for (int64_t i = whole; i < count; ++i) total += a[i] * b[i];
  return total;
}

std::span<const int32_t> bag(const Bags& bags, int64_t item) {
  return bags.ids.subspan(static_cast<size_t>(item * bags.length), static_cast<size_t>(bags.length));
}

int64_t filled(std::span<const int32_t> ids) {
  return std::ranges::count_if(ids, [](int32_t id) { return id >= 0; });
}

// One head of one item: where its rows are, and the attention of each token to each.
class Head {
 public:
  Head(const Segments& segments, int64_t item, int64_t head)
      : begin_(segments.begins[static_cast<size_t>(item)]),
        tokens_(segments.begins[static_cast<size_t>(item) + 1] - begin_),
        width_(segments.width),
        heads_(segments.heads),
        head_(head) {}

  int64_t tokens() const { return tokens_; }
  // Where the row of token t begins in a matrix [tokens, 3, heads, width]: part 0 is q, 1 is k, 2 is v.
  int64_t row(int64_t t, int64_t part) const { return (((begin_ + t) * 3 + part) * heads_ + head_) * width_; }
  // The same in [tokens, heads, width].
  int64_t row(int64_t t) const { return ((begin_ + t) * heads_ + head_) * width_; }

  // weights [tokens, tokens]: how much of v of token s goes to token t.
  void attend(const float* qkv, std::vector<float>& weights) const {
    weights.resize(static_cast<size_t>(tokens_ * tokens_));
    const float scale = 1 / std::sqrt(static_cast<float>(width_));
    for (int64_t t = 0; t < tokens_; ++t) {
      float* scores = weights.data() + t * tokens_;
      for (int64_t s = 0; s < tokens_; ++s) scores[s] = scale * dot(qkv + row(t, 0), qkv + row(s, 1), width_);
      const float top = *std::max_element(scores, scores + tokens_);
      float sum = 0;
      for (int64_t s = 0; s < tokens_; ++s) sum += scores[s] = std::exp(scores[s] - top);
      for (int64_t s = 0; s < tokens_; ++s) scores[s] /= sum;
    }
  }

 private:
  int64_t begin_;
  int64_t tokens_;
  int64_t width_;
  int64_t heads_;
  int64_t head_;
};

// Runs work(head, scratch) for every head of every item.
template <class Work>
void for_each_head(const Segments& segments, int threads, const Work& work) {
  const int64_t items = std::ssize(segments.begins) - 1;
  parallel_for(items, 4, threads, [&](int64_t begin, int64_t end) {
    std::vector<float> weights;
    for (int64_t item = begin; item < end; ++item) {
      for (int64_t h = 0; h < segments.heads; ++h) work(Head(segments, item, h), weights);
    }
  });
}

}  // namespace

void bag_mean(const Bags& bags, std::span<const float> table, int64_t dims, int threads, std::span<float> means) {
  parallel_for(bags.items, 16, threads, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const auto ids = bag(bags, item);
      float* mean = means.data() + item * dims;
      std::fill_n(mean, dims, 0.0F);
      for (const int32_t id : ids) {
        if (id >= 0) add_scaled(mean, table.data() + id * dims, 1, dims);
      }
      const float scale = 1 / static_cast<float>(std::max<int64_t>(filled(ids), 1));
      for (int64_t i = 0; i < dims; ++i) mean[i] *= scale;
    }
  });
}

void bag_mean_gradient(const Bags& bags, std::span<const float> means_gradient, int64_t dims, int threads,
                       std::span<float> gradient) {
  const int64_t rows = std::ssize(gradient) / std::max<int64_t>(dims, 1);
  const int64_t share = (rows + resolve_threads(threads) - 1) / resolve_threads(threads);
  // Each thread looks through all bags for the rows that are its own, and so meets them in the order of the items.
  parallel_for(rows, std::max<int64_t>(share, 1), threads, [&](int64_t begin, int64_t end) {
    std::fill_n(gradient.data() + begin * dims, (end - begin) * dims, 0.0F);
    for (int64_t item = 0; item < bags.items; ++item) {
      const auto ids = bag(bags, item);
      const float scale = 1 / static_cast<float>(std::max<int64_t>(filled(ids), 1));
      for (const int32_t id : ids) {
        if (id < begin || id >= end) continue;
        add_scaled(gradient.data() + id * dims, means_gradient.data() + item * dims, scale, dims);
      }
    }
  });
}

void segment_attention(const Segments& segments, std::span<const float> qkv, int threads, std::span<float> out) {
  for_each_head(segments, threads, [&](const Head& head, std::vector<float>& weights) {
    head.attend(qkv.data(), weights);
    for (int64_t t = 0; t < head.tokens(); ++t) {
      float* sum = out.data() + head.row(t);
      std::fill_n(sum, segments.width, 0.0F);
      for (int64_t s = 0; s < head.tokens(); ++s) {
        add_scaled(sum, qkv.data() + head.row(s, 2), weights[static_cast<size_t>(t * head.tokens() + s)],
                   segments.width);
      }
    }
  });
}

void segment_attention_gradient(const Segments& segments, std::span<const float> qkv,
                                std::span<const float> out_gradient, int threads, std::span<float> qkv_gradient) {
  const int64_t width = segments.width;
  const float scale = 1 / std::sqrt(static_cast<float>(width));
  for_each_head(segments, threads, [&](const Head& head, std::vector<float>& weights) {
    head.attend(qkv.data(), weights);
    const int64_t tokens = head.tokens();
    std::vector<float> change(static_cast<size_t>(tokens));
    for (int64_t t = 0; t < tokens; ++t) {
      for (int64_t part = 0; part < 3; ++part) std::fill_n(qkv_gradient.data() + head.row(t, part), width, 0.0F);
    }
    for (int64_t t = 0; t < tokens; ++t) {
      const float* weight = weights.data() + t * tokens;
      const float* out = out_gradient.data() + head.row(t);
      float mean = 0;
      for (int64_t s = 0; s < tokens; ++s) {
        change[static_cast<size_t>(s)] = dot(out, qkv.data() + head.row(s, 2), width);
        mean += weight[s] * change[static_cast<size_t>(s)];
      }
      for (int64_t s = 0; s < tokens; ++s) {
        const float score = scale * weight[s] * (change[static_cast<size_t>(s)] - mean);
        add_scaled(qkv_gradient.data() + head.row(t, 0), qkv.data() + head.row(s, 1), score, width);
        add_scaled(qkv_gradient.data() + head.row(s, 1), qkv.data() + head.row(t, 0), score, width);
        add_scaled(qkv_gradient.data() + head.row(s, 2), out, weight[s], width);
      }
    }
  });
}

}  // namespace orthant
