#include "orthant/io/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "orthant/core/rng.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using test::message_of;
using test::read_bytes;
using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string file_of(const std::string& header, size_t data_bytes, int64_t claimed = -1) {
  const uint64_t length = claimed < 0 ? header.size() : static_cast<uint64_t>(claimed);
  std::string text(reinterpret_cast<const char*>(&length), sizeof length);
  return text + header + std::string(data_bytes, '\0');
}

SafeTensors parse(const std::string& text) {
  const auto owner = std::make_shared<const std::string>(text);
  return SafeTensors::parse(std::as_bytes(std::span(*owner)), "test.st", owner);
}

std::string refusal(const std::string& header, size_t data_bytes) {
  const std::string text = file_of(header, data_bytes);
  EXPECT_THROW(parse(text), IoError) << header;
  return message_of([&] { parse(text); });
}

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

TEST(SafeTensors, ReadsALiteralFile) {
  std::string text = file_of(R"({"__metadata__":{"format":"pt"},"b":)" + entry("U8", "[2]", "[4,6]") + R"(,"a":)" +
                                 entry("F32", "[]", "[0,4]") + "}   ",
                             0);
  text += std::string("\x00\x00\x80\x3f\x07\x08", 6);
  const SafeTensors file = parse(text);
  EXPECT_THAT(file.names(), ElementsAre("a", "b"));
  EXPECT_EQ(file.metadata().at("format"), "pt");
  EXPECT_THAT(file.tensor("a").to_floats("a"), ElementsAre(1.0F));
  EXPECT_THAT(file.tensor("b").array("b").as<uint8_t>(), ElementsAre(7, 8));
  EXPECT_THAT(message_of([&] { file.tensor("c"); }), HasSubstr("[test.st] expected a tensor 'c'"));
}

TEST(SafeTensors, WritesTheDocumentedBytes) {
  const TemporaryFolder folder;
  const auto wide = array_from(std::vector<int64_t>{1}, {1});
  const auto narrow = array_from(std::vector<uint8_t>{9, 8}, {2, 1});
  write_safetensors(folder / "a.st", {{"x", tensor_of(narrow)}, {"y", tensor_of(wide)}}, {{"k", "v\""}});
  const std::string header = R"({"__metadata__":{"k":"v\""},"y":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
                             R"("x":{"dtype":"U8","shape":[2,1],"data_offsets":[8,10]}})";
  const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  EXPECT_EQ(read_bytes(folder / "a.st"), file_of(padded, 0) + std::string("\1\0\0\0\0\0\0\0\x9\x8", 10));
}

TEST(SafeTensors, RoundTripsAndMapsAlignedTensors) {
  const TemporaryFolder folder;
  Rng rng(2);
  for (int trial = 0; trial < 20; ++trial) {
    std::map<std::string, Tensor> tensors;
    std::vector<Array> arrays;
    for (uint64_t i = 0; i < 1 + rng.below(6); ++i) {
      const auto n = static_cast<int64_t>(rng.below(9));
      const auto count = static_cast<size_t>(n);
      if (rng.bernoulli(0.5)) {
        arrays.push_back(array_from(std::vector<double>(count, rng.normal()), {n}));
      } else {
        arrays.push_back(array_from(std::vector<uint8_t>(count, 5), {1, n}));
      }
      tensors["tensor " + std::to_string(rng.next())] = tensor_of(arrays.back());
    }
    write_safetensors(folder / "a.st", tensors, {{"é", "\n\"\\"}});
    const SafeTensors file = SafeTensors::open(folder / "a.st");
    EXPECT_EQ(file.names().size(), tensors.size());
    EXPECT_EQ(file.metadata().at("é"), "\n\"\\");
    for (const auto& [name, tensor] : tensors) {
      const Array array = file.tensor(name).array(name);
      EXPECT_EQ(array.shape, tensor.shape);
      EXPECT_TRUE(std::ranges::equal(array.bytes, tensor.bytes));
      EXPECT_EQ(static_cast<const void*>(array.bytes.data()), file.tensor(name).bytes.data()) << "copied";
    }
  }
}

TEST(SafeTensors, WritesAnEmptyFileThatOpens) {
  const TemporaryFolder folder;
  write_safetensors(folder / "a.st", {});
  EXPECT_TRUE(SafeTensors::open(folder / "a.st").names().empty());
}

