#include "orthant/catalogue/view_pair.h"

#include "orthant/core/error.h"
#include "orthant/io/embeddings_file.h"

namespace orthant::catalogue {
namespace {

std::variant<Matrix, SparseMatrix> rows_of(const std::shared_ptr<const Embeddings>& file, int64_t begin, int64_t end) {
  if (const auto* dense = std::get_if<Matrix>(&file->features)) {
    return Matrix::borrow(dense->data() + begin * dense->cols(), end - begin, dense->cols(), file);
  }
  const auto& sparse = std::get<SparseMatrix>(file->features);
  const auto indptr = sparse.indptr();
  const int64_t from = indptr[static_cast<size_t>(begin)];
  const auto count = static_cast<size_t>(indptr[static_cast<size_t>(end)] - from);
  std::vector<int64_t> starts;
  for (int64_t i = begin; i <= end; ++i) starts.push_back(indptr[static_cast<size_t>(i)] - from);
  const auto indices = sparse.indices().subspan(static_cast<size_t>(from), count);
  const auto values = sparse.values().subspan(static_cast<size_t>(from), count);
  return SparseMatrix(end - begin, sparse.cols(), std::move(starts), {indices.begin(), indices.end()},
                      {values.begin(), values.end()});
}

bool holds_both_views(const Embeddings& file) {
  const auto stated = file.how.find("views");
  if (stated != file.how.end()) return stated->second == "2";
  return !file.ids.empty() && file.ids.front().ends_with("#0") && file.ids.back().ends_with("#1");
}

}  // namespace

ViewPair read_view_pair(const std::string& path, int64_t rows, int64_t cols) {
  ViewPair pair;
  pair.file = std::make_shared<const Embeddings>(io::read_embeddings(path));
  const int64_t held = pair.file->rows();
  check(pair.file->cols() == cols, "[", path, "] expected views of ", cols, " features, got ", pair.file->cols());
  if (holds_both_views(*pair.file) && held % 2 == 0) {
    pair.first = rows_of(pair.file, 0, held / 2);
    pair.second = rows_of(pair.file, held / 2, held);
    return pair;
  }
  check(held == rows, "[", path, "] expected a second view of each of the ", rows,
        " rows, or a file of two views of each item, got ", held, " rows");
  pair.second = pair.file->features;
  pair.first_is_features = true;
  return pair;
}

}  // namespace orthant::catalogue
