#include "orthant/shards/share.h"

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant::shards {

Range share_of(int64_t items, int64_t batch, int64_t rank, int64_t ranks) {
  check(rank >= 0 && rank < ranks, "[share] expected a rank from 0 to ", ranks - 1, ", got ", rank);
  check(items >= 0 && batch > 0, "[share] expected items in batches, got ", items, " in batches of ", batch);
  const int64_t batches = items / batch + (items % batch != 0 ? 1 : 0);
  const int64_t each = batches / ranks;
  const int64_t longer = batches % ranks;  // the first so many have one more
  const int64_t first = rank * each + std::min(rank, longer);
  const int64_t last = first + each + (rank < longer ? 1 : 0);
  return {std::min(first * batch, items), std::min(last * batch, items)};
}

}  // namespace orthant::shards
