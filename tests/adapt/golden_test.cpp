#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "orthant/adapt/learner.h"
#include "tests/adapt/formulas.h"

namespace orthant::adapt {
namespace {

using Json = nlohmann::json;
using namespace test;

void expect_near(const Json& wanted, const Floats& found, int64_t rows, int64_t cols, int64_t stride, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(std::ssize(wanted), rows * cols) << what;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      EXPECT_NEAR(found[static_cast<size_t>(i * stride + j)], wanted[static_cast<size_t>(i * cols + j)].get<double>(),
                  tolerance)
          << what << " " << i << " " << j;
    }
  }
}

TEST(AdaptGolden, TenStepsGoWherePyTorchGoes) {
  std::ifstream in(ORTHANT_GOLDEN_DIR "/adapt/steps.json");
  const Json cases = Json::parse(in);
  ASSERT_EQ(cases.size(), 9U);
  for (const Json& wanted : cases) {
    const std::string name = wanted["name"];
    SCOPED_TRACE(name);
    const std::string gate_name = wanted["gate"];
    const Gate gate = gate_name == "topk" ? Gate::topk : gate_name == "batch" ? Gate::batch : Gate::jump;
    ObjectiveOptions objective;
    objective.reconstruction = wanted["reconstruction"];
    objective.wide = wanted["wide"];
    objective.aux = wanted["aux"];
    objective.aux_active = 3;
    objective.dead_steps = 3;
    objective.contrast = wanted["contrast"];
    objective.sparsity = 0.5;
    Learner learner(formula_adapter(gate, wanted["tied"], wanted["unit"]), objective, wanted["unit"], 1e-8, 2);
    std::vector<int32_t> ages(kFeatures);
    for (int64_t h = kFeatures - 4; h < kFeatures; ++h) ages[static_cast<size_t>(h)] = 100;
    learner.set_ages(ages);
    const Floats x = formula_rows();
    Batch batch{x};
    std::vector<int64_t> classes;
    std::vector<int32_t> partners;
    for (int64_t i = 0; i < kRows; ++i) {
      classes.push_back(i % 4);
      partners.push_back(static_cast<int32_t>(i ^ 1));
    }
    if (wanted["positives"] == "labels") batch.together.classes = classes;
    if (wanted["positives"] == "pairs") batch.together.partners = partners;
    for (const Json& loss : wanted["losses"]) {
      const StepReport report = learner.step(batch, {.rate = 0.01, .active = kActive});
      EXPECT_NEAR(report.loss, loss.get<double>(), 2e-4 * loss.get<double>());
    }
    const Adapter& found = learner.adapter();
    const int64_t stride = found.stride;
    expect_near(wanted["encoder"], found.encoder, kFeatures, kDims, stride, 1e-3, "encoder");
    expect_near(wanted["encoder_bias"], found.encoder_bias, 1, kFeatures, kFeatures, 1e-3, "encoder bias");
    expect_near(wanted["bias"], found.bias, 1, kDims, stride, 1e-3, "bias");
    if (wanted.contains("decoder")) {
      expect_near(wanted["decoder"], found.decoder, kFeatures, kDims, stride, 1e-3, "decoder");
    }
    if (wanted.contains("thresholds")) {
      expect_near(wanted["thresholds"], found.thresholds, 1, kFeatures, kFeatures, 1e-3, "thresholds");
    }
  }
}

}  // namespace
}  // namespace orthant::adapt
