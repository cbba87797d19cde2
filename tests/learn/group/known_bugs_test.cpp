// Bugs that others had in training on several processes (and where), each as a test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <set>

#include "learn/loss/loss.h"
#include "learn/loss/supcon.h"
#include "learn/loss/terms.h"
#include "learn/nn/layers.h"
#include "learn/task/pass.h"
#include "orthant/core/share.h"
#include "orthant/data/loader.h"
#include "tests/learn/group/training.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::Clusters;
using test::course_of;
using test::courses_of;
using test::in_ranks;
using test::tiny_recipe;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int64_t kItems = 7;
constexpr int64_t kViews = 2;

at::Tensor random_rows(int64_t rows, int64_t columns) {
  return at::sin(at::arange(rows * columns) * 0.73F + 1).view({rows, columns});
}

// The gradient of a loss of the whole batch, with respect to all rows.
template <class Loss>
at::Tensor gradient_of(const at::Tensor& rows, const Loss& loss) {
  const at::Tensor leaf = rows.detach().clone().requires_grad_(true);
  loss(leaf).backward();
  return leaf.grad();
}

// The same where the rows are spread over ranks and each rank computes its own.
at::Tensor spread_gradient(const at::Tensor& rows, int64_t size, const LossOptions& options, double& value) {
  std::mutex mutex;
  at::Tensor whole = at::zeros_like(rows);
  in_ranks(size, [&](const Group& group) {
    const at::Tensor own = group.own_views(rows, kViews, kItems).clone().requires_grad_(true);
    const LossResult result = contrastive_loss(own, kViews, options, {group, kItems});
    result.loss.backward();
    const at::Tensor gathered = group.gather_views(own.grad(), kViews, kItems, "gradients");
    const std::lock_guard lock(mutex);
    whole = gathered;
    value = result.value;
  });
  return whole;
}

void expect_same_gradient(const LossOptions& options) {
  const at::Tensor rows = random_rows(kViews * kItems, 5);
  double value = 0;
  const at::Tensor spread = spread_gradient(rows, 3, options, value);
  const at::Tensor whole =
      gradient_of(rows, [&](const at::Tensor& z) { return contrastive_loss(z, kViews, options).loss; });
  EXPECT_LT((spread - whole).norm().item<double>(), 1e-5 * whole.norm().item<double>()) << options.name;
  EXPECT_NEAR(value, contrastive_loss(rows, kViews, options).value, 1e-5 * std::abs(value)) << options.name;
}

// lightly#1528: what other ranks' rows pull at a row was lost, so that one device and two differed.
TEST(KnownBugs, BackwardOfTheGatherIsSummed) { expect_same_gradient({.name = "infonce"}); }

// lightly#1977: a plain all-reduce inside Barlow Twins gave the right loss and 1/W of the gradient.
TEST(KnownBugs, SumsInsideALossHaveTheirWholeGradient) {
  for (const char* name : {"barlow", "vicreg", "spectral"}) expect_same_gradient({.name = name});
}

// tevatron#143, open_clip#616 and many more: the loss times the number of processes, or not.
TEST(KnownBugs, ThereIsNoWorldSizeInTheLoss) {
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  const auto one = course_of(tiny_recipe(), data, {}, 1);
  for (const int64_t size : {2, 4}) {
    const auto many = courses_of(tiny_recipe(), data, size, 1);
    EXPECT_NEAR(test::norm_of(many[0].gradients[0]) / test::norm_of(one.gradients[0]), 1, 1e-5) << size;
    EXPECT_NEAR(value_of(many[0].measures[0], "loss"), value_of(one.measures[0], "loss"), 1e-5) << size;
  }
}

// lightly's gather_distributed=False, SupContrast#26, SLIP#31: each process compared with its own rows only.
TEST(KnownBugs, NegativesAreThoseOfAllRanks) {
  // All items are alike: each row of an image has 2 (B - 1) equal negatives, those of all ranks.
  in_ranks(3, [](const Group& group) {
    const int64_t own = share_of(kItems, group.rank(), group.size()).count;
    const double loss = contrastive_loss(at::ones({kViews * own, 4}), kViews, {}, {group, kItems}).value;
    EXPECT_NEAR(loss, std::log(1.0 + 2 * (kItems - 1)), 1e-6);
  });
}

