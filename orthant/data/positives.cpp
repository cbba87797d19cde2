#include "orthant/data/positives.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr uint16_t kLinkStream = 0xfc00;

Rng stream(const StreamKey& key) {
  StreamKey own = key;
  own.view = kLinkStream;
  return Rng(own);
}

// Walker's alias method: draws from a discrete distribution in constant time.
class Alias {
 public:
  explicit Alias(const std::vector<Link>& links) : keep_(links.size()), other_(links.size()) {
    double sum = 0;
    for (const Link& link : links) sum += link.weight;
    std::vector<size_t> poor;
    std::vector<size_t> rich;
    for (size_t i = 0; i < links.size(); ++i) {
      keep_[i] = links[i].weight / sum * static_cast<double>(links.size());
      other_[i] = i;
      (keep_[i] < 1 ? poor : rich).push_back(i);
    }
    while (!poor.empty() && !rich.empty()) {
      const size_t taker = poor.back();
      const size_t giver = rich.back();
      poor.pop_back();
      other_[taker] = giver;
      keep_[giver] -= 1 - keep_[taker];
      if (keep_[giver] >= 1) continue;
      rich.pop_back();
      poor.push_back(giver);
    }
  }

  size_t draw(Rng& rng) const {
    const size_t place = rng.below(keep_.size());
    return rng.uniform() < keep_[place] ? place : other_[place];
  }

 private:
  std::vector<double> keep_;
  std::vector<size_t> other_;
};

class LinkPositives final : public Positives {
 public:
  explicit LinkPositives(std::vector<Link> links) : links_(std::move(links)) {
    const double weight = links_.front().weight;
    const bool equal = std::ranges::all_of(links_, [weight](const Link& link) { return link.weight == weight; });
    if (!equal) alias_ = std::make_unique<Alias>(links_);
  }

  int64_t size() const override { return std::ssize(links_); }

  std::array<int64_t, 2> draw(int64_t entry, const StreamKey& key) const override {
    Rng rng = stream(key);
    const Link& link = links_[alias_ ? alias_->draw(rng) : static_cast<size_t>(entry)];
    if (rng.next() % 2 == 0) return {link.first, link.second};
    return {link.second, link.first};
  }

 private:
  std::vector<Link> links_;
  std::unique_ptr<const Alias> alias_;  // null: every link once
};

class ClassPositives final : public Positives {
 public:
  explicit ClassPositives(std::span<const int64_t> labels) {
    std::map<int64_t, std::vector<int64_t>> classes;
    for (size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] >= 0) classes[labels[i]].push_back(static_cast<int64_t>(i));
    }
    for (auto& [label, items] : classes) {
      if (items.size() < 2) continue;
      for (size_t place = 0; place < items.size(); ++place) entries_.push_back({members_.size(), place});
      members_.push_back(std::move(items));
    }
    check(!entries_.empty(), "[positives] expected a class of two items or more, got none");
  }

  int64_t size() const override { return std::ssize(entries_); }

  std::array<int64_t, 2> draw(int64_t entry, const StreamKey& key) const override {
    const auto [group, place] = entries_[static_cast<size_t>(entry)];
    const std::vector<int64_t>& items = members_[group];
    const size_t other = stream(key).below(items.size() - 1);
    return {items[place], items[other < place ? other : other + 1]};
  }

 private:
  std::vector<std::vector<int64_t>> members_;       // of each class
  std::vector<std::pair<size_t, size_t>> entries_;  // class, place in it
};

}  // namespace

PositivesPtr link_positives(std::vector<Link> links, int64_t items) {
  check(!links.empty(), "[positives] expected at least one pair, got none");
  double sum = 0;
  for (const Link& link : links) {
    for (const int64_t item : {link.first, link.second}) {
      check(item >= 0 && item < items, "[positives] expected items from 0 to ", items - 1, ", got ", item);
    }
    check(std::isfinite(link.weight) && link.weight >= 0, "[positives] expected weights of 0 or more, got ",
          link.weight);
    sum += link.weight;
  }
  check(sum > 0 && std::isfinite(sum), "[positives] expected weights that are not all zero, got a sum of ", sum);
  return std::make_shared<LinkPositives>(std::move(links));
}

PositivesPtr class_positives(std::span<const int64_t> labels) { return std::make_shared<ClassPositives>(labels); }

}  // namespace orthant
