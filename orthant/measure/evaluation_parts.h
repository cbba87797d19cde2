#pragma once

#include <initializer_list>
#include <string>

#include "orthant/measure/evaluation.h"

namespace orthant::measure {

// An evaluation under way: what evaluate() hands from part to part.
struct Evaluation {
  const EvaluationInput& input;
  const EvaluationOptions& options;
  MeasureReport report;
  std::string no_classes = "no labels";  // why labelled() is false

  bool labelled() const { return report.classes > 0; }
  bool wants(const std::string& name) const;

  // True if any of these is wanted; tells the progress then.
  bool begins(std::initializer_list<const char*> ids) const;

  // What a long measure tells its progress to.
  std::function<void(int64_t done, int64_t total)> progress(const std::string& id) const;

  // Keeps those of the values that are wanted, with what the listing knows of the measure of this id and their keys.
  void add(const char* id, Parameters parameters, const std::vector<std::pair<std::string, double>>& values);
  void skip(std::initializer_list<const char*> ids, const std::string& reason);
};

// Each adds the measures of its family, or why there are none.
void add_activity(Evaluation& evaluation);
void add_consistency(Evaluation& evaluation);
void add_communities(Evaluation& evaluation);
void add_columns(Evaluation& evaluation);     // correlation and effective rank
void add_importance(Evaluation& evaluation);  // as it was learned
void add_monosemanticity(Evaluation& evaluation);
void add_retrieval(Evaluation& evaluation);
void add_sepin(Evaluation& evaluation);
void add_factors(Evaluation& evaluation);
void add_following(Evaluation& evaluation);  // which factors features follow, by their strongest samples
void add_stability(Evaluation& evaluation);

}  // namespace orthant::measure
