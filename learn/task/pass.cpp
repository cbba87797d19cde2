#include "learn/task/pass.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/loss/terms.h"
#include "learn/nn/nonneg.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

struct Outputs {
  at::Tensor features;
  at::Tensor before;  // what enters sigma+
  at::Tensor z;
};

Outputs forward(Model& model, const at::Tensor& rows, double blend) {
  const at::Tensor features = model.backbone(rows);
  const at::Tensor before = model.project(features);
  at::Tensor z = nonneg(before, model.options().activation, blend);
  // Taken from all rows alike, the threshold of the gate would make signed features look alike.
  if (const at::Tensor taken = model.projector().taken(); blend < 1 && taken.defined()) z = z + (1 - blend) * taken;
  return {features, before, z};
}

// The rows that pass together.
std::vector<at::Tensor> pieces(const at::Tensor& rows, const PassOptions& options) {
  const int64_t apart = options.views_apart ? rows.size(0) / options.views : rows.size(0);
  const Group& group = options.spread.group;
  const int64_t most_items = (options.spread.items + group.size() - 1) / group.size();
  const int64_t most = most_items * (options.views_apart ? 1 : options.views);
  std::vector<at::Tensor> list;
  for (const at::Tensor& part : rows.split(apart)) {
    if (!group.alone() && options.chunk > 0) {
      // As many as the rank with most rows needs, so that batch norm meets the same pieces everywhere.
      for (at::Tensor& piece : part.tensor_split((most + options.chunk - 1) / options.chunk)) {
        check(piece.size(0) > 0, "[pass] expected at least a row for each piece, got a chunk of ", options.chunk,
              " for ", apart, " rows of a rank");
        list.push_back(std::move(piece));
      }
      continue;
    }
    for (at::Tensor& piece : part.split(options.chunk > 0 ? options.chunk : apart)) list.push_back(std::move(piece));
  }
  return list;
}

Outputs forward_all(Model& model, const at::Tensor& rows, const PassOptions& options) {
  std::vector<at::Tensor> features;
  std::vector<at::Tensor> before;
  std::vector<at::Tensor> z;
  for (const at::Tensor& piece : pieces(rows, options)) {
    const Outputs out = forward(model, piece, options.blend);
    features.push_back(out.features);
    before.push_back(out.before);
    z.push_back(out.z);
  }
  return features.size() == 1 ? Outputs{features[0], before[0], z[0]}
                              : Outputs{at::cat(features), at::cat(before), at::cat(z)};
}

Pass whole_pass(Model& model, const at::Tensor& rows, const PassOptions& options, const RowLoss& loss) {
  const Outputs out = forward_all(model, rows, options);
  Pass pass{loss(out.z), out.features.detach(), out.z.detach()};
  if (!std::isfinite(pass.loss.value)) return pass;
  at::Tensor sum = pass.loss.loss;
  if (has_terms(options.terms)) {
    sum = sum + code_terms(out.before, out.z, out.features, options.terms, options.spread.group);
  }
  if (options.beside) sum = sum + options.beside(out.features);
  sum.backward();
  return pass;
}

std::vector<at::Tensor> buffers_of(Model& model) {
  std::vector<at::Tensor> copies;
  model.visit_buffers([&](const std::string&, at::Tensor& buffer) { copies.push_back(buffer.clone()); });
  return copies;
}

void put_back(Model& model, const std::vector<at::Tensor>& copies) {
  size_t next = 0;
  model.visit_buffers([&](const std::string&, at::Tensor& buffer) { buffer.copy_(copies[next++]); });
}

Outputs forward_without_gradients(Model& model, const at::Tensor& rows, const PassOptions& options) {
  const at::NoGradGuard no_gradients;
  const std::vector<at::Tensor> buffers = buffers_of(model);
  Outputs out = forward_all(model, rows, options);
  put_back(model, buffers);
  return out;
}

Pass chunked_pass(Model& model, const at::Tensor& rows, const PassOptions& options, const RowLoss& loss) {
  const Outputs out = forward_without_gradients(model, rows, options);
  const at::Tensor z = out.z.requires_grad_(true);
  const at::Tensor features = out.features.requires_grad_(static_cast<bool>(options.beside));
  Pass pass{loss(z), features.detach(), z.detach()};
  if (!std::isfinite(pass.loss.value)) return pass;
  pass.loss.loss.backward();
  if (options.beside) options.beside(features).backward();
  const std::vector<at::Tensor> slopes = pieces(z.grad(), options);
  const std::vector<at::Tensor> inputs = pieces(rows, options);
  const std::vector<at::Tensor> beside = options.beside ? pieces(features.grad(), options) : std::vector<at::Tensor>{};
  for (size_t p = 0; p < inputs.size(); ++p) {
    const Outputs piece = forward(model, inputs[p], options.blend);
    if (beside.empty()) {
      piece.z.backward(slopes[p]);
    } else {
      ((piece.z * slopes[p]).sum() + (piece.features * beside[p]).sum()).backward();
    }
  }
  return pass;
}

}  // namespace

at::Tensor forward_only(Model& model, const at::Tensor& rows, const PassOptions& options) {
  const at::NoGradGuard no_gradients;
  return forward_all(model, rows, options).z;
}

Pass forward_backward(Model& model, const at::Tensor& rows, const PassOptions& options) {
  return forward_backward(model, rows, options, [&](const at::Tensor& z) {
    return contrastive_loss(z, options.views, options.loss, options.spread);
  });
}

Pass forward_backward(Model& model, const at::Tensor& rows, const PassOptions& options, const RowLoss& loss) {
  const SharedBatch& spread = options.spread;
  const int64_t most = spread.group.alone()
                           ? rows.size(0)
                           : (spread.items + spread.group.size() - 1) / spread.group.size() * options.views;
  const bool in_pieces = options.chunk > 0 && options.chunk < most;
  check(!in_pieces || !has_terms(options.terms), "[pass] expected no terms with rows in pieces of ", options.chunk,
        ", which they would have to see together");
  return in_pieces ? chunked_pass(model, rows, options, loss) : whole_pass(model, rows, options, loss);
}

}  // namespace orthant
