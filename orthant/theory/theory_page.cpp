#include "orthant/theory/theory_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "orthant/core/version.h"
#include "orthant/theory/theory_svg.h"

namespace orthant::theory {
namespace {

constexpr auto kStyle = R"css(
:root{color-scheme:light dark;--ground:#fff;--ink:#1c2126;--quiet:#5a646e;--line:#dde2e7;--card:#f6f8fa;
--good:#0b6e4f;--bad:#b3261e;--odd:#8a5a00;--pos:#0b5fa5;--neg:#c4511c;--nmf:#0b5fa5;--ncl:#0b7d5b;--bare:#b26a00;--cl:#c02f5d;--bayes:#8a949e}
@media(prefers-color-scheme:dark){:root{--ground:#14181c;--ink:#e6eaee;--quiet:#9aa5b0;--line:#333b43;--card:#1c2228;
--good:#5fd3a8;--bad:#ff8a80;--odd:#f0b95a;--pos:#6cb6ff;--neg:#ff9a63;--nmf:#6cb6ff;--ncl:#5fd3a8;--bare:#f0b95a;--cl:#ff85a8;--bayes:#77828d}}
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:1080px;margin:0 auto;padding:24px 20px 64px}h1{font-size:1.7rem;margin:.2em 0}h2{font-size:1.25rem;margin:2.2em 0 .6em}
p{max-width:72ch}.quiet,small,figcaption small{color:var(--quiet)}
.summary{font-size:1.1rem;border-left:4px solid var(--good);padding:.3em .8em;background:var(--card)}.summary.bad{border-color:var(--bad)}
article{border:1px solid var(--line);border-radius:8px;padding:14px 18px;margin:14px 0}
article h3{margin:0;font-size:1.05rem;display:flex;flex-wrap:wrap;gap:.4em 1em;justify-content:space-between}
.verdict{font-size:.85rem;font-weight:600;white-space:nowrap}.holds{color:var(--good)}.fails{color:var(--bad)}.predicted{color:var(--odd)}
article p{margin:.45em 0}.formula{font-family:Cambria,'STIX Two Math','DejaVu Serif',serif;background:var(--card);padding:.35em .7em;border-radius:4px;max-width:none;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{padding:3px 10px 3px 0;border-bottom:1px solid var(--line);text-align:left;font-weight:400;vertical-align:top}
th{color:var(--quiet)}.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.scroll{overflow-x:auto}
.mark{width:1.6em;text-align:center;padding-right:0}figure{margin:0;min-width:0}figcaption{font-weight:600;line-height:1.3;margin-bottom:6px}figcaption small{font-weight:400}
.maps{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:18px}.map svg{width:100%;height:340px;background:var(--card);border:1px solid var(--line);display:block}
.p{fill:var(--pos)}.n{fill:var(--neg)}.rule{stroke:var(--quiet);stroke-width:.6;opacity:.7;fill:none;vector-effect:non-scaling-stroke}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:32px 28px}.chart>svg{width:100%;height:auto;display:block}article .chart{max-width:560px;margin-top:12px}
svg text{font:12px system-ui,sans-serif;fill:var(--quiet)}.grid{stroke:var(--line);fill:none}
.line{fill:none;stroke-width:2.2}.band{opacity:.13;stroke:none}.legend{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:.88rem;margin:.4em 0}.legend svg{margin-right:6px}
.nmf.line{stroke:var(--nmf)}.ncl.line{stroke:var(--ncl);stroke-dasharray:7 4}.bare.line{stroke:var(--bare);stroke-dasharray:10 4 2 4}.cl.line{stroke:var(--cl);stroke-dasharray:2 4}.bayes.line{stroke:var(--bayes);stroke-width:7;opacity:.45}
.nmf.band,.nmf.dot{fill:var(--nmf)}.ncl.band,.ncl.dot{fill:var(--ncl)}.bare.band,.bare.dot{fill:var(--bare)}.cl.band,.cl.dot{fill:var(--cl)}.bayes.band,.bayes.dot{fill:var(--bayes)}
summary{cursor:pointer;color:var(--quiet);font-size:.88rem}.key i:first-child{margin-left:0!important}.key i{display:inline-block;width:.9em;height:.9em;vertical-align:-.1em;margin:0 .35em 0 .9em}
)css";

std::string verdict_class(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails_as_predicted:
      return "predicted";
    case Verdict::fails:
      break;
  }
  return "fails";
}

std::string verdict_mark(Verdict verdict) { return verdict == Verdict::fails ? "✗" : "✓"; }

std::string theorem_card(const Theorem& theorem) {
  std::string rows;
  for (const Measurement& m : theorem.measured) {
    rows += fmt::format("<tr><td>{}</td><td class=num>{:.4g}</td><td class=num>{}</td><td class='mark {}'>{}</td></tr>",
                        escape_html(m.label), m.value, escape_html(m.expected), m.met ? "holds" : "fails",
                        m.expected.empty() ? ""
                        : m.met            ? "✓"
                                           : "✗");
  }
  return fmt::format(
      "<article id=\"theorem-{0}\"><h3><span>{0} · {1}</span><span class='verdict {2}'>{3} {4}</span></h3><p>{5}</p>"
      "<p class=formula>{6}</p><div class=scroll><table><tr><th>Measured</th><th class=num>Value</th><th class=num>"
      "Expected</th><th></th></tr>{7}</table></div><p class=quiet>{8}</p>{9}</article>",
      escape_html(theorem.id), escape_html(theorem.title), verdict_class(theorem.verdict),
      verdict_mark(theorem.verdict), to_string(theorem.verdict), escape_html(theorem.statement),
      escape_html(theorem.formula), rows, escape_html(theorem.explanation),
      dot_chart(theorem.columns, {.title = "Every live column, all worlds",
                                  .x_label = "share of ‖F₊‖²",
                                  .y_label = "|cos| with one class",
                                  .logarithmic_x = true,
                                  .x_ticks = {0.0001, 0.001, 0.01, 0.1, 1}}));
}

std::string summary(const TheoryReport& report) {
  const auto tally = [&](Verdict verdict) { return std::ranges::count(report.theorems, verdict, &Theorem::verdict); };
  return fmt::format(
      "<p class='summary{}'>{} of {} statements hold, {} fails as predicted when its condition is taken "
      "away, {} fail.</p>",
      report.as_predicted() ? "" : " bad", tally(Verdict::holds), report.theorems.size(),
      tally(Verdict::fails_as_predicted), tally(Verdict::fails));
}

std::string pictures(const TheoryReport& report) {
  if (report.pictures.empty()) return "";
  std::string html =
      "<h2>What is learned</h2><p>Each picture is a factor matrix: rows are samples, sorted by their main latent class "
      "(thin lines part the classes), columns are dimensions in the order that matches the classes best. One block per "
      "column means one dimension per class.</p><p class='key quiet'><i style='background:var(--pos)'></i>positive<i "
      "style='background:var(--neg)'></i>negative</p><div class=maps>";
  for (const FactorPicture& picture : report.pictures) html += heat_map(picture, report.homes);
  return html + "</div>";
}

std::string charts(const TheoryReport& report) {
  if (report.recovery_by_overlap.empty()) return "";
  return fmt::format(
             "<h2>How far it carries</h2><p>Means over {} worlds; bands go from the worst to the best. Recovery is the "
             "mean |cos| between learned and latent-class columns after matching.</p><div class=charts>",
             report.options.curve_seeds) +
         line_chart(report.recovery_by_overlap,
                    {.title = "Recovery against overlap", .x_label = "overlap", .y_label = "matched |cos|"}) +
         line_chart(report.recovery_by_pairs, {.title = "Recovery against number of pairs",
                                               .x_label = "positive pairs seen",
                                               .y_label = "matched |cos|",
                                               .logarithmic_x = true}) +
         line_chart(report.error_by_overlap, {.title = "Downstream error of a linear head against overlap",
                                              .x_label = "overlap",
                                              .y_label = "error",
                                              .from_zero = true}) +
         "<p class=quiet>How to read them: with anchors the classes are found however much they overlap, until a "
         "method runs out of steps; without anchors recovery breaks as classes mix. All linear heads reach the Bayes "
         "error, CL's too: what CL lacks is not information but axes that mean something.</p></div>";
}

// Of "O".
std::string overlap_charts(const TheoryReport& report) {
  const auto of = [](const std::string& world, const OverlapCurves& curves) {
    return line_chart(curves.worst, {.title = "Recovery of P(c|x), " + world,
                                     .x_label = "overlap",
                                     .y_label = "|cos| of the worst class",
                                     .from_zero = true}) +
           line_chart(curves.zeros, {.title = "Zeros in P(c|x), " + world,
                                     .x_label = "overlap",
                                     .y_label = "share below 0.001",
                                     .from_zero = true});
  };
  const std::string charts = of("anchors", report.overlap_anchored) + of("no anchors", report.overlap_bare);
  if (charts.empty()) return "";
  return "<h2>Items of several classes</h2><p>How well P(c|x) is recovered as items share classes more and more. Means "
         "over worlds; bands go from the worst to the best. With much overlap P(c|x) is nearly flat, and guessing P(c) "
         "scores high too.</p><div class=charts>" +
         charts + "</div>";
}

}  // namespace

std::string theory_page(const TheoryReport& report) {
  const TheoryOptions& options = report.options;
  std::string html = fmt::format(
      "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width, "
      "initial-scale=1\"><title>Theory of non-negative contrastive learning, measured</title><style>{}</style></head>"
      "<body><main><h1>The theory, measured</h1><p class=quiet>{} classes · {} samples · overlap {:g} · {} dimensions "
      "· "
      "seed {} · {} worlds · orthant {}</p>",
      kStyle, options.classes, options.samples, options.overlap, options.dims, options.seed, options.seeds,
      escape_html(version()));
  html += summary(report);
  html += pictures(report);
  html += charts(report);
  html += overlap_charts(report);
  html += "<h2>Statement by statement</h2>";
  for (const Theorem& theorem : report.theorems) html += theorem_card(theorem);
  return html + "</main></body></html>\n";
}

}  // namespace orthant::theory
