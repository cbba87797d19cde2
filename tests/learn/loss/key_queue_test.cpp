#include "learn/loss/key_queue.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "tests/support/message_of.h"

namespace orthant {
namespace {

using ::testing::HasSubstr;

std::vector<float> sorted_keys(const KeyQueue& queue) {
  const at::Tensor keys = queue.keys().contiguous();
  std::vector<float> values(keys.data_ptr<float>(), keys.data_ptr<float>() + keys.numel());
  std::ranges::sort(values);
  return values;
}

TEST(KeyQueue, KeepsTheLastOnesWhateverIsPushedAtOnce) {
  KeyQueue queue(7, 1);
  std::deque<float> expected;
  float next = 0;
  for (const int64_t count : {3, 3, 3, 7, 1, 20, 0, 5, 6}) {
    std::vector<float> rows;
    for (int64_t i = 0; i < count; ++i) {
      rows.push_back(next);
      expected.push_back(next++);
      if (expected.size() > 7) expected.pop_front();
    }
    queue.push(at::tensor(rows, at::kFloat).reshape({count, 1}));
    EXPECT_EQ(sorted_keys(queue), std::vector<float>(expected.begin(), expected.end()));
  }
}

TEST(KeyQueue, StartsEmptyAndMayHoldNothing) {
  EXPECT_EQ(KeyQueue(5, 3).keys().size(0), 0);
  KeyQueue none(0, 3);
  none.push(at::ones({4, 3}));
  EXPECT_EQ(none.keys().size(0), 0);
}

TEST(KeyQueue, AStateThatIsPutBackGoesOnInTheSamePlace) {
  KeyQueue first(5, 2);
  first.push(at::arange(14, at::kFloat).reshape({7, 2}));
  KeyQueue second(5, 2);
  std::vector<at::Tensor> saved;
  first.visit_state([&](const std::string&, at::Tensor& tensor) { saved.push_back(tensor.clone()); });
  size_t at = 0;
  second.visit_state([&](const std::string&, at::Tensor& tensor) { tensor.copy_(saved[at++]); });
  for (KeyQueue* queue : {&first, &second}) queue->push(at::full({2, 2}, 99.0F));
  EXPECT_TRUE(at::equal(first.keys(), second.keys()));
}

TEST(KeyQueue, RowsOfAnotherWidthAreRefused) {
  KeyQueue queue(5, 2);
  EXPECT_THAT(test::message_of([&] {
                queue.push(at::ones({4, 3}));
              }),
              HasSubstr("[key queue] expected rows [N, 2], got shape [4, 3]"));
}

}  // namespace
}  // namespace orthant
