#pragma once

#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include "orthant/run/model_options.h"

namespace orthant {

// Texts as the input of the text network that `options` describes: int32 ids [N, L], each row padded with -1 at its
// end, L at least 1. text-bag takes bags (text_ids()), text-transformer sequences (word_ids()), both as options.text
// says. The work is shared by at::get_num_threads() threads, which do not change the result. std::invalid_argument for
// a network of another kind, or for what is not UTF-8.
at::Tensor text_tensor(std::span<const std::string> texts, const ModelOptions& options);

}  // namespace orthant
