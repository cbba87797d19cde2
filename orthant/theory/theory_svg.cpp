#include "orthant/theory/theory_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orthant::theory {
namespace {

constexpr double kWidth = 460;
constexpr double kHeight = 280;
constexpr double kLeft = 48;
constexpr double kRight = 16;
constexpr double kTop = 12;
constexpr double kBottom = 44;

// One look per method, the same in every chart.
std::string look(const std::string& label) {
  if (label == "SymNMF, no anchors" || label == "SymNMF, coordinate descent") return "bare";
  if (label == "InfoNCE, t = 0.5") return "bare";
  if (label.starts_with("SymNMF")) return "nmf";
  if (label.starts_with("NCL")) return "ncl";
  if (label == "Bayes" || label == "P(c|x) itself" || label == "the guess P(c)") return "bayes";
  return "cl";
}

std::string number(double value) { return fmt::format("{:.3g}", value); }

std::string count(double value) {
  if (value >= 1e6) return fmt::format("{:.3g}M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.3g}k", value / 1e3);
  return number(value);
}

class Axes {
 public:
  Axes(const std::vector<Curve>& curves, const ChartOptions& options) : logarithmic_(options.logarithmic_x) {
    x_low_ = 1e300;
    x_high_ = -1e300;
    double low = 1e300;
    double high = -1e300;
    for (const Curve& curve : curves) {
      for (const double value : curve.x) x_low_ = std::min(x_low_, scaled(value));
      for (const double value : curve.x) x_high_ = std::max(x_high_, scaled(value));
      for (const double value : curve.low) low = std::min(low, value);
      for (const double value : curve.high) high = std::max(high, value);
    }
    y_low_ = options.from_zero ? 0 : std::floor(low * 10 - 0.5) / 10;
    y_high_ = std::max(std::ceil(high * 10) / 10, y_low_ + 0.1);
  }

  double x(double value) const {
    const double span = x_high_ > x_low_ ? x_high_ - x_low_ : 1;
    return kLeft + (scaled(value) - x_low_) / span * (kWidth - kLeft - kRight);
  }
  double y(double value) const {
    return kHeight - kBottom - (value - y_low_) / (y_high_ - y_low_) * (kHeight - kTop - kBottom);
  }

  std::string draw(const std::vector<double>& xs, const ChartOptions& options) const {
    std::string svg;
    const int steps = static_cast<int>(std::lround((y_high_ - y_low_) * 10));
    const int stride = steps > 6 ? 2 : 1;
    for (int i = 0; i <= steps; i += stride) {
      const double value = y_low_ + 0.1 * i;
      svg += fmt::format(
          "<path class=grid d='M{:.0f} {:.1f}H{:.0f}'/><text x={:.0f} y={:.1f} text-anchor=end>{:.1f}</text>", kLeft,
          y(value), kWidth - kRight, kLeft - 6, y(value) + 4, value);
    }
    for (const double value : options.x_ticks.empty() ? xs : options.x_ticks) {
      if (scaled(value) < x_low_ || scaled(value) > x_high_) continue;
      svg += fmt::format("<text x={:.1f} y={:.0f} text-anchor=middle>{}</text>", x(value), kHeight - kBottom + 18,
                         logarithmic_ ? count(value) : number(value));
    }
    svg += fmt::format("<text x={:.0f} y={:.0f} text-anchor=middle>{}</text>", (kLeft + kWidth - kRight) / 2,
                       kHeight - 6, escape_html(options.x_label));
    svg += fmt::format("<text transform='translate(12 {:.0f}) rotate(-90)' text-anchor=middle>{}</text>",
                       (kTop + kHeight - kBottom) / 2, escape_html(options.y_label));
    return svg;
  }

 private:
  double scaled(double value) const { return logarithmic_ ? std::log10(value) : value; }

