#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/core/error.h"
#include "orthant/run/checkpoint.h"
#include "orthant/run/crc32c.h"
#include "orthant/run/event_file.h"
#include "orthant/run/metrics_log.h"
#include "orthant/run/run_folder.h"
#include "orthant/run/schedule.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::read_bytes;
using test::TemporaryFolder;
using test::write_bytes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(Schedule, WarmsUpLinearlyAndThenFollowsHalfACosine) {
  const Schedule schedule{.start = 0.1, .peak = 0.5, .end = 0.1, .warmup = 4, .total = 12};
  EXPECT_DOUBLE_EQ(schedule.at(0), 0.1);
  EXPECT_DOUBLE_EQ(schedule.at(2), 0.3);
  EXPECT_DOUBLE_EQ(schedule.at(4), 0.5);
  EXPECT_DOUBLE_EQ(schedule.at(8), 0.3);
  EXPECT_NEAR(schedule.at(12), 0.1, 1e-15);
  EXPECT_NEAR(schedule.at(100), 0.1, 1e-15);
}

TEST(Schedule, WithoutWarmUpStartsAtThePeakAndNeverRises) {
  const Schedule schedule{.peak = 1, .warmup = 0, .total = 50};
  EXPECT_DOUBLE_EQ(schedule.at(0), 1);
  for (int64_t step = 1; step < 50; ++step) EXPECT_LT(schedule.at(step), schedule.at(step - 1));
}

TEST(Schedule, RatesScaleWithTheBatch) {
  EXPECT_DOUBLE_EQ(scaled_rate(0.4, 256), 0.4);
  EXPECT_DOUBLE_EQ(scaled_rate(0.3, 128), 0.15);
}

TEST(Schedule, PeakAndEndScaleAlikeAndTheStartStays) {
  const OptimiserOptions options{.rate = 0.4, .warmup_epochs = 1, .warmup_start = 3e-5, .end_rate = 0.1};
  for (const int64_t batch : {64, 256, 1024}) {
    const Schedule schedule = make_schedule(options, batch, 10, 5);
    EXPECT_DOUBLE_EQ(schedule.at(0), 3e-5);
    EXPECT_DOUBLE_EQ(schedule.at(10), 0.4 * static_cast<double>(batch) / 256);
    EXPECT_DOUBLE_EQ(schedule.at(50), 0.1 * static_cast<double>(batch) / 256);
  }
}

TEST(Schedule, AWarmUpNeverDescends) {
  const Schedule schedule = make_schedule({.rate = 1e-5, .warmup_epochs = 1, .warmup_start = 3e-5}, 256, 10, 5);
  for (int64_t step = 0; step < 10; ++step) EXPECT_LE(schedule.at(step), schedule.at(step + 1));
}