TEST(SafeTensors, MendsTextThatIsNotUtf8) {
  const TemporaryFolder folder;
  write_safetensors(folder / "a.st", {}, {{"name", "caf\xe9"}});
  EXPECT_EQ(SafeTensors::open(folder / "a.st").metadata().at("name"), "caf\xef\xbf\xbd");
}

TEST(SafeTensors, ConvertsHalfFloats) {
  // 1, -2, the largest, the smallest, the smallest normal, infinity
  const std::vector<uint16_t> half = {0x3c00, 0xc000, 0x7bff, 0x0001, 0x0400, 0x7c00, 0xfe00};
  const Tensor tensor{"F16", {7}, std::as_bytes(std::span(half)), nullptr};
  const auto floats = tensor.to_floats("h");
  EXPECT_THAT(std::vector(floats.begin(), floats.end() - 1),
              ElementsAre(1.0F, -2.0F, 65504.0F, 0x1p-24F, 0x1p-14F, INFINITY));
  EXPECT_TRUE(std::isnan(floats.back()));
  const std::vector<uint16_t> brain = {0x3f80, 0xc0a0};
  EXPECT_THAT((Tensor{"BF16", {2}, std::as_bytes(std::span(brain)), nullptr}).to_floats("b"), ElementsAre(1.0F, -5.0F));
  EXPECT_THAT(message_of([&] { tensor.array("h"); }), HasSubstr("[h] expected a tensor of U8"));
}

TEST(SafeTensors, RejectsHeadersThatAreTooLong) {
  EXPECT_THAT(message_of([] { parse(file_of("{}", 0, 100'000'001)); }),
              HasSubstr("expected a safetensors header of at most 100000000 bytes, got 100000001"));
  EXPECT_THAT(message_of([] { parse(file_of("{}", 0, 100'000'000)); }), HasSubstr("got only 2"));
  EXPECT_THAT(message_of([] { parse(std::string(8, '\xff') + "{}"); }), HasSubstr("at most 100000000"));
  EXPECT_THROW(parse(""), IoError);
  EXPECT_THROW(parse(std::string(8, '\0')), IoError);
  EXPECT_THROW(parse(std::string(9, '\0')), IoError);
}

TEST(SafeTensors, RejectsOverlapsHolesAndTrailingBytes) {
  const auto two = [](const std::string& a, const std::string& b) {
    return R"({"a":)" + entry("U8", "[4]", a) + R"(,"b":)" + entry("U8", "[4]", b) + "}";
  };
  EXPECT_NO_THROW(parse(file_of(two("[0,4]", "[4,8]"), 8)));
  EXPECT_NO_THROW(parse(file_of(two("[4,8]", "[0,4]"), 8)));
  EXPECT_THAT(refusal(two("[0,4]", "[2,6]"), 6), HasSubstr("without overlap"));
  EXPECT_THAT(refusal(two("[0,4]", "[0,4]"), 4), HasSubstr("without overlap"));
  EXPECT_THAT(refusal(two("[0,4]", "[5,9]"), 9), HasSubstr("without holes"));
  EXPECT_THAT(refusal(two("[1,5]", "[5,9]"), 9), HasSubstr("without holes"));
  EXPECT_THAT(refusal(two("[0,4]", "[4,8]"), 9), HasSubstr("expected 8 bytes of tensors, got 9"));
  EXPECT_THAT(refusal(two("[0,4]", "[4,8]"), 7), HasSubstr("expected 8 bytes of tensors, got 7"));
  EXPECT_THAT(refusal("{}", 1), HasSubstr("expected 0 bytes of tensors, got 1"));
}

TEST(SafeTensors, RejectsKeysThatOccurTwice) {
  const std::string a = entry("U8", "[1]", "[0,1]");
  EXPECT_THAT(refusal(R"({"a":)" + a + R"(,"a":)" + a + "}", 1), HasSubstr("got 'a' twice"));
  EXPECT_THAT(refusal(R"({"__metadata__":{"k":"1","k":"2"}})", 0), HasSubstr("got 'k' twice"));
  EXPECT_THAT(refusal(R"({"__metadata__":{},"__metadata__":{}})", 0), HasSubstr("twice"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1), HasSubstr("twice"));
  // The same key in different tensors is no repetition.
  EXPECT_NO_THROW(parse(file_of(R"({"a":)" + a + R"(,"b":)" + entry("U8", "[1]", "[1,2]") + "}", 2)));
}