// CSRv2: row i of every rank was a positive of row i of every other, since each counted its items from 0.
TEST(KnownBugs, ItemsOfDifferentRanksDoNotCollide) {
  // Each item has a direction of its own: its views agree, and nothing is like anything else.
  in_ranks(2, [](const Group& group) {
    const at::Tensor own = group.own_views(at::eye(kItems).repeat({kViews, 1}), kViews, kItems);
    const LossResult result = contrastive_loss(own, kViews, {.temperature = 0.05}, {group, kItems});
    EXPECT_NEAR(result.positive_cosine, 1, 1e-6);
    EXPECT_NEAR(result.negative_cosine, 0, 1e-6);
    EXPECT_LT(result.value, 1e-6);
  });
}

// CSRv2's `eye`, lightly's `eye_rank`: the diagonal was that of rank 0 on every rank.
TEST(KnownBugs, PositivesOfEveryRankAreItsOwn) {
  const at::Tensor rows = random_rows(kViews * kItems, 5);
  const std::vector<int64_t> labels = {0, 1, 2, 0, 1, 2, 0};
  const double whole = supervised_contrastive_loss(rows, labels, {}).value;
  const at::Tensor slope =
      gradient_of(rows, [&](const at::Tensor& z) { return supervised_contrastive_loss(z, labels, {}).loss; });
  in_ranks(3, [&](const Group& group) {
    const Share share = share_of(kItems, group.rank(), group.size());
    const std::vector<int64_t> own_labels(labels.begin() + share.first, labels.begin() + share.first + share.count);
    const at::Tensor own = group.own_views(rows, kViews, kItems).clone().requires_grad_(true);
    const LossResult result = supervised_contrastive_loss(own, own_labels, {}, {group, kItems});
    result.loss.backward();
    EXPECT_NEAR(result.value, whole, 1e-5);
    const at::Tensor expected = group.own_views(slope, kViews, kItems);
    EXPECT_LT((own.grad() - expected).norm().item<double>(), 1e-5 * slope.norm().item<double>());
  });
}

// simclr#114, contrastive-learner#3: statistics of one rank's rows tell which rank a row is from.
TEST(KnownBugs, BatchNormDoesNotTellWhichRankARowIsFrom) {
  // One and the same row on two ranks, whose other rows differ.
  std::mutex mutex;
  std::vector<at::Tensor> outputs;
  in_ranks(2, [&](const Group& group) {
    BatchNorm norm(16);
    norm.join(group, group);
    at::Tensor rows = random_rows(4, 16) + 5.0F * static_cast<float>(group.rank());
    rows[0].fill_(0.3F);
    const at::Tensor y = norm.forward(rows, false).detach();
    const std::lock_guard lock(mutex);
    outputs.push_back(y[0]);
  });
  EXPECT_TRUE(outputs[0].equal(outputs[1]));
}

// pytorch PR#78078: SyncBatchNorm has no CPU path.
TEST(KnownBugs, BatchNormOverRanksWorksOnACpuThereAndBack) {
  for (const int64_t channels : {16, 5}) {  // with our kernels and without
    const at::Tensor x = random_rows(9 * channels * 2 * 2, 1).view({9, channels, 2, 2});
    const at::Tensor weight = random_rows(9 * channels * 2 * 2, 1).cos().view_as(x);
    BatchNorm whole(channels);
    const at::Tensor slope =
        gradient_of(x, [&](const at::Tensor& leaf) { return (whole.forward(leaf, true) * weight).sum(); });
    in_ranks(2, [&](const Group& group) {
      const Share share = share_of(9, group.rank(), group.size());
      BatchNorm norm(channels);
      norm.join(group, group);
      const at::Tensor own = x.narrow(0, share.first, share.count).clone().requires_grad_(true);
      (norm.forward(own, true) * weight.narrow(0, share.first, share.count)).sum().backward();
      const at::Tensor expected = slope.narrow(0, share.first, share.count);
      EXPECT_LT((own.grad() - expected).norm().item<double>(), 1e-5 * slope.norm().item<double>()) << channels;
      std::map<std::string, at::Tensor> expected_buffers;
      whole.visit_buffers([&](const std::string& name, at::Tensor& buffer) { expected_buffers[name] = buffer; });
      norm.visit_buffers([&](const std::string& name, at::Tensor& buffer) {
        EXPECT_TRUE(at::allclose(buffer, expected_buffers.at(name), 1e-5, 1e-6)) << name;
      });
    });
  }
}

// tf-yarn PR#79, mmdetection#4703, pytorch#49180: ranks with other numbers of rows hung or mixed rows up.
TEST(KnownBugs, UnevenSharesNeitherHangNorMixRowsUp) {
  Recipe recipe = tiny_recipe();
  recipe.train.batch = 7;
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  const auto one = course_of(recipe, data, {}, 3);
  for (const auto& course : courses_of(recipe, data, 4, 3)) test::expect_same_course(one, course, "uneven");
}

