#include "orthant/data/notes.h"

#include <algorithm>

#include "orthant/core/error.h"

namespace orthant {
namespace {

int64_t count_of(const std::vector<NamedCount>& counts, const std::string& name) {
  const auto found = std::ranges::find(counts, name, &NamedCount::name);
  return found == counts.end() ? 0 : found->count;
}

}  // namespace

std::vector<std::string> notes(const DatasetInfo& info) {
  std::vector<std::string> lines;
  if (!info.unreadable.empty()) {
    const auto count = info.unreadable.size();
    lines.push_back(join(count, count == 1 ? " file left out because it" : " files left out because they",
                         " cannot be used; the first: ", info.unreadable.front()));
  }
  if (!info.other_kinds.empty()) {
    std::string kinds;
    for (const NamedCount& kind : info.other_kinds) {
      kinds += join(kinds.empty() ? "" : ", ", kind.count, " ", kind.name);
    }
    lines.push_back("passed over, of kinds that are not read: " + kinds);
  }
  if (info.split_made_here && info.split != "all") {
    lines.push_back(join("the data came without a split: ", info.split, " is ", count_of(info.splits, info.split),
                         " of ", count_of(info.splits, "all"),
                         " items, a tenth of each class being kept for test; the split all has them all"));
  }
  if (info.asked_for > 0) {
    lines.push_back(join(info.asked_for, " items were asked for, but ", info.split, " has fewer: all are taken"));
  }
  return lines;
}

}  // namespace orthant
