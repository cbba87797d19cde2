#include "orthant/adapt/adapter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/adapt/encoder.h"
#include "orthant/io/safetensors.h"
#include "tests/adapt/formulas.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::adapt {
namespace {

using ::orthant::test::message_of;
using ::orthant::test::TemporaryFolder;
using ::testing::HasSubstr;
using namespace test;

TEST(Adapter, ReadsBackWhatWasWritten) {
  const TemporaryFolder folder;
  for (const Gate gate : {Gate::topk, Gate::batch, Gate::jump}) {
    Adapter adapter = formula_adapter(gate, gate == Gate::batch, true);
    adapter.scale = 1.0 / 3;
    adapter.mean[2] = 0.5F;
    adapter.notes["data"] = "x.npy";
    write_adapter(folder / "a.safetensors", adapter);
    const Adapter back = read_adapter(folder / "a.safetensors");
    EXPECT_EQ(back.encoder, adapter.encoder);
    EXPECT_EQ(back.decoder, adapter.decoder);
    EXPECT_EQ(back.mean, adapter.mean);
    EXPECT_EQ(back.thresholds, adapter.thresholds);
    EXPECT_EQ(back.scale, adapter.scale);
    EXPECT_EQ(back.notes, adapter.notes);
    const Floats x = formula_rows();
    EXPECT_EQ(encode(back, x, 0, 1), encode(adapter, x, 0, 2));
  }
}

TEST(Adapter, RefusesFilesThatAreNone) {
  const TemporaryFolder folder;
  const Adapter adapter = formula_adapter(Gate::topk, false, true);
  write_adapter(folder / "a.safetensors", adapter);
  const io::SafeTensors file = io::SafeTensors::open(folder / "a.safetensors");
  std::map<std::string, io::Tensor> tensors;
  for (const std::string& name : file.names()) tensors[name] = file.tensor(name);
  const auto refused = [&](const std::string& key, const std::string& value) {
    auto metadata = file.metadata();
    metadata[key] = value;
    io::write_safetensors(folder / "b.safetensors", tensors, metadata);
    return message_of([&] { read_adapter(folder / "b.safetensors"); });
  };
  EXPECT_THAT(refused("format", "x"), HasSubstr("expected the model of an adapter, got another file"));
  EXPECT_THAT(refused("version", "7"), HasSubstr("expected an adapter of version 1, got 7"));
  EXPECT_THAT(refused("features", "21"), HasSubstr("expected encoder.weight of shape (21, 10), got (20, 10)"));
  EXPECT_THAT(refused("active", "21"), HasSubstr("expected from 1 to 20 features on, got 21"));
  EXPECT_THAT(refused("scale", "0"), HasSubstr("expected a number above 0 for scale"));
  EXPECT_THAT(refused("gate", "open"), HasSubstr("expected the gate topk, batch or jump, got open"));
}

TEST(Adapter, CorruptedFilesAreOneClearLine) {
  const TemporaryFolder folder;
  Adapter adapter = formula_adapter(Gate::topk, false, true);
  adapter.dims_b = 3;
  adapter.mean_b.resize(static_cast<size_t>(padded(3)));
  adapter.map_b.resize(static_cast<size_t>(3 * adapter.dims), 0.25F);
  const std::string file = folder / "a.safetensors";
  write_adapter(file, adapter);
  EXPECT_EQ(read_adapter(file).map_b, adapter.map_b);
  const std::string bytes = orthant::test::read_bytes(file);
  const auto refused = [&](const std::string& changed) {
    orthant::test::write_bytes(file, changed);
    const std::string message = message_of([&] { read_adapter(file); });
    EXPECT_THAT(message, HasSubstr("a.safetensors] expected "));
    EXPECT_EQ(message.find('\n'), std::string::npos);
    return message;
  };
  for (const size_t kept : {size_t{0}, size_t{7}, size_t{20}, bytes.size() / 2, bytes.size() - 1}) {
    refused(bytes.substr(0, kept));
  }
  std::string other = bytes;
  other[0] = '\xff';
  refused(other);
  other = bytes;
  for (size_t k = 1; k <= 4; ++k) other[other.size() - k] = '\xff';  // NaN in the last tensor
  EXPECT_THAT(refused(other), HasSubstr("expected finite weights, got another in"));
  adapter.mean_b.clear();
  write_adapter(file, adapter);
  EXPECT_THAT(message_of([&] { read_adapter(file); }), HasSubstr("expected map_b [10, any] beside mean_b"));
}

// Any number of features on, from one adapter: the largest of them.
TEST(Adapter, FewerFeaturesOnAreTheStrongestOfMore) {
  const Adapter adapter = formula_adapter(Gate::topk, false, true);
  const Floats x = formula_rows();
  const SparseMatrix two = encode(adapter, x, 2, 1);
  const SparseMatrix five = encode(adapter, x, 5, 1);
  for (int64_t i = 0; i < kRows; ++i) {
    std::vector<float> values(five.row(i).values.begin(), five.row(i).values.end());
    std::ranges::sort(values, std::greater());
    std::vector<float> kept(two.row(i).values.begin(), two.row(i).values.end());
    std::ranges::sort(kept, std::greater());
    ASSERT_LE(kept.size(), 2U);
    for (size_t n = 0; n < kept.size(); ++n) EXPECT_EQ(kept[n], values[n]);
    for (const float value : values) EXPECT_GT(value, 0);
  }
}

TEST(Adapter, ARowHasTheSameCodeWhateverElseIsEncoded) {
  const Adapter adapter = formula_adapter(Gate::topk, false, true);
  const Floats x = formula_rows();
  const SparseMatrix all = encode(adapter, x, 3, 2);
  const std::span<const float> one(x.data() + 5 * adapter.stride, static_cast<size_t>(adapter.stride));
  const SparseMatrix alone = encode(adapter, one, 3, 1);
  EXPECT_TRUE(std::ranges::equal(alone.row(0).indices, all.row(5).indices));
  EXPECT_TRUE(std::ranges::equal(alone.row(0).values, all.row(5).values));
}

TEST(Adapter, ARowOfZerosIsPreparedAsThePointZero) {
  Adapter adapter = formula_adapter(Gate::topk, false, true);
  adapter.mean[0] = 0.5F;
  adapter.scale = 2;
  Floats x(static_cast<size_t>(adapter.stride));
  adapter.prepare(std::vector<float>(kDims), x.data());
  EXPECT_EQ(x[0], -1);
  EXPECT_EQ(x[1], 0);
}

}  // namespace
}  // namespace orthant::adapt
