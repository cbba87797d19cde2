#include "learn/text/text_input.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/text/text_ids.h"

namespace orthant {

at::Tensor text_tensor(std::span<const std::string> texts, const ModelOptions& options) {
  const std::string& name = options.backbone.name;
  check(name == "text-bag" || name == "text-transformer", "[text] expected text-bag or text-transformer, got ", name);
  const auto ids_of = name == "text-bag" ? text_ids : word_ids;
  std::vector<std::vector<int32_t>> rows(texts.size());
  parallel_for(std::ssize(texts), 16, at::get_num_threads(), [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      rows[i] = ids_of(texts[i], options.text);
    }
  });
  size_t longest = 1;
  for (const auto& row : rows) longest = std::max(longest, row.size());
  at::Tensor ids = at::full({std::ssize(rows), static_cast<int64_t>(longest)}, -1, at::kInt);
  for (size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], ids.data_ptr<int32_t>() + i * longest);
  return ids;
}

}  // namespace orthant
