#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "orthant/io/npz.h"
#include "orthant/measure/sepin.h"
#include "orthant/measure/stability.h"

namespace orthant::measure {
namespace {

// An array that make_sepin.py wrote.
io::Array golden(const std::string& name) { return io::Npz::open(ORTHANT_GOLDEN_DIR "/measure/sepin.npz").read(name); }

Matrix golden_matrix(const std::string& name) { return io::to_matrix(golden(name), name); }

TEST(SepinGolden, IsNumPysForAllFourKinds) {
  for (const std::string name : {"signed", "sparse"}) {
    const Matrix first = golden_matrix(name + ".first");
    const Matrix second = golden_matrix(name + ".second");
    for (const auto& [kind, options] :
         {std::pair<std::string, SepinOptions>{".00", {.renormalise = false, .positive_in_denominator = false}},
          {".01", {.renormalise = false, .positive_in_denominator = true}},
          {".10", {.renormalise = true, .positive_in_denominator = false}},
          {".11", {.renormalise = true, .positive_in_denominator = true}}}) {
      const Sepin found = sepin(first, second, options);
      EXPECT_NEAR(found.loss, golden(name + kind + ".loss").as<double>()[0], 1e-6) << name << kind;
      const io::Array expected = golden(name + kind + ".values");
      for (size_t i = 0; i < found.values.size(); ++i) {
        EXPECT_NEAR(found.values[i], expected.as<double>()[i], 1e-6) << name << kind << ", feature " << i;
      }
    }
  }
}

TEST(StabilityGolden, IsSciPysMatching) {
  const Matrix first = golden_matrix("stability.first");
  const Matrix second = golden_matrix("stability.second");
  for (const std::string similarity : {"cosine", "correlation"}) {
    for (const bool absolute : {false, true}) {
      const std::string key = "stability." + similarity + (absolute ? ".1" : ".0");
      const Stability found = stability(first, second, {.similarity = similarity, .absolute = absolute});
      const io::Array partner = golden(key + ".partner");
      for (size_t i = 0; i < found.partner.size(); ++i) EXPECT_EQ(found.partner[i], partner.as<int64_t>()[i]) << key;
      const io::Array numbers = golden(key + ".numbers");
      EXPECT_NEAR(found.mean, numbers.as<double>()[0], 1e-12);
      EXPECT_NEAR(found.mean_best_first, numbers.as<double>()[1], 1e-12);
      EXPECT_NEAR(found.mean_best_second, numbers.as<double>()[2], 1e-12);
    }
  }
}

}  // namespace
}  // namespace orthant::measure
