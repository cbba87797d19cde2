#include "orthant/core/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace orthant {
namespace {

TEST(Nearest, CountsSlipsOfTheHand) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("embed", "embed"), 0U);
  EXPECT_EQ(edit_distance("embedd", "embed"), 1U);
  EXPECT_EQ(edit_distance("mebed", "embed"), 1U) << "two letters that changed places";
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Nearest, WhatStandsAroundTheWordCostsOne) {
  EXPECT_EQ(edit_distance("train", "pretrain"), 1U);
  EXPECT_EQ(edit_distance("trian", "pretrain"), 2U);
  EXPECT_EQ(edit_distance("epochs", "train.epochs"), 1U);
  EXPECT_EQ(edit_distance("pretrain", "train"), 3U) << "letters too many are edits";
}

TEST(Nearest, IsTheCandidateThatWasMeantOrNone) {
  const std::vector<std::string> commands = {"data", "pretrain", "resume", "embed", "info"};
  ASSERT_NE(nearest("trian", commands), nullptr);
  EXPECT_EQ(*nearest("trian", commands), "pretrain");
  EXPECT_EQ(*nearest("dta", commands), "data");
  EXPECT_EQ(nearest("fly", commands), nullptr);
  EXPECT_EQ(nearest("photograph", commands), nullptr);
  EXPECT_EQ(nearest("embed", {}), nullptr);
}

}  // namespace
}  // namespace orthant
