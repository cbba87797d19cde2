#include "learn/group/group.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <mutex>

#include "learn/group/own_address.h"
#include "orthant/core/share.h"
#include "orthant/io/file_descriptor.h"
#include "tests/learn/group/ranks.h"
#include "tests/support/message_of.h"

namespace orthant {
namespace {

using test::in_ranks;
using ::testing::AllOf;
using ::testing::HasSubstr;

at::Tensor row(int64_t v, int64_t b) {
  return at::tensor(std::vector<float>{static_cast<float>(v), static_cast<float>(b)});
}

TEST(Group, OfOneReturnsWhatItIsGiven) {
  const Group group;
  EXPECT_TRUE(group.alone());
  EXPECT_TRUE(group.leads());
  EXPECT_EQ(group.size(), 1);
  const at::Tensor x = at::ones({2, 3}).requires_grad_(true);
  EXPECT_TRUE(shared_sum(group, x, "x").is_same(x));
  EXPECT_EQ(group.sum(2.5, "x"), 2.5);
  EXPECT_EQ(group.told_by_first("x", [] { return std::string("a"); }), "a");
  EXPECT_EQ(group.texts("x", "a"), std::vector<std::string>{"a"});
  EXPECT_EQ(group.traffic().gathers, 0);
}

TEST(Group, SumsInTheOrderOfRanksToTheSameBitsEverywhere) {
  std::mutex mutex;
  std::vector<float> sums;
  in_ranks(3, [&](const Group& group) {
    // In another order the small ones would be lost.
    at::Tensor x = at::full({1}, group.rank() == 0 ? 1e8F : group.rank() == 1 ? -1e8F : 0.125F);
    group.sum(x, "x");
    const std::lock_guard lock(mutex);
    sums.push_back(x.item<float>());
  });
  EXPECT_EQ(sums, (std::vector<float>{0.125F, 0.125F, 0.125F}));
}

TEST(Group, GathersViewsOfUnevenSharesInTheOrderOfTheBatch) {
  in_ranks(3, [&](const Group& group) {
    constexpr int64_t kItems = 7;
    constexpr int64_t kViews = 2;
    const Share own = share_of(kItems, group.rank(), group.size());
    std::vector<at::Tensor> mine;
    std::vector<at::Tensor> all;
    for (int64_t v = 0; v < kViews; ++v) {
      for (int64_t b = 0; b < own.count; ++b) mine.push_back(row(v, own.first + b));
      for (int64_t b = 0; b < kItems; ++b) all.push_back(row(v, b));
    }
    const at::Tensor gathered = group.gather_views(at::stack(mine), kViews, kItems, "rows");
    EXPECT_TRUE(gathered.equal(at::stack(all)));
    EXPECT_TRUE(group.own_views(gathered, kViews, kItems).equal(at::stack(mine)));
  });
}

TEST(Group, SumsOfGradientsAreThoseOfAllRanksAndRepeatBitForBit) {
  std::vector<at::Tensor> first(3);
  for (int repetition = 0; repetition < 2; ++repetition) {
    in_ranks(3, [&](const Group& group) {
      const auto rank = static_cast<size_t>(group.rank());
      const at::Tensor x = at::sin(at::arange(100'000) * 0.37F + 2.0F * static_cast<float>(rank));
      group.begin_sum(x, "x").wait();
      if (repetition == 0) first[rank] = x;
      EXPECT_TRUE(x.equal(first[rank]));
    });
    EXPECT_TRUE(first[0].equal(first[2]));
  }
}

TEST(Group, BroadcastsWhatRankZeroHas) {
  in_ranks(2, [&](const Group& group) {
    const at::Tensor x = at::full({3, 2}, static_cast<double>(5 - group.rank())).t();  // not contiguous
    group.broadcast(x, "x");
    EXPECT_TRUE(x.equal(at::full({2, 3}, 5.0)));
    const at::Tensor count = at::scalar_tensor(7 + group.rank(), at::kLong);
    group.broadcast(count, "x");
    EXPECT_EQ(count.item<int64_t>(), 7);
  });
}

TEST(Group, TellsAllWhatRankZeroDoesAloneHoweverLongItTakes) {
  in_ranks(
      2,
      [&](const Group& group) {
        int done = 0;
        const std::string text = group.told_by_first("slow work", [&] {
          ++done;
          std::this_thread::sleep_for(std::chrono::milliseconds(3500));  // longer than the timeout
          return std::string("result");
        });
        EXPECT_EQ(text, "result");
        EXPECT_EQ(done, group.leads() ? 1 : 0);
      },
      2);
}

TEST(Group, WhatRankZeroThrowsIsToldToTheOthers) {
  EXPECT_EQ(test::message_of([] {
              in_ranks(2, [](const Group& group) {
                group.told_by_first("work", []() -> std::string { throw std::invalid_argument("[x] no"); });
              });
            }),
            "[x] no");
}

TEST(Group, KnowsTheTextsOfAll) {
  in_ranks(3, [](const Group& group) {
    EXPECT_EQ(group.texts("names", "rank " + std::to_string(group.rank())),
              (std::vector<std::string>{"rank 0", "rank 1", "rank 2"}));
  });
}

TEST(Group, SharedSumsHaveTheDerivativeOne) {
  in_ranks(2, [](const Group& group) {
    const at::Tensor x = at::full({2}, 1.0F + static_cast<float>(group.rank())).requires_grad_(true);
    const at::Tensor loss = shared_sum(group, x * 3, "x").square().sum();  // (9 + 9)^2 ... of 3 * (1 + 2)
    loss.backward();
    EXPECT_EQ(loss.item<float>(), 162);
    EXPECT_TRUE(x.grad().equal(at::full({2}, 2 * 9 * 3.0F)));
  });
}

TEST(Group, ARankThatLeavesSaysWhy) {
  const std::string text = test::message_of([] {
    in_ranks(
        2,
        [](const Group& group) {
          if (group.rank() == 1) {
            group.leave("[disk] expected room, got none");
            throw PeerLost("[rank 1] left");
          }
          at::Tensor x = at::ones({1});
          group.sum(x, "sums of x");
        },
        3);
  });
  EXPECT_THAT(text,
              AllOf(HasSubstr("[rank 0]"), HasSubstr("sums of x"), HasSubstr("rank 1 ended: [disk] expected room")));
}

TEST(Group, ARehearsalCountsWhatItWouldSend) {
  const Group group = rehearsed_group(4);
  EXPECT_EQ(group.size(), 4);
  at::Tensor x = at::ones({5});
  group.sum(x, "x");
  EXPECT_TRUE(x.equal(at::full({5}, 4.0F)));
  group.begin_sum(at::ones({10}), "x").wait();
  EXPECT_EQ(group.traffic().gathers, 1);
  EXPECT_EQ(group.traffic().gather_bytes, 20);
  EXPECT_EQ(group.traffic().sum_bytes, 40);
  EXPECT_TRUE(rehearsed_group(1).alone());
}

// Whether something answers there within a moment.
bool answers(int64_t port) {
  const io::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  pollfd waiting = {socket.get(), POLLOUT, 0};
  return ::poll(&waiting, 1, 500) == 1 && (waiting.revents & (POLLERR | POLLHUP)) == 0;
}

// A port that nobody listens on.
int64_t free_port() {
  const io::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address = {};
  socklen_t length = sizeof address;
  address.sin_family = AF_INET;
  ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), length);
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

TEST(Group, ThatMeetsAtAPortClosesItOnceAllAreThere) {
  const int64_t port = free_port();
  std::vector<std::thread> ranks;
  for (int64_t rank = 0; rank < 2; ++rank) {
    ranks.emplace_back([rank, port] {
      const Group group = join_group({.rank = rank, .size = 2, .address = "127.0.0.1", .port = port});
      EXPECT_EQ(group.sum(1.0 + static_cast<double>(rank), "x"), 3);
      EXPECT_EQ(group.told_by_first("text", [] { return std::string("told"); }), "told");
      EXPECT_FALSE(group.leads() && answers(port));
    });
  }
  for (std::thread& rank : ranks) rank.join();
}

TEST(Group, NamesAHostThatIsNotKnown) {
  EXPECT_THAT(test::message_of([] { own_address("no-such-host.invalid", 1); }),
              HasSubstr("[no-such-host.invalid] expected a host that is known, got: "));
  EXPECT_EQ(own_address("127.0.0.1", 1), "127.0.0.1");
}

}  // namespace
}  // namespace orthant