  bool logarithmic_;
  double x_low_ = 0;
  double x_high_ = 1;
  double y_low_ = 0;
  double y_high_ = 1;
};

std::string draw_dots(const Curve& curve, const Axes& axes) {
  std::string marks;
  for (size_t i = 0; i < curve.x.size(); ++i) {
    marks += fmt::format("<circle cx={:.1f} cy={:.1f} r=3 class='{} dot'><title>{}: {:.4f} at {}</title></circle>",
                         axes.x(curve.x[i]), axes.y(curve.mean[i]), look(curve.label), escape_html(curve.label),
                         curve.mean[i], count(curve.x[i]));
  }
  return marks;
}

std::string draw_curve(const Curve& curve, const Axes& axes) {
  std::string line;
  std::string band;
  const std::string style = look(curve.label);
  for (size_t i = 0; i < curve.x.size(); ++i) {
    const double x = axes.x(curve.x[i]);
    line += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", x, axes.y(curve.mean[i]));
    band += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", x, axes.y(curve.high[i]));
  }
  for (size_t i = curve.x.size(); i-- > 0;) {
    band += fmt::format("L{:.1f} {:.1f}", axes.x(curve.x[i]), axes.y(curve.low[i]));
  }
  return fmt::format("<path class='{0} band' d='{1}Z'/><path class='{0} line' d='{2}'/>{3}", style, band, line,
                     draw_dots(curve, axes));
}

std::string open_chart(const std::vector<Curve>& curves, const Axes& axes, const ChartOptions& options) {
  return fmt::format(
             "<figure class=chart><figcaption>{}</figcaption><svg viewBox='0 0 {:.0f} {:.0f}' role=img "
             "aria-label=\"{}\">",
             escape_html(options.title), kWidth, kHeight, escape_html(options.title)) +
         axes.draw(curves.front().x, options);
}

std::string number_table(const std::vector<Curve>& curves, const ChartOptions& options) {
  std::string html =
      "<details><summary>Numbers</summary><div class=scroll><table><tr><th>" + escape_html(options.x_label) + "</th>";
  for (const Curve& curve : curves) html += "<th class=num>" + escape_html(curve.label) + "</th>";
  html += "</tr>";
  for (size_t i = 0; i < curves.front().x.size(); ++i) {
    html += "<tr><td>" + fmt::format("{:g}", curves.front().x[i]) + "</td>";
    for (const Curve& curve : curves) html += fmt::format("<td class=num>{:.4f}</td>", curve.mean[i]);
    html += "</tr>";
  }
  return html + "</table></div></details>";
}

}  // namespace

std::string escape_html(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string line_chart(const std::vector<Curve>& curves, const ChartOptions& options) {
  if (curves.empty() || curves.front().x.empty()) return "";
  const Axes axes(curves, options);
  std::string html = open_chart(curves, axes, options);
  std::string legend;
  for (const Curve& curve : curves) {
    html += draw_curve(curve, axes);
    legend +=
        fmt::format("<span><svg width=28 height=10 aria-hidden=true><path class='{} line' d='M1 5H27'/></svg>{}</span>",
                    look(curve.label), escape_html(curve.label));
  }
  return html + "</svg><p class=legend>" + legend + "</p>" + number_table(curves, options) + "</figure>";
}

std::string dot_chart(const std::vector<Curve>& dots, const ChartOptions& options) {
  if (dots.empty() || std::ranges::all_of(dots, [](const Curve& curve) { return curve.x.empty(); })) return "";
  const Axes axes(dots, options);
  std::string html = open_chart(dots, axes, options);
  std::string legend;
  for (const Curve& curve : dots) {
    html += draw_dots(curve, axes);
    legend += fmt::format(
        "<span><svg width=10 height=10 aria-hidden=true><circle cx=5 cy=5 r=4 class='{} dot'/></svg>{}</span>",
        look(curve.label), escape_html(curve.label));
  }
  return html + "</svg><p class=legend>" + legend + "</p></figure>";
}

std::string heat_map(const FactorPicture& picture, const std::vector<int64_t>& homes) {
  constexpr int64_t kMaxRows = 96;
  constexpr int64_t kMaxCols = 64;
  constexpr double kCell = 10;
  constexpr double kRow = 3;
  constexpr double kFaintest = 0.04;
  const Matrix64& f = picture.factors;
  const int64_t stride = std::max<int64_t>(1, (f.rows() + kMaxRows - 1) / kMaxRows);
  const int64_t rows = (f.rows() + stride - 1) / stride;
  const int64_t cols = std::min(f.cols(), kMaxCols);
  double largest = 0;
  for (const double value : f.values()) largest = std::max(largest, std::abs(value));
  std::string cells;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t j = 0; j < cols; ++j) {
      const double strength = largest > 0 ? std::abs(f(r * stride, j)) / largest : 0;
      if (strength < kFaintest) continue;
      cells += fmt::format("<path class={} opacity={:.2f} d='M{} {}h10v3h-10z'/>", f(r * stride, j) > 0 ? "p" : "n",
                           strength, static_cast<double>(j) * kCell, static_cast<double>(r) * kRow);
    }
    if (r > 0 && homes[static_cast<size_t>(r * stride)] != homes[static_cast<size_t>((r - 1) * stride)]) {
      cells += fmt::format("<path class=rule d='M0 {}h{}'/>", static_cast<double>(r) * kRow,
                           static_cast<double>(cols) * kCell);
    }
  }
  return fmt::format(
      "<figure class=map><figcaption>{}<br><small>mean |cos| {:.3f}</small></figcaption><svg viewBox='0 0 {} {}' "
      "preserveAspectRatio=none role=img aria-label=\"{}\">{}</svg></figure>",
      escape_html(picture.title), picture.cosine, static_cast<double>(cols) * kCell, static_cast<double>(rows) * kRow,
      escape_html(picture.title), cells);
}

}  // namespace orthant::theory
