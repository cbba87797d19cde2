#include <algorithm>
#include <array>
#include <cmath>

#include "orthant/core/error.h"
#include "orthant/disentangle/dependence.h"
#include "orthant/disentangle/following.h"
#include "orthant/disentangle/monosemanticity.h"
#include "orthant/measure/evaluation_parts.h"
#include "orthant/measure/stability.h"

namespace orthant::measure {
namespace {

template <class Options>
Parameters parameters_of(const Options& options) {
  Parameters parameters;
  for_each_field(options, [&](const Field& field, const auto& value) { parameters.emplace_back(field.name, value); });
  return parameters;
}

struct SepinVariant {
  const char* prefix;
  bool renormalise;
  bool positive_in_denominator;
};
constexpr std::array<SepinVariant, 4> kSepinVariants = {{{"sepin.", true, true},
                                                         {"sepin.decoupled.", true, false},
                                                         {"sepin.fixed.", false, true},
                                                         {"sepin.fixed_decoupled.", false, false}}};

void add_sepin(Evaluation& evaluation, const std::string& prefix, SepinOptions options) {
  options.threads = evaluation.options.threads;
  options.progress = evaluation.progress("sepin");
  const Sepin found = sepin(*evaluation.input.first_view, *evaluation.input.second_view, options);
  Parameters parameters = parameters_of(options);
  parameters.emplace_back("pairs", found.pairs);
  parameters.emplace_back("pairs_per_batch", found.batch);
  evaluation.add("sepin", std::move(parameters),
                 {{prefix + "1", found.at_1.mean},
                  {prefix + "10", found.at_10.mean},
                  {prefix + "100", found.at_100.mean},
                  {prefix + "all", found.all.mean}});
  for (const SepinMean& mean : {found.at_10, found.at_100}) {
    if (mean.features < mean.k) {
      evaluation.report.warnings.push_back(
          join(prefix, mean.k, " is the mean of all ", mean.features, " features: there are no more"));
    }
  }
}

// A factor's name as part of a key, in which dots nest.
std::string key_part(std::string name) {
  std::ranges::replace(name, '.', '_');
  return name;
}

void add_following(Evaluation& evaluation, const char* name, const disentangle::Following& found) {
  if (found.factors.empty()) {
    return evaluation.skip(
        {name}, found.left_out.empty() ? "no factor is known to have an order" : "every factor has one value only");
  }
  if (found.features == 0) return evaluation.skip({name}, "the strongest 1 % of no feature are two samples or more");
  const std::string key = name;
  std::vector<std::pair<std::string, double>> values = {{key + ".mean", found.mean_best},
                                                        {"chance." + key + ".mean", found.mean_chance},
                                                        {key + ".one", static_cast<double>(found.following)},
                                                        {key + ".several", static_cast<double>(found.several)},
                                                        {key + ".features", static_cast<double>(found.features)}};
  for (size_t f = 0; f < found.factors.size(); ++f) {
    values.emplace_back(key + ".of." + key_part(found.factors[f]), static_cast<double>(found.followers[f]));
  }
  const Parameters parameters = {{"threshold", evaluation.options.threshold},
                                 {"share", disentangle::FollowingOptions{}.share},
                                 {"follows", disentangle::kFollows}};
  evaluation.add(("factor_" + key).c_str(), parameters, values);
}

// Over the features that have a partner: as many as the model with fewer live ones has.
double matched_mean(const Stability& found) {
  const auto [few, many] = std::minmax(found.live_first, found.live_second);
  return few > 0 ? found.mean * static_cast<double>(many) / static_cast<double>(few) : 0;
}

}  // namespace

void add_sepin(Evaluation& evaluation) {
  if (!evaluation.begins({"sepin"})) return;
  const EvaluationInput& input = evaluation.input;
  if (!input.first_view || !input.second_view) {
    return evaluation.skip({"sepin"}, "no second view");
  }
  if (!evaluation.options.sepin_variants) return add_sepin(evaluation, "sepin.", evaluation.options.sepin);
  for (const auto& [prefix, renormalise, positive] : kSepinVariants) {
    SepinOptions options = evaluation.options.sepin;
    options.renormalise = renormalise;
    options.positive_in_denominator = positive;
    add_sepin(evaluation, prefix, options);
  }
}

void add_factors(Evaluation& evaluation) {
  const auto ids = {"mig", "dci", "sap", "factor_vae", "beta_vae", "modularity"};
  if (!evaluation.begins(ids)) return;
  const EvaluationInput& input = evaluation.input;
  if (input.factors.empty()) return evaluation.skip(ids, "no ground-truth factors");
  if (const auto pair = disentangle::most_dependent(input.factors)) {
    return evaluation.skip(ids, join("the factors ", pair->first, " and ", pair->second,
                                     " depend on each other (dependence ", pair->dependence, ", above ",
                                     disentangle::kDependenceLimit, "), and no feature could be about one alone"));
  }
  disentangle::FactorOptions options = evaluation.options.factors;
  options.threads = evaluation.options.threads;
  options.dci = options.dci && evaluation.wants("dci");
  const disentangle::FactorScores found = disentangle::factor_scores(input.features, input.factors, options);
  if (found.factors.empty()) return evaluation.skip(ids, "every factor has one value only");
  const auto parameters = parameters_of(options);
  const auto add = [&](const char* id,
                       const std::vector<std::pair<std::string, double disentangle::FactorScoreSet::*>>& scores) {
    std::vector<std::pair<std::string, double>> values;
    for (const auto& [key, score] : scores) {
      if (std::isnan(found.plain.*score)) return evaluation.skip({id}, "left out");
      values.emplace_back(key, found.plain.*score);
    }
    for (const auto& [key, score] : scores) {
      values.emplace_back("merged." + key, found.merged.*score);
    }
    evaluation.add(id, parameters, values);
  };
  add("mig", {{"mig", &disentangle::FactorScoreSet::mig},
              {"rmig", &disentangle::FactorScoreSet::rmig},
              {"jemmig", &disentangle::FactorScoreSet::jemmig}});
  add("dci", {{"dci.disentanglement", &disentangle::FactorScoreSet::dci_disentanglement},
              {"dci.completeness", &disentangle::FactorScoreSet::dci_completeness},
              {"dci.informativeness", &disentangle::FactorScoreSet::dci_informativeness}});
  add("sap", {{"sap", &disentangle::FactorScoreSet::sap}});
  add("factor_vae", {{"factor_vae", &disentangle::FactorScoreSet::factor_vae}});
  add("beta_vae", {{"beta_vae", &disentangle::FactorScoreSet::beta_vae}});
  add("modularity", {{"modularity", &disentangle::FactorScoreSet::modularity}});
  for (const std::string& name : found.left_out) {
    evaluation.report.warnings.push_back("factor " + name + " has one value only and is left out");
  }
  if (found.fewer_items) {
    evaluation.report.warnings.push_back(join("factor measures fit on ", found.train_items, " items and score on ",
                                              found.test_items, ": fewer than their definitions ask for"));
  }
}

void add_following(Evaluation& evaluation) {
  const EvaluationInput& input = evaluation.input;
  const disentangle::FollowingOptions options{.threshold = evaluation.options.threshold,
                                              .threads = evaluation.options.threads};
  for (const auto& [name, follow] :
       {std::pair("following", &disentangle::follow_values), std::pair("regions", &disentangle::follow_regions)}) {
    if (!evaluation.begins({name})) continue;
    if (input.factors.empty()) {
      evaluation.skip({name}, "no ground-truth factors");
    } else {
      add_following(evaluation, name, follow(input.features, input.factors, options));
    }
  }
}

void add_monosemanticity(Evaluation& evaluation) {
  if (!evaluation.begins({"monosemanticity"})) return;
  const EvaluationInput& input = evaluation.input;
  if (!input.reference) return evaluation.skip({"monosemanticity"}, "no reference");
  const disentangle::Monosemanticity found =
      disentangle::monosemanticity(input.features, *input.reference, {.threads = evaluation.options.threads});
  if (found.items < input.features.rows()) {
    evaluation.report.warnings.push_back(
        join(input.features.rows() - found.items, " rows of the reference are zero: monosemanticity leaves them out"));
  }
  if (found.features == 0) return evaluation.skip({"monosemanticity"}, "no feature is on for two items");
  evaluation.add("monosemanticity", {{"items", found.items}},
                 {{"monosemanticity", found.mean},
                  {"chance.monosemanticity", found.chance},
                  {"monosemanticity_lowest_tenth", found.lowest_tenth},
                  {"monosemanticity_features", static_cast<double>(found.features)}});
  evaluation.report.per_feature.push_back({"monosemanticity", found.scores});
}

void add_stability(Evaluation& evaluation) {
  if (!evaluation.begins({"stability"})) return;
  if (!evaluation.input.other) return evaluation.skip({"stability"}, "no second model");
  StabilityOptions options;
  options.threads = evaluation.options.threads;
  const Stability found = stability(evaluation.input.features, *evaluation.input.other, options);
  evaluation.add("stability", parameters_of(options),
                 {{"stability.mean", found.mean},
                  {"stability.best", found.mean_best_first},
                  {"stability.best_of_other", found.mean_best_second}});
  options.similarity = "correlation";
  const Stability centred = stability(evaluation.input.features, *evaluation.input.other, options);
  evaluation.add("stability_live", {{"absolute", options.absolute}},
                 {{"stability.matched", matched_mean(found)},
                  {"stability.correlation", matched_mean(centred)},
                  {"stability.live", static_cast<double>(found.live_first)},
                  {"stability.live_of_other", static_cast<double>(found.live_second)}});
}

}  // namespace orthant::measure
