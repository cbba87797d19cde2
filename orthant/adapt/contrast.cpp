#include "orthant/adapt/contrast.h"

#include <cmath>
#include <vector>

#include "orthant/adapt/floats.h"
#include "orthant/adapt/kernels.h"
#include "orthant/core/threads.h"

namespace orthant::adapt {
namespace {

// Codes of unit length, by row and by feature.
struct UnitCodes {
  std::vector<double> lengths;   // [B]; 0: no code
  std::vector<float> values;     // as the entries of the batch; only those near are set
  std::vector<int64_t> offsets;  // [H + 1] of the lists
  std::vector<int32_t> rows;
  std::vector<float> weights;
};

UnitCodes unit_codes(BatchCodes& codes, int64_t features) {
  UnitCodes unit;
  const auto count = std::ssize(codes.rows);
  unit.values.resize(codes.entries.size());
  unit.offsets.resize(static_cast<size_t>(features + 1));
  for (int64_t i = 0; i < count; ++i) {
    const RowEntries& row = codes.rows[static_cast<size_t>(i)];
    double squares = 0;
    for (int32_t n = 0; n < row.counts[0]; ++n) {
      const Entry& entry = codes.entries[static_cast<size_t>(row.begin + n)];
      squares += static_cast<double>(entry.value) * entry.value;
      ++unit.offsets[static_cast<size_t>(entry.feature) + 1];
    }
    unit.lengths.push_back(std::sqrt(squares));
  }
  for (size_t j = 1; j < unit.offsets.size(); ++j) unit.offsets[j] += unit.offsets[j - 1];
  unit.rows.resize(static_cast<size_t>(unit.offsets.back()));
  unit.weights.resize(unit.rows.size());
  std::vector<int64_t> next(unit.offsets.begin(), unit.offsets.end() - 1);
  for (int64_t i = 0; i < count; ++i) {
    const RowEntries& row = codes.rows[static_cast<size_t>(i)];
    const double length = unit.lengths[static_cast<size_t>(i)];
    for (int64_t at = row.begin; at < row.begin + row.counts[0]; ++at) {
      const Entry& entry = codes.entries[static_cast<size_t>(at)];
      const auto value = static_cast<float>(length > 0 ? static_cast<double>(entry.value) / length : 0);
      unit.values[static_cast<size_t>(at)] = value;
      const auto slot = static_cast<size_t>(next[static_cast<size_t>(entry.feature)]++);
      unit.rows[slot] = static_cast<int32_t>(i);
      unit.weights[slot] = value;
    }
  }
  return unit;
}

class Comparison {
 public:
  Comparison(BatchCodes& codes, int64_t features, const Together& together, double temperature, int threads)
      : codes_(codes),
        unit_(unit_codes(codes, features)),
        together_(together),
        temperature_(temperature),
        threads_(threads),
        count_(std::ssize(codes.rows)),
        all_(static_cast<size_t>(count_)),
        own_(static_cast<size_t>(count_)) {}

  // Sums of exponentials of every row, and the loss.
  double weigh() {
    for_rows([this](int64_t i, Floats& row) {
      if (unit_.lengths[static_cast<size_t>(i)] == 0) return;
      exponentials_of(i, row);
      double all = 0;
      double own = copies() ? 1 : 0;
      for (int64_t j = 0; j < count_; ++j) {
        if (!compared(i, j)) continue;
        const auto e = static_cast<double>(row[static_cast<size_t>(j)]);
        all += e;
        if (belongs(i, j)) own += e;
      }
      if (copies()) all = 1 + 2 * all;
      if (own == 0) return;
      all_[static_cast<size_t>(i)] = 1 / all;
      own_[static_cast<size_t>(i)] = copies() ? 0 : 1 / own;
    });
    double loss = 0;
    for (int64_t i = 0; i < count_; ++i) {
      const double all = all_[static_cast<size_t>(i)];
      if (all == 0) continue;
      ++counted_;
      const double own = copies() ? 1 : own_[static_cast<size_t>(i)];
      loss -= std::log(all / own);
    }
    return counted_ > 0 ? loss / static_cast<double>(counted_) : 0;
  }