TEST(Crc32c, HasTheKnownCheckValuesAndGoesOnPieceByPiece) {
  EXPECT_EQ(crc32c(std::string_view("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);  // RFC 3720, B.4
  const std::string text = "The non-negative orthant is where the features live.";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(crc32c(text.substr(cut), crc32c(text.substr(0, cut))), crc32c(std::string_view(text)));
  }
}

// The bytes of a scalar event, written out by hand from event.proto and summary.proto.
TEST(EventFile, ScalarsAreProtocolBuffers) {
  const std::string expected(
      "\x09\x00\x00\x00\x00\x00\x00\xf8\x3f"  // wall_time = 1.5
      "\x10\xac\x02"                          // step = 300
      "\x2a\x0d\x0a\x0b"                      // summary of 13 bytes, its first value of 11
      "\x0a\x04loss\x15\x00\x00\x00\x3f",     // tag, simple_value = 0.5
      27);
  EXPECT_EQ(scalars_event(1.5, 300, {{"loss", 0.5}}), expected);
}

TEST(EventFile, RecordsCarryLengthAndMaskedChecksums) {
  const std::string record = event_record("hello");
  ASSERT_EQ(record.size(), 8u + 4 + 5 + 4);
  const auto word = [&](size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, record.data() + at, 4);
    return value;
  };
  const auto masked = [](uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; };
  EXPECT_EQ(word(0), 5u);
  EXPECT_EQ(word(4), 0u);
  EXPECT_EQ(word(8), masked(crc32c(record.substr(0, 8))));
  EXPECT_EQ(record.substr(12, 5), "hello");
  EXPECT_EQ(word(17), masked(crc32c(std::string_view("hello"))));
}

TEST(EventFile, BeginsWithTheVersionAndNeverReplacesAnother) {
  const TemporaryFolder folder;
  const EventFile first(folder.path().string(), 0);
  const EventFile second(folder.path().string(), 7);
  EXPECT_NE(first.path(), second.path());
  EXPECT_THAT(read_bytes(first.path()), HasSubstr("brain.Event:2"));
  EXPECT_GT(read_bytes(second.path()).size(), read_bytes(first.path()).size());
}

TEST(MetricsLog, LinesAreJsonAndWhatIsNotANumberIsNull) {
  const std::string text =
      metrics_text({"epoch", 3, 1.5, {{"loss", 0.25}, {"bad", std::nan("")}}, {{"text", "a \"word\""}}});
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["step"], 3);
  EXPECT_EQ(json["loss"], 0.25);
  EXPECT_TRUE(json["bad"].is_null());
  EXPECT_EQ(json["text"], "a \"word\"");
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
}

TEST(MetricsLog, ResumingForgetsLaterAndUnfinishedLines) {
  const TemporaryFolder folder;
  const std::string path = folder / "metrics.jsonl";
  {
    MetricsLog log(folder.path().string(), 0);
    for (int64_t step = 1; step <= 4; ++step) log.add({"step", step, 0, {{"loss", 1.0}}});
  }
  const std::string before = read_bytes(path);
  write_bytes(path, before + "{\"kind\":\"step\",\"st");
  MetricsLog log(folder.path().string(), 2);
  log.add({"step", 3, 0, {{"loss", 1.0}}});
  EXPECT_EQ(read_bytes(path), before.substr(0, before.find("\"step\":4") - std::strlen("{\"kind\":\"step\",")));
}

Checkpoint example(float value) {
  Checkpoint checkpoint;
  const io::Array array = io::array_from<float>({value, 2, 3}, {3});
  checkpoint.tensors["w"] = io::tensor_of(array);
  checkpoint.tensors["w"].owner = array.owner;
  checkpoint.facts["step"] = std::to_string(value);
  return checkpoint;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

TEST(CheckpointFiles, TheLastTwoAreKeptAndTheNewestIsRead) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_checkpoint(folder.path().string()).has_value());
  for (const int64_t step : {1, 5, 12})
    write_checkpoint(folder.path().string(), step, example(static_cast<float>(step)));
  EXPECT_THAT(names_in(folder.path()), ElementsAre("step-000000000005.safetensors", "step-000000000012.safetensors"));
  const auto found = read_checkpoint(folder.path().string());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->step, 12);
  EXPECT_THAT(found->checkpoint.tensors.at("w").to_floats("w"), ElementsAre(12, 2, 3));
  EXPECT_EQ(found->checkpoint.facts, example(12).facts);
  EXPECT_TRUE(found->refused.empty());
}

TEST(CheckpointFiles, AnyDamagedByteOfTheNewestFallsBackToTheOneBefore) {
  const TemporaryFolder folder;
  write_checkpoint(folder.path().string(), 1, example(1));
  write_checkpoint(folder.path().string(), 2, example(2));
  const std::string newest = folder / "step-000000000002.safetensors";
  const std::string good = read_bytes(newest);
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x04);
    write_bytes(newest, bad);
    const auto found = read_checkpoint(folder.path().string());
    ASSERT_TRUE(found.has_value());
    // A changed space of padding is no damage.
    if (found->step == 2) {
      EXPECT_EQ(found->checkpoint.facts, example(2).facts);
      EXPECT_THAT(found->checkpoint.tensors.at("w").to_floats("w"), ElementsAre(2, 2, 3));
    } else {
      EXPECT_EQ(found->step, 1) << "byte " << at;
      EXPECT_THAT(found->refused, SizeIs(1));
    }
  }
}

