#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "learn/task/recipe_task.h"
#include "learn/train/trainer.h"
#include "tests/learn/group/ranks.h"
#include "tests/learn/train/support.h"

namespace orthant::test {

// What ten steps of training told: the measures of each, and the gradients of each by name.
struct Course {
  std::vector<Scalars> measures;
  std::vector<std::map<std::string, at::Tensor>> gradients;
  std::vector<Checkpoint> before;             // each step
  std::map<std::string, at::Tensor> weights;  // at the end, with buffers and all else that a checkpoint holds
};

// With a `lead`, every step starts from where that course was before it, so that rounding does not add up.
inline Course course_of(const Recipe& recipe, const DatasetPtr& data, const Group& group, int64_t steps = 10,
                        const Course* lead = nullptr) {
  const auto task = make_recipe_task(recipe, {data, nullptr}, group);
  Trainer trainer(*task, recipe.optimiser, recipe.train.threads);
  Course course;
  trainer.begin_epoch();
  while (static_cast<int64_t>(course.measures.size()) < steps) {
    if (lead != nullptr) {
      trainer.restore(lead->before[course.measures.size()]);
      trainer.begin_epoch();
    }
    const Checkpoint before = trainer.save();
    const auto measures = trainer.backward();
    if (!measures) {
      trainer.end_epoch();
      trainer.begin_epoch();
      continue;
    }
    course.before.push_back(before);
    course.measures.push_back(*measures);
    auto& gradients = course.gradients.emplace_back();
    task->visit_parameters([&](const std::string& name, at::Tensor& tensor) {
      if (tensor.grad().defined()) gradients[name] = tensor.grad().clone();
    });
    trainer.step();
  }
  task->visit_parameters([&](const std::string& name, at::Tensor& t) { course.weights[name] = t.detach().clone(); });
  task->visit_state([&](const std::string& name, at::Tensor& t) { course.weights[name] = t.detach().clone(); });
  return course;
}

// The course of every rank.
inline std::vector<Course> courses_of(const Recipe& recipe, const DatasetPtr& data, int64_t size, int64_t steps = 10,
                                      const Course* lead = nullptr) {
  std::vector<Course> all(static_cast<size_t>(size));
  in_ranks(size, [&](const Group& group) {
    all[static_cast<size_t>(group.rank())] = course_of(recipe, data, group, steps, lead);
  });
  return all;
}

inline double norm_of(const std::map<std::string, at::Tensor>& tensors) {
  double sum = 0;
  for (const auto& [name, tensor] : tensors) sum += tensor.to(at::kDouble).square().sum().item<double>();
  return std::sqrt(sum);
}

// How far two sets of gradients are apart, relative to their length.
inline double distance(const std::map<std::string, at::Tensor>& a, const std::map<std::string, at::Tensor>& b) {
  std::map<std::string, at::Tensor> differences;
  for (const auto& [name, tensor] : a) differences[name] = tensor - b.at(name);
  return norm_of(differences) / norm_of(a);
}

// To float rounding: what is told to a tolerance, and gradients, where they are of the same weights, to it relative to
// the length of all of them. Processors with other instructions round in other places, most of them to 1e-5. In as many
// steps as `kinks` gradients may be apart by what a single ReLU does that rounding turns on or off.
inline void expect_same_course(const Course& one, const Course& many, const std::string& what, bool gradients = true,
                               int64_t kinks = 0) {
  constexpr double tolerance = 5e-5;
  constexpr double kink = 0.03;
  int64_t apart = 0;
  ASSERT_EQ(one.measures.size(), many.measures.size()) << what;
  for (size_t step = 0; step < one.measures.size(); ++step) {
    ASSERT_EQ(one.measures[step].size(), many.measures[step].size()) << what;
    for (size_t k = 0; k < one.measures[step].size(); ++k) {
      const Scalar& expected = one.measures[step][k];
      const double scale = std::max(std::abs(expected.value), expected.name == "loss" ? 1e-3 : 1.0);
      EXPECT_NEAR(many.measures[step][k].value, expected.value, tolerance * scale)
          << what << ": " << expected.name << " of step " << step;
    }
    ASSERT_EQ(one.gradients[step].size(), many.gradients[step].size()) << what;
    if (!gradients) continue;
    const double off = distance(one.gradients[step], many.gradients[step]);
    if (off >= tolerance) ++apart;
    EXPECT_LT(off, kinks > 0 ? kink : tolerance) << what << ": step " << step;
  }
  EXPECT_LE(apart, kinks) << what;
}

inline void expect_same_bits(const Course& a, const Course& b, const std::string& what) {
  ASSERT_EQ(a.weights.size(), b.weights.size());
  for (const auto& [name, tensor] : a.weights) EXPECT_TRUE(tensor.equal(b.weights.at(name))) << what << ": " << name;
}

}  // namespace orthant::test