  // dL/ds_ij of both rows' terms, and through the lengths to the entries.
  void descend(double weight) {
    if (counted_ == 0) return;
    const double scale = weight / (temperature_ * static_cast<double>(counted_));
    for_rows([this, scale](int64_t i, Floats& row) {
      const double length = unit_.lengths[static_cast<size_t>(i)];
      if (length == 0) return;
      exponentials_of(i, row);
      const double factor = copies() ? 2 : 1;
      const double all = all_[static_cast<size_t>(i)];
      const double own = own_[static_cast<size_t>(i)];
      for (int64_t j = 0; j < count_; ++j) {
        const auto at = static_cast<size_t>(j);
        double change = 0;
        if (compared(i, j)) {
          change = factor * (all + all_[at]);
          if (!copies() && belongs(i, j)) change -= own + own_[at];
        }
        row[at] = static_cast<float>(static_cast<double>(row[at]) * change);
      }
      const RowEntries& entries = codes_.rows[static_cast<size_t>(i)];
      std::vector<double> slopes;
      double along = 0;
      for (int64_t at = entries.begin; at < entries.begin + entries.counts[0]; ++at) {
        const auto feature = static_cast<size_t>(codes_.entries[static_cast<size_t>(at)].feature);
        double slope = 0;
        for (int64_t n = unit_.offsets[feature]; n < unit_.offsets[feature + 1]; ++n) {
          const auto slot = static_cast<size_t>(n);
          slope += static_cast<double>(row[static_cast<size_t>(unit_.rows[slot])] * unit_.weights[slot]);
        }
        slopes.push_back(slope);
        along += slope * static_cast<double>(unit_.values[static_cast<size_t>(at)]);
      }
      for (size_t n = 0; n < slopes.size(); ++n) {
        const auto at = static_cast<size_t>(entries.begin) + n;
        const double across = slopes[n] - along * static_cast<double>(unit_.values[at]);
        codes_.entries[at].slope += static_cast<float>(scale * across / length);
      }
    });
  }

 private:
  bool copies() const { return together_.classes.empty() && together_.partners.empty(); }

  bool compared(int64_t i, int64_t j) const {
    if (i == j) return false;
    const auto& sides = together_.sides;
    return sides.empty() || sides[static_cast<size_t>(i)] != sides[static_cast<size_t>(j)];
  }

  bool belongs(int64_t i, int64_t j) const {
    if (!together_.partners.empty()) return together_.partners[static_cast<size_t>(i)] == j;
    if (together_.classes.empty()) return false;
    const int64_t c = together_.classes[static_cast<size_t>(i)];
    return c >= 0 && c == together_.classes[static_cast<size_t>(j)];
  }

  // row[j] = e^((s_ij - 1) / T): no exponent is above 0.
  void exponentials_of(int64_t i, Floats& row) const {
    std::fill(row.begin(), row.end(), 0.0F);
    const RowEntries& entries = codes_.rows[static_cast<size_t>(i)];
    for (int64_t at = entries.begin; at < entries.begin + entries.counts[0]; ++at) {
      const auto feature = static_cast<size_t>(codes_.entries[static_cast<size_t>(at)].feature);
      const float value = unit_.values[static_cast<size_t>(at)];
      for (int64_t n = unit_.offsets[feature]; n < unit_.offsets[feature + 1]; ++n) {
        const auto slot = static_cast<size_t>(n);
        row[static_cast<size_t>(unit_.rows[slot])] += value * unit_.weights[slot];
      }
    }
    exponentials(row.data(), count_, static_cast<float>(1 / temperature_));
  }

  template <class Work>
  void for_rows(const Work& work) {
    parallel_for(count_, 64, threads_, [&](int64_t begin, int64_t end) {
      Floats row(static_cast<size_t>(padded(count_)));
      for (int64_t i = begin; i < end; ++i) work(i, row);
    });
  }

  BatchCodes& codes_;
  const UnitCodes unit_;
  const Together& together_;
  const double temperature_;
  const int threads_;
  const int64_t count_;
  std::vector<double> all_;  // 1 / sum over all that a row is compared with; 0: the row has no term
  std::vector<double> own_;  // the same over what belongs to it
  int64_t counted_ = 0;
};

}  // namespace

double contrast(BatchCodes& codes, int64_t features, const Together& together, double temperature, double weight,
                int threads) {
  Comparison comparison(codes, features, together, temperature, threads);
  const double loss = comparison.weigh();
  comparison.descend(weight);
  return loss;
}

}  // namespace orthant::adapt
