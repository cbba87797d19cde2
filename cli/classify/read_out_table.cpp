#include "cli/classify/read_out_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/frame/terminal_text.h"

namespace orthant::cli {
namespace {

using classify::Contribution;
using classify::ReadOut;
using classify::ScoreParts;

constexpr int64_t kMistakes = 5;

std::string percent(double share) { return std::isfinite(share) ? fmt::format("{:.2f} %", 100 * share) : "-"; }

std::string name_of(const ReadOut& result, int64_t number) { return terminal_text(result.classifier.name_of(number)); }

std::string judgement(const ReadOut& result) {
  const classify::Confusion& confusion = result.confusion;
  if (confusion.judged == 0) return "";
  std::string text = fmt::format(
      "accuracy      {}   of {} judged items; a guess {}, the commonest class always {}\n", percent(confusion.accuracy),
      confusion.judged, percent(1.0 / static_cast<double>(result.classifier.classes())), percent(confusion.commonest));
  text += fmt::format("worst class   {}   {} of its items are found\n", name_of(result, confusion.worst),
                      percent(confusion.recall[static_cast<size_t>(confusion.worst)]));
  const auto worst = mistakes(confusion, kMistakes);
  if (!worst.empty()) text += "worst pairs\n";
  for (const classify::Mistake& mistake : worst) {
    text += fmt::format("  {} taken for {}: {} items, {} of its class\n", name_of(result, mistake.label),
                        name_of(result, mistake.predicted), mistake.items, percent(mistake.share));
  }
  return text;
}

// "12 (34.1 %), 7 (20.0 %)".
std::string carriers(const ScoreParts& parts, int64_t top) {
  std::string text;
  for (const Contribution& part : parts.parts) {
    if (top-- == 0) break;
    text += fmt::format("{}{}{} ({:.1f} %)", text.empty() ? "" : ", ", part.value < 0 ? "-" : "", part.feature,
                        100 * part.share);
  }
  return text.empty() ? "-" : text;
}

std::string classes(const classify::ReadOutDocument& document) {
  const ReadOut& result = document.result;
  const bool judged = result.confusion.judged > 0;
  size_t width = 5;
  for (size_t c = 0; c < result.carried.size(); ++c) {
    width = std::max(width, name_of(result, static_cast<int64_t>(c)).size());
  }
  std::string text =
      fmt::format("\n{:<{}} {:>8} {:>9} {:>9}   features that carry it (share of its score; -: against)\n", "class",
                  width, judged ? "items" : "named", "recall", "precision");
  for (size_t c = 0; c < result.carried.size(); ++c) {
    text += fmt::format("{:<{}} {:>8} {:>9} {:>9}   {}\n", name_of(result, static_cast<int64_t>(c)), width,
                        result.carried[c].items, percent(result.confusion.recall[c]),
                        percent(result.confusion.precision[c]), carriers(result.carried[c], document.top));
  }
  return text;
}

std::string explained(const classify::ReadOutDocument& document, const classify::ExplainedItem& item) {
  const ReadOut& result = document.result;
  const ScoreParts& parts = item.prediction.parts;
  std::string text =
      fmt::format("\n{}: {}, score {:.4f}", terminal_text(item.id), name_of(result, parts.class_number), parts.score);
  if (item.prediction.runner_up >= 0) {
    text +=
        fmt::format("; next {}, {:.4f}", name_of(result, item.prediction.runner_up), item.prediction.runner_up_score);
  }
  text +=
      fmt::format("\n  {:>8} {:>11} {:>9} {:>13} {:>8}\n", "feature", "activation", "weight", "contribution", "share");
  double rest = parts.score - parts.bias;
  int64_t shown = 0;
  for (const Contribution& part : parts.parts) {
    if (shown == document.top) break;
    text += fmt::format("  {:>8} {:>11.4f} {:>9.4f} {:>13.4f} {:>8}\n", part.feature, part.activation, part.weight,
                        part.value, percent(part.share));
    rest -= part.value;
    ++shown;
  }
  const auto others = static_cast<int64_t>(parts.parts.size()) - shown;
  if (others > 0) text += fmt::format("  {:>8} {:>35.4f}\n", fmt::format("{} more", others), rest);
  if (parts.bias != 0) text += fmt::format("  {:>8} {:>35.4f}\n", "bias", parts.bias);
  return text + fmt::format("  {:>8} {:>35.4f}\n", "sum", parts.score);
}

}  // namespace

std::string read_out_table(const classify::ReadOutDocument& document) {
  const ReadOut& result = document.result;
  std::string text = fmt::format("{}: {} items, {} classes\n", terminal_text(document.source), result.predicted.size(),
                                 result.classifier.classes());
  text += judgement(result);
  if (document.explained.empty()) text += classes(document);
  for (const auto& item : document.explained) text += explained(document, item);
  for (const std::string& note : document.notes) text += fmt::format("note: {}\n", terminal_text(note));
  return text;
}

}  // namespace orthant::cli
