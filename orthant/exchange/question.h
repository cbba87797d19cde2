#pragma once

#include <cstdint>
#include <vector>

#include "orthant/core/features.h"

namespace orthant::exchange {

// An item asked for, and what an exact search by inner product answers: rows with a score above 0, best first, of equal
// ones the lower row. Lets anyone check what another program made of the vectors.
struct Question {
  int64_t row = 0;
  struct Answer {
    int64_t row = 0;
    float score = 0;
  };
  std::vector<Answer> answers;
};

constexpr int64_t kQuestions = 10;
constexpr int64_t kAnswers = 10;

// Up to kQuestions rows, spread evenly over those that are not empty, each with up to kAnswers answers.
std::vector<Question> ask(const Features& features, int threads);

}  // namespace orthant::exchange