TEST(SafeTensors, RejectsEntriesThatDoNotFit) {
  const auto one = [](const std::string& value) { return R"({"a":)" + value + "}"; };
  EXPECT_THAT(refusal(one(entry("F32", "[2]", "[0,4]")), 4), HasSubstr("hold F32 of shape (2,), got 4 bytes"));
  EXPECT_THAT(refusal(one(entry("F32", "[4611686018427387904]", "[0,0]")), 0), HasSubstr("expected data_offsets"));
  EXPECT_THAT(refusal(one(entry("U8", "[4294967296,4294967296]", "[0,0]")), 0), HasSubstr("expected data_offsets"));
  EXPECT_THAT(refusal(one(entry("F99", "[1]", "[0,1]")), 1),
              HasSubstr("expected a known dtype such as F32, got 'F99'"));
  EXPECT_THAT(refusal(one(entry("U8", "[-1]", "[0,1]")), 1), HasSubstr("expected sizes from 0"));
  EXPECT_THAT(refusal(one(entry("U8", "[1.0]", "[0,1]")), 1), HasSubstr("expected sizes from 0"));
  EXPECT_THAT(refusal(one(entry("U8", "[18446744073709551616]", "[0,1]")), 1), HasSubstr("expected sizes from 0"));
  EXPECT_THAT(refusal(one(entry("U8", "1", "[0,1]")), 1), HasSubstr("expected a list of sizes"));
  EXPECT_THAT(refusal(one(entry("U8", "[1]", "[1,0]")), 1), HasSubstr("expected data_offsets [begin, end]"));
  EXPECT_THAT(refusal(one(entry("U8", "[1]", "[0,1,2]")), 1), HasSubstr("expected data_offsets [begin, end]"));
  EXPECT_THAT(refusal(one("[]"), 0), HasSubstr("expected dtype, shape and data_offsets"));
  EXPECT_THAT(refusal(one(R"({"dtype":"U8","shape":[0]})"), 0), HasSubstr("expected dtype, shape and data_offsets"));
  EXPECT_THAT(refusal(one(R"({"dtype":1,"shape":[0],"data_offsets":[0,0]})"), 0), HasSubstr("expected dtype"));
  EXPECT_THAT(refusal(R"({"__metadata__":{"k":1}})", 0), HasSubstr("metadata of text only"));
  EXPECT_THAT(refusal(R"({"__metadata__":[]})", 0), HasSubstr("expected __metadata__ to be an object"));
}

TEST(SafeTensors, RejectsHeadersThatAreNotJson) {
  EXPECT_THAT(refusal("{", 0), HasSubstr("header in JSON"));
  EXPECT_THAT(refusal("[]", 0), HasSubstr("begins with {"));
  EXPECT_THAT(refusal(" {}", 0), HasSubstr("begins with {"));
  EXPECT_THAT(refusal("{} x", 0), HasSubstr("header in JSON"));
  EXPECT_THAT(refusal("{\"a\xff\":1}", 0), HasSubstr("header in JSON"));
  const std::string deep = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_THAT(refusal(deep, 0), HasSubstr("expected a flat safetensors header"));
  const std::string line = refusal("{\"a\n\":1}", 0);
  EXPECT_EQ(line.find('\n'), line.npos) << line;
}

TEST(SafeTensors, RejectsEveryTruncationAndSurvivesBitFlips) {
  const TemporaryFolder folder;
  const auto a = array_from(std::vector<float>{1, 2, 3}, {3});
  const auto b = array_from(std::vector<uint8_t>{1, 2, 3}, {3, 1});
  write_safetensors(folder / "a.st", {{"a", tensor_of(a)}, {"b", tensor_of(b)}}, {{"key", "value"}});
  const std::string whole = read_bytes(folder / "a.st");
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(parse(whole.substr(0, length)), IoError) << length;
  }
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    try {
      parse(flipped);
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), StartsWith("[test.st"));
    }
  }
}

TEST(SafeTensors, RefusesToWriteTensorsThatDoNotFit) {
  const TemporaryFolder folder;
  const auto array = array_from(std::vector<float>{1, 2}, {2});
  Tensor tensor = tensor_of(array);
  tensor.shape = {3};
  EXPECT_THROW(write_safetensors(folder / "a.st", {{"a", tensor}}), std::invalid_argument);
  EXPECT_THROW(write_safetensors(folder / "a.st", {{"__metadata__", tensor_of(array)}}), std::invalid_argument);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.st"));
}

}  // namespace
}  // namespace orthant::io
