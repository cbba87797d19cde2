#include "learn/nn/encoder.h"

#include <ATen/ATen.h>

#include "learn/nn/network.h"
#include "learn/nn/tensors.h"
#include "orthant/core/error.h"
#include "orthant/core/settings.h"

namespace orthant {

at::Tensor Network::image_input(const at::Tensor& x, int64_t channels, int64_t least, const char* where) {
  check(x.dim() == 4 && x.size(1) == channels && x.size(2) >= least && x.size(3) >= least, "[", where,
        "] expected images [N, ", channels, ", H, W] with sides of at least ", least, ", got shape ", shape_of(x));
  check(x.scalar_type() == at::kFloat, "[", where, "] expected float32 images, got ", at::toString(x.scalar_type()));
  return x.contiguous(at::MemoryFormat::ChannelsLast);
}

at::Tensor Network::text_input(const at::Tensor& ids, const char* where) {
  check(ids.dim() == 2 && ids.scalar_type() == at::kInt, "[", where, "] expected texts as int32 ids [N, L], got ",
        at::toString(ids.scalar_type()), " of shape ", shape_of(ids));
  return ids.contiguous();
}

at::Tensor Encoder::grid(const at::Tensor& /*input*/) { return {}; }

int64_t text_dims(const BackboneOptions& options) { return options.dims > 0 ? options.dims : 128; }

std::shared_ptr<Encoder> make_encoder(const BackboneOptions& options, uint64_t seed, const TextOptions& text) {
  for_each_field(options, [](const Field& field, const auto& value) {
    auto checked = value;
    assign_setting(field, checked, Setting(value), "backbone");
  });
  if (options.name.starts_with("resnet")) return make_resnet(options, seed);
  if (options.name == "conv-mini") return make_conv_mini(options, seed);
  if (options.name == "vit-tiny") return make_vit_tiny(options, seed);
  if (options.name == "mlp") return make_mlp(options, seed);
  if (options.name == "table") return make_table(options, seed);
  check_text_options(text);
  return options.name == "text-bag" ? make_text_bag(options, text, seed) : make_text_transformer(options, text, seed);
}

}  // namespace orthant