std::vector<int64_t> items_of(int64_t epochs, int64_t part, int64_t parts, int64_t first_epoch = 0,
                              int64_t first_batch = 0) {
  const auto data = std::make_shared<Clusters>(23, 6, 4);
  Loader loader(data, {}, {.batch = 5, .views = 1, .threads = 1, .part = part, .parts = parts});
  std::vector<int64_t> seen;
  for (int64_t epoch = first_epoch; epoch < epochs; ++epoch) {
    loader.start_epoch(epoch, epoch == first_epoch ? first_batch : 0);
    while (const Batch* batch = loader.next()) seen.insert(seen.end(), batch->indices.begin(), batch->indices.end());
  }
  return seen;
}

// ms-swift PR#9907: what did not fill a last batch on every rank was never trained on.
TEST(KnownBugs, NoItemIsNeverSeen) {
  std::set<int64_t> seen;
  for (int64_t part = 0; part < 3; ++part) {
    const auto items = items_of(8, part, 3);
    seen.insert(items.begin(), items.end());
  }
  EXPECT_EQ(seen.size(), 23U);
}

// transformers#40245, torchft#58: after a restart with another number of ranks samples came twice or never.
TEST(KnownBugs, ResumingWithOtherRanksRepeatsAndLosesNothing) {
  std::vector<int64_t> alone = items_of(2, 0, 1);
  std::vector<int64_t> spread;  // three batches on two ranks, the rest on three
  const std::vector<int64_t> first = items_of(1, 0, 1);
  spread.insert(spread.end(), first.begin(), first.begin() + 15);
  for (int64_t part = 0; part < 3; ++part) {
    const auto items = items_of(2, part, 3, 0, 3);
    spread.insert(spread.end(), items.begin(), items.end());
  }
  std::ranges::sort(alone);
  std::ranges::sort(spread);
  EXPECT_EQ(alone, spread);
}

// GC-DPR#12: the two passes of a chunked step saw different networks.
TEST(KnownBugs, BothPassesOfAChunkSeeTheSame) {
  Recipe recipe = tiny_recipe();
  recipe.projector.batch_norm = false;
  recipe.activation.floor = 0;
  recipe.activation.sparsity = 0;
  const auto data = std::make_shared<Clusters>(40, 6, 4);
  const auto whole = course_of(recipe, data, {}, 3);
  recipe.train.chunk = 3;
  for (const auto& course : courses_of(recipe, data, 2, 3)) test::expect_same_course(whole, course, "chunks");
}

// OpenAI's sparse autoencoders reduce ages with a minimum for this: a feature is dead only if no rank has it on.
TEST(KnownBugs, AFeatureIsAliveIfItIsOnAnyRank) {
  in_ranks(2, [](const Group& group) {
    // The second feature is on for rank 1 alone.
    const at::Tensor before = at::full({3, 2}, -1.0F).requires_grad_(true);
    at::Tensor z = at::zeros({3, 2});
    z.select(1, 0).fill_(1);
    if (group.rank() == 1) z.select(1, 1).fill_(1);
    code_terms(before, z, at::ones({3, 4}), {.revive = 1}, group).backward();
    EXPECT_EQ(before.grad().abs().sum().item<float>(), 0);
  });
}

// gloo#520: nobody noticed that a rank had died before the first collective.
TEST(KnownBugs, ARankThatNeverComesIsNamedSoon) {
  const test::TemporaryFolder folder;
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = test::message_of([&] {
    join_group({.rank = 0, .size = 3, .file = folder / "group"}, {.timeout = std::chrono::duration<double>(0.2)});
  });
  EXPECT_EQ(text, "[rank 0] expected all 3 ranks within 0.8 seconds of the start, got no sign of rank 1, 2");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

// returnn#1621: half an hour of silence, and then an error that named nobody.
TEST(KnownBugs, ARankThatStaysAwayEndsTheWaitWithALineThatSaysWhere) {
  std::mutex done;
  done.lock();
  std::string text;
  in_ranks(
      2,
      [&](const Group& group) {
        if (group.rank() == 1) {
          // Alive, but elsewhere, which is told; a rank that is stopped is named in tests/cli/scale_test.cpp.
          const std::lock_guard wait(done);
          group.leave("over");
          return;
        }
        text = test::message_of([&] {
          at::Tensor x = at::ones({4});
          group.sum(x, "sums of x");
        });
        done.unlock();
      },
      1);
  EXPECT_THAT(text, AllOf(HasSubstr("[rank 0] expected all ranks at 'sums of x'"), HasSubstr("alive")));
}

}  // namespace
}  // namespace orthant
