#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "orthant/core/image.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/image_file.h"
#include "orthant/run/run_paths.h"
#include "tests/adapt/planted.h"
#include "tests/support/program.h"
#include "tests/support/running.h"
#include "tests/support/temporary_folder.h"

namespace orthant {
namespace {

using test::Finished;
using test::read_bytes;
using test::run_orthant;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

// Vectors of four planted parts with their classes and ids.
struct Files {
  test::TemporaryFolder folder;
  std::string vectors = folder / "v.npy";
  std::string labels = folder / "labels.txt";
  std::string ids = folder / "ids.txt";

  Files() {
    const adapt::test::Planted planted = adapt::test::plant(600, 12, 4, 5);
    adapt::test::write_rows(vectors, planted.rows);
    std::string classes;
    std::string names;
    for (size_t i = 0; i < planted.labels.size(); ++i) {
      classes += "part" + std::to_string(planted.labels[i]) + "\n";
      names += "row" + std::to_string(i) + "\n";
    }
    test::write_bytes(labels, classes);
    test::write_bytes(ids, names);
  }

  Words adapt(const std::string& run, const Words& more = {}) const {
    Words words = {"adapt", vectors, "--labels", labels, "--ids", ids, "-o", run, "--epochs", "5", "--threads", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST(AdaptCommand, TheShortestCommandChoosesTheRestAndSaysSo) {
  const Files files;
  const Finished done = run_orthant({"adapt", files.vectors, "-o", files.folder / "run", "--epochs", "2"});
  ASSERT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.errors, HasSubstr("features, for vectors of 12; --features changes that"));
  EXPECT_THAT(done.errors, HasSubstr("features on per row"));
  EXPECT_THAT(done.errors, HasSubstr("60 of 600 rows are held out"));
  EXPECT_THAT(done.output, HasSubstr("kept of 10-NN"));
  EXPECT_THAT(done.output, HasSubstr("--labels FILE"));
  EXPECT_THAT(done.output, HasSubstr("\nchance"));
  EXPECT_THAT(done.output, ::testing::Not(HasSubstr("1-NN  ")));
}

TEST(AdaptCommand, EverythingBehindItTakesTheRun) {
  const Files files;
  const std::string run = files.folder / "run";
  ASSERT_EQ(run_orthant(files.adapt(run)).code, 0);
  const Finished embedded = run_orthant({"embed", run});
  ASSERT_EQ(embedded.code, 0) << embedded.errors;
  const Embeddings all = io::read_embeddings(run + "/embeddings/all-projector.safetensors");
  EXPECT_EQ(all.rows(), 600);
  EXPECT_TRUE(all.sparse());
  EXPECT_EQ(all.ids[7], "row7");
  EXPECT_EQ(all.class_names.size(), 4U);
  ASSERT_EQ(run_orthant({"embed", run, "--active", "2", "--split", "test"}).code, 0);
  const Embeddings two = io::read_embeddings(run + "/embeddings/test-projector-active-2.safetensors");
  EXPECT_EQ(two.rows(), 60);
  EXPECT_LE(std::get<SparseMatrix>(two.features).nnz(), 120);
  ASSERT_EQ(run_orthant({"embed", run, "--data", files.vectors, "-o", files.folder / "again.npz"}).code, 0);
  const Finished measured = run_orthant({"measure", run});
  EXPECT_EQ(measured.code, 0) << measured.errors;
  EXPECT_THAT(measured.output, HasSubstr("knn_accuracy"));
  EXPECT_EQ(run_orthant({"select", run + "/embeddings/all-projector.safetensors", "--keep", "8", "-o",
                         files.folder / "kept.safetensors"})
                .code,
            0);
  ASSERT_EQ(run_orthant({"name", run, "--from", "labels", "--quiet"}).code, 0);
  const Finished selected = run_orthant({"select", run, "--keep", "4", "-o", files.folder / "named.safetensors"});
  EXPECT_EQ(selected.code, 0) << selected.errors;
  EXPECT_THAT(selected.errors, HasSubstr("part"));
  EXPECT_TRUE(io::read_embeddings(files.folder / "named.safetensors").feature_names.empty()) << "only proposed";
  const Finished indexed = run_orthant({"index", run, "-o", files.folder / "run.oix"});
  EXPECT_EQ(indexed.code, 0) << indexed.errors;
  const Finished sent = run_orthant({"export", run, "--to", "bigann", "-o", files.folder / "sent"});
  EXPECT_EQ(sent.code, 0) << sent.errors;
  const Finished cleaned = run_orthant({"clean", run});
  EXPECT_EQ(cleaned.code, 0) << cleaned.errors;
  const Finished info = run_orthant({"info", run});
  EXPECT_EQ(info.code, 0) << info.errors;
  const Finished report = run_orthant({"report", run, "-o", files.folder / "r.html"});
  EXPECT_EQ(report.code, 0) << report.errors;
  EXPECT_TRUE(std::filesystem::exists(files.folder / "r.html"));
  EXPECT_THAT(run_orthant({"resume", run}).errors, HasSubstr("finished already"));
}

// Pictures of the vectors, in the order of their names.
TEST(AdaptCommand, DrawsAndReportsPicturesOfTheVectors) {
  const Files files;
  const std::string run = files.folder / "run";
  const adapt::test::Planted planted = adapt::test::plant(40, 12, 4, 5);
  adapt::test::write_rows(files.folder / "few.npy", planted.rows);
  std::filesystem::create_directories(files.folder / "pictures");
  for (int i = 0; i < 40; ++i) {
    io::write_png((files.folder / "pictures") + "/" + std::to_string(100 + i) + ".png",
                  Image(8, 8, 3, static_cast<uint8_t>(6 * i)));
  }
  ASSERT_EQ(run_orthant({"adapt", files.folder / "few.npy", "-o", run, "--epochs", "2", "--quiet"}).code, 0);
  ASSERT_EQ(run_orthant({"embed", run, "--quiet"}).code, 0);
  const std::string data = "folder:" + (files.folder / "pictures");
  const Finished sheet = run_orthant(
      {"sheet", run, "--data", data, "--reference", files.folder / "few.npy", "-o", files.folder / "sheet.png"});
  EXPECT_EQ(sheet.code, 0) << sheet.errors;
  EXPECT_TRUE(std::filesystem::exists(files.folder / "sheet.png"));
  const Finished report = run_orthant(
      {"report", run, "--data", data, "--reference", files.folder / "few.npy", "-o", files.folder / "r.html"});
  EXPECT_EQ(report.code, 0) << report.errors;
  EXPECT_THAT(report.errors + report.output, HasSubstr("pictures"));
  EXPECT_THAT(run_orthant({"sheet", run, "-o", files.folder / "other.png"}).errors,
              HasSubstr("[--data] expected the data set"));
}

TEST(AdaptCommand, TellsHowTwoTowersFindEachOther) {
  const Files files;
  const Finished done = run_orthant({"adapt", files.vectors, "--with", files.vectors, "--align", "linear", "-o",
                                     files.folder / "run", "--epochs", "2", "--json", "--quiet"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const auto told = nlohmann::json::parse(done.output);
  EXPECT_GT(told["retained"].back()["pairs"]["a_to_b_recall_at_10"], told["chance"]["pairs"]["a_to_b_recall_at_10"]);
  const Finished second = run_orthant({"embed", files.folder / "run", "--tower", "b"});
  EXPECT_EQ(second.code, 0) << second.errors;
}

TEST(AdaptCommand, ACorruptedModelIsOneClearLine) {
  const Files files;
  const std::string run = files.folder / "run";
  ASSERT_EQ(run_orthant({"adapt", files.vectors, "-o", run, "--epochs", "1", "--quiet"}).code, 0);
  const std::string bytes = read_bytes(RunPaths(run).model_file());
  test::write_bytes(RunPaths(run).model_file(), bytes.substr(0, bytes.size() / 2));
  const Finished refused = run_orthant({"embed", run});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.errors, HasSubstr("model.safetensors] expected"));
  EXPECT_EQ(std::ranges::count(refused.errors, '\n'), 1) << refused.errors;
  EXPECT_FALSE(std::filesystem::exists(RunPaths(run).embeddings_file({.split = "all"})));
}

TEST(AdaptCommand, GoesOnBitForBitAfterAKill) {
  const Files files;
  const Words pace = {"--set", "train.checkpoint_steps=3", "--set", "train.batch=20", "--set", "train.epochs=40"};
  ASSERT_EQ(run_orthant(files.adapt(files.folder / "straight", pace)).code, 0);
  const std::string run = files.folder / "killed";
  {
    test::Running running(files.adapt(run, pace));
    const auto has_checkpoint = [&] {
      std::error_code ignored;
      const std::filesystem::directory_iterator found(RunPaths(run).checkpoint_folder(), ignored);
      return !ignored && found != std::filesystem::directory_iterator();
    };
    for (int n = 0; n < 3000 && !has_checkpoint(); ++n) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    running.end(SIGKILL);
  }
  const Finished resumed = run_orthant({"resume", run});
  ASSERT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_EQ(read_bytes(RunPaths(run).model_file()), read_bytes(RunPaths(files.folder / "straight").model_file()));
}

TEST(AdaptCommand, SaysWhatItWouldTake) {
  const Files files;
  const Finished done = run_orthant({"adapt", files.vectors, "--dry-run", "--json", "--quiet"});
  ASSERT_EQ(done.code, 0) << done.errors;
  const auto plan = nlohmann::json::parse(done.output);
  EXPECT_EQ(plan["rows"], 600);
  EXPECT_GT(plan["memory_bytes"], 0);
}

TEST(AdaptCommand, RefusesWithOneLineAndWritesNothing) {
  const Files files;
  const std::string run = files.folder / "run";
  const auto refused = [&](const Words& more) {
    Words words = {"adapt", files.vectors, "-o", run, "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished done = run_orthant(words);
    EXPECT_EQ(done.code, 1);
    EXPECT_FALSE(is_run(run));
    EXPECT_EQ(std::ranges::count(done.errors, '\n'), 1) << done.errors;
    return done.errors;
  };
  EXPECT_THAT(refused({"--features", "16", "--active", "17"}), HasSubstr("[adapter.active] expected at most"));
  EXPECT_THAT(refused({"--labels", files.folder / "none"}), HasSubstr("none"));
  EXPECT_THAT(refused({"--method", "topp"}), HasSubstr("topp"));
  EXPECT_THAT(refused({"--batch", "5000"}), HasSubstr("[train.batch]"));
  EXPECT_EQ(run_orthant({"adapt", files.vectors}).code, 2);
  adapt::test::Planted planted = adapt::test::plant(50, 4, 3, 1);
  planted.rows(20, 1) = std::numeric_limits<float>::quiet_NaN();
  adapt::test::write_rows(files.folder / "nan.npy", planted.rows);
  const Finished broken = run_orthant({"adapt", files.folder / "nan.npy", "-o", run, "--quiet"});
  EXPECT_EQ(broken.code, 1);
  EXPECT_THAT(broken.errors, HasSubstr("row 20"));
  ASSERT_EQ(run_orthant(files.adapt(run)).code, 0);
  EXPECT_THAT(run_orthant(files.adapt(run)).errors, HasSubstr("'orthant resume' continues it"));
  EXPECT_THAT(run_orthant({"embed", run, "--active", "100000"}).errors, HasSubstr("at most as many features"));
  EXPECT_THAT(run_orthant({"resume", run, "--set", "train.rate=0.5"}).errors, HasSubstr("--force"));
}

}  // namespace
}  // namespace orthant