TEST(CheckpointFiles, AChangedShapeOrNameIsDamageThoughTheBytesAreTheSame) {
  const TemporaryFolder folder;
  write_checkpoint(folder.path().string(), 1, example(1));
  Checkpoint checkpoint;
  const io::Array array = io::array_from<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  checkpoint.tensors["ab"] = io::tensor_of(array);
  checkpoint.tensors["ab"].owner = array.owner;
  checkpoint.facts["step"] = "2";
  write_checkpoint(folder.path().string(), 2, checkpoint);
  const std::string newest = folder / "step-000000000002.safetensors";
  const std::string good = read_bytes(newest);
  for (const auto& [from, to] : {std::pair("[2,3]", "[3,2]"), std::pair("\"ab\"", "\"ba\"")}) {
    std::string bad = good;
    ASSERT_NE(bad.find(from), std::string::npos) << from;
    bad.replace(bad.find(from), std::strlen(from), to);
    write_bytes(newest, bad);
    const auto found = read_checkpoint(folder.path().string());
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->step, 1) << to;
    ASSERT_THAT(found->refused, SizeIs(1));
    EXPECT_THAT(found->refused[0], HasSubstr("expected checksum"));
  }
}

TEST(CheckpointFiles, WithAllDamagedItSaysSo) {
  const TemporaryFolder folder;
  write_checkpoint(folder.path().string(), 3, example(3));
  write_bytes(folder / "step-000000000003.safetensors", "cut off");
  EXPECT_THAT(message_of([&] { read_checkpoint(folder.path().string()); }), HasSubstr("no undamaged checkpoint"));
}

TEST(RunFolder, ARunIsHeldByOneProgramAtATime) {
  const TemporaryFolder folder;
  const std::string path = folder / "run";
  {
    const RunFolder run = RunFolder::create(path);
    write_bytes(run.recipe_file(), "");
    EXPECT_THAT(message_of([&] { RunFolder::open(path); }), HasSubstr("another program holds"));
  }
  EXPECT_EQ(RunFolder::open(path).path(), path);
}

TEST(RunFolder, AnExistingRunIsRefusedUnlessOverwritten) {
  const TemporaryFolder folder;
  const std::string path = folder / "run";
  { write_bytes(RunFolder::create(path).recipe_file(), ""); }
  EXPECT_THAT(message_of([&] { RunFolder::create(path); }), HasSubstr("expected a new run"));
  write_bytes(path + "/notes.txt", "mine");
  { const RunFolder again = RunFolder::create(path, true); }
  EXPECT_FALSE(is_run(path));
  EXPECT_EQ(read_bytes(path + "/notes.txt"), "mine");
}

TEST(RunFolder, OpeningRemovesWhatAKilledProgramLeft) {
  const TemporaryFolder folder;
  { write_bytes(RunFolder::create(folder / "run").recipe_file(), ""); }
  write_bytes(folder / "run/checkpoint/.orthant-abc.tmp", "half");
  { const RunFolder run = RunFolder::open(folder / "run"); }
  EXPECT_FALSE(fs::exists(folder / "run/checkpoint/.orthant-abc.tmp"));
}

TEST(RunFolder, WhatIsNoRunIsRefused) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of([&] { RunFolder::open(folder / "none"); }), HasSubstr("nothing there"));
  EXPECT_THAT(message_of([&] { RunFolder::open(folder.path().string()); }), HasSubstr("something else"));
  write_bytes(folder / "file", "x");
  EXPECT_THAT(message_of([&] { RunFolder::create(folder / "file"); }), HasSubstr("got a file"));
}

}  // namespace
}  // namespace orthant
