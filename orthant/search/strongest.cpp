#include "orthant/search/strongest.h"

#include <algorithm>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/core/threads.h"

namespace orthant::search {
namespace {

constexpr int64_t kMostBuffers = int64_t{1} << 30;  // bytes of all threads; one thread works whatever it takes

struct Entry {
  float value;
  int32_t item;
};

bool stronger(const Entry& a, const Entry& b) { return a.value != b.value ? a.value > b.value : a.item < b.item; }

// The best of one feature among the rows seen so far, in no order, with up to as many that are to be dropped.
struct Buffers {
  Buffers(int64_t features, float threshold)
      : entries(static_cast<size_t>(features)), floor(static_cast<size_t>(features), threshold) {}

  std::vector<std::vector<Entry>> entries;
  std::vector<float> floor;  // what an entry must exceed; rows come in order, so an equal one comes too late

  void keep(size_t j, size_t most) {
    std::vector<Entry>& list = entries[j];
    if (list.size() <= most) return;
    const auto last = list.begin() + static_cast<int64_t>(most) - 1;
    std::ranges::nth_element(list, last, stronger);
    list.resize(most);
    floor[j] = list.back().value;
  }

  void offer(size_t j, const Entry& entry, size_t most) {
    if (!(entry.value > floor[j])) return;
    entries[j].push_back(entry);
    if (entries[j].size() == 2 * most) keep(j, most);
  }
};

void offer_rows(const Features& features, const std::vector<bool>& kept, int64_t begin, int64_t end, size_t most,
                Buffers& buffers) {
  for (int64_t i = begin; i < end; ++i) {
    if (!kept.empty() && !kept[static_cast<size_t>(i)]) continue;
    const double length = features.row_norm(i);
    if (length == 0) continue;
    const double scale = 1 / length;
    features.visit_row(i, [&](int64_t j, float x) {
      const auto unit = static_cast<float>(x * scale);
      buffers.offer(static_cast<size_t>(j), {unit, static_cast<int32_t>(i)}, most);
    });
  }
}

}  // namespace

StrongestItems strongest_items(const Features& features, const std::vector<bool>& kept,
                               const StrongestOptions& options) {
  check(options.most > 0 && options.threshold >= 0, "[strongest_items] expected a number and a threshold from 1 and 0",
        " on, got ", options.most, " and ", options.threshold);
  check(features.rows() <= INT32_MAX, "[strongest_items] expected fewer than 2^31 rows, got ", features.rows());
  check(kept.empty() || static_cast<int64_t>(kept.size()) == features.rows(), "[strongest_items] expected ",
        features.rows(), " rows to keep or not, got ", kept.size());
  const auto most = static_cast<size_t>(options.most);
  const int64_t rows = std::max<int64_t>(features.rows(), 1);
  const int64_t buffer = 2 * options.most * features.cols() * static_cast<int64_t>(sizeof(Entry));
  const int64_t room = std::max<int64_t>(kMostBuffers / std::max<int64_t>(buffer, 1), 1);
  const int64_t workers = std::min<int64_t>({resolve_threads(options.threads), rows, room});
  const int64_t grain = (rows + workers - 1) / workers;
  std::vector<Buffers> parts(static_cast<size_t>((rows - 1) / grain + 1),
                             Buffers(features.cols(), static_cast<float>(options.threshold)));
  parallel_for(features.rows(), grain, options.threads, [&](int64_t begin, int64_t end) {
    offer_rows(features, kept, begin, end, most, parts[static_cast<size_t>(begin / grain)]);
  });
  StrongestItems found{.begin = {0}, .items = {}};
  for (size_t j = 0; j < static_cast<size_t>(features.cols()); ++j) {
    std::vector<Entry>& all = parts[0].entries[j];
    for (size_t p = 1; p < parts.size(); ++p) std::ranges::copy(parts[p].entries[j], std::back_inserter(all));
    parts[0].keep(j, most);
    std::ranges::sort(all, stronger);
    for (const Entry& entry : all) found.items.push_back(entry.item);
    found.begin.push_back(static_cast<int64_t>(found.items.size()));
  }
  return found;
}

int64_t items_of_share(double share, int64_t items) {
  constexpr double kRounding = 1e-12;  // 0.07 * 100 is above 7
  return static_cast<int64_t>(std::ceil(share * static_cast<double>(items) * (1 - kRounding)));
}

}  // namespace orthant::search
