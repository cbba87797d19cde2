#include <ATen/ATen.h>

#include "learn/nn/layers.h"
#include "learn/nn/network.h"
#include "learn/nn/tensors.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

// A free vector for each of a number of items, which come as the number of their row.
class Table : public Network {
 public:
  Table(const BackboneOptions& options, Initialiser init)
      : rows_(init.normal({options.dims, options.hidden}, 1)), width_(options.hidden) {
    parameter(kNodeTable, rows_);
  }

  at::Tensor forward(const at::Tensor& input) override {
    check(input.dim() == 2 && input.size(1) == 1, "[table] expected numbers of rows [N, 1], got shape ",
          shape_of(input));
    const at::Tensor numbers = input.squeeze(1).to(at::kLong);
    check(numbers.numel() == 0 || (numbers.min().item<int64_t>() >= 0 && numbers.max().item<int64_t>() < rows_.size(0)),
          "[table] expected numbers from 0 to ", rows_.size(0) - 1, ", got others");
    return at::embedding(rows_, numbers);
  }

  int64_t features() const override { return width_; }
  std::vector<int64_t> input_shape() const override { return {1}; }
  double flops(int64_t) const override { return static_cast<double>(width_); }

 private:
  at::Tensor rows_;
  int64_t width_;
};

}  // namespace

std::shared_ptr<Encoder> make_table(const BackboneOptions& options, uint64_t seed) {
  check(options.dims > 0, "[table] expected the number of rows in backbone.dims, got ", options.dims);
  return std::make_shared<Table>(options, Initialiser(seed));
}

}  // namespace orthant
