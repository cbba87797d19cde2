#include "orthant/io/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "orthant/core/rng.h"
#include "orthant/io/npy_header.h"
#include "tests/io/golden.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::io {
namespace {

using test::golden;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string npy_of(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string text = "\x93NUMPY";
  text += {version, 0, static_cast<char>(dictionary.size() & 0xff), static_cast<char>(dictionary.size() >> 8)};
  if (version > 1) text += {0, 0};
  return text + dictionary + data;
}

Array parse(const std::string& text) { return parse_npy(std::as_bytes(std::span(text)), "test.npy", nullptr); }

template <class T>
void expect_counting(const std::string& file) {
  const Array array = read_npy(golden(file));
  EXPECT_THAT(array.shape, ElementsAre(2, 3));
  EXPECT_THAT(array.as<T>(), ElementsAre(1, 4, 7, 10, 13, 16));
}

TEST(Npy, ReadsEveryTypeThatNumpyWrites) {
  expect_counting<uint8_t>("u1.npy");
  expect_counting<int32_t>("i4.npy");
  expect_counting<int64_t>("i8.npy");
  expect_counting<float>("f4.npy");
  expect_counting<double>("f8.npy");
}

TEST(Npy, WidensTheSmallerTypes) {
  for (const std::string type : {"i1", "i2", "u2"}) expect_counting<int32_t>(type + ".npy");
  expect_counting<int64_t>("u4.npy");
  expect_counting<float>("f2.npy");
  EXPECT_THAT(to_integers(parse(npy_of("{'descr':'<i2','fortran_order':False,'shape':(2,)}", "\xff\xff\x01\x02")), "x"),
              ElementsAre(-1, 513));
}

TEST(Npy, ReadsEveryKindOfHalf) {
  const Array halves = read_npy(golden("halves.npy"));
  const auto values = halves.as<float>();
  ASSERT_EQ(values.size(), 9U);
  EXPECT_THAT(values.first(8),
              ElementsAre(0.0F, -0.0F, 0x1p-24F, -0x1p-14F, 0x1.554p-2F, 65504.0F,
                          std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()));
  EXPECT_TRUE(std::signbit(values[1]));
  EXPECT_TRUE(std::isnan(values[8]));
}

TEST(Npy, TurnsFortranOrder) {
  const Array flat = read_npy(golden("fortran.npy"));
  EXPECT_THAT(flat.shape, ElementsAre(2, 3));
  EXPECT_THAT(flat.as<float>(), ElementsAre(0, 1, 2, 3, 4, 5));
  const Array cube = read_npy(golden("fortran_cube.npy"));
  EXPECT_THAT(cube.shape, ElementsAre(2, 3, 4));
  for (size_t i = 0; i < 24; ++i) EXPECT_EQ(cube.as<int32_t>()[i], static_cast<int32_t>(i) - 5);
}

TEST(Npy, ReadsScalarsEmptyArraysAndMoreDimensions) {
  EXPECT_THAT(read_npy(golden("scalar.npy")).as<double>(), ElementsAre(2.5));
  EXPECT_TRUE(read_npy(golden("scalar.npy")).shape.empty());
  EXPECT_THAT(read_npy(golden("empty.npy")).shape, ElementsAre(0, 7));
  EXPECT_EQ(read_npy(golden("empty.npy")).size(), 0);
  EXPECT_THAT(read_npy(golden("cube.npy")).shape, ElementsAre(2, 3, 4));
}

TEST(Npy, ReadsVersionsTwoAndThree) {
  EXPECT_THAT(read_npy(golden("version2.npy")).as<int64_t>(), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(read_npy(golden("version3.npy")).as<int64_t>(), ElementsAre(0, 1, 2, 3));
}

TEST(Npy, RefusesOtherTypesByName) {
  for (const std::string type : {"b1", "u8", "c8", "S3", "U3"}) {
    EXPECT_THAT(message_of([&] { read_npy(golden("refused_" + type + ".npy")); }),
                AllOf(HasSubstr("refused_" + type + ".npy] expected integers of up to 32 bits"), HasSubstr(type)));
  }
  EXPECT_THAT(message_of([] { read_npy(golden("refused_structured.npy")); }), HasSubstr("got a structured type"));
  EXPECT_THAT(message_of([] { read_npy(golden("refused_big_endian_f4.npy")); }), HasSubstr("little-endian"));
}

TEST(Npy, RoundTripsRandomArrays) {
  const TemporaryFolder folder;
  Rng rng(7);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<int64_t> shape(rng.below(5));
    for (auto& dim : shape) dim = static_cast<int64_t>(rng.below(5));
    std::vector<double> values(static_cast<size_t>(*checked_product(shape)));
    for (auto& value : values) value = rng.normal();
    write_npy(folder / "a.npy", array_from(values, shape));
    const Array read = read_npy(folder / "a.npy");
    EXPECT_EQ(read.shape, shape);
    EXPECT_THAT(read.as<double>(), ::testing::ElementsAreArray(values));
  }
}

TEST(Npy, WritesTheBytesThatNumpyWrites) {
  const TemporaryFolder folder;
  for (const std::string name : {"u1", "i4", "i8", "f4", "f8", "cube", "empty", "scalar"}) {
    write_npy(folder / "a.npy", read_npy(golden(name + ".npy")));
    EXPECT_EQ(test::read_bytes(folder / "a.npy"), test::read_bytes(golden(name + ".npy"))) << name;
  }
}

TEST(Npy, MapsFloatMatricesWithoutCopying) {
  EXPECT_FALSE(read_npy_matrix(golden("f4.npy")).owned());
  EXPECT_EQ(read_npy_matrix(golden("f8.npy")), read_npy_matrix(golden("f4.npy")));
  EXPECT_EQ(read_npy_matrix(golden("empty.npy")).cols(), 7);
  EXPECT_THAT(message_of([] { read_npy_matrix(golden("i4.npy")); }), HasSubstr("expected a 2-D array of float32"));
  EXPECT_THAT(message_of([] { read_npy_matrix(golden("scalar.npy")); }), HasSubstr("of shape ()"));
}

TEST(Npy, CopiesElementsThatAreNotAligned) {
  const std::string text = npy_of("{'descr':'<f8','fortran_order':False,'shape':(1,)}", std::string(8, '\0'));
  for (size_t shift = 0; shift < 8; ++shift) {
    const auto moved = std::make_shared<std::string>(std::string(shift, 'x') + text);
    const Array array = parse_npy(std::as_bytes(std::span(*moved)).subspan(shift), "test.npy", moved);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.bytes.data()) % 8, 0U);
    EXPECT_THAT(array.as<double>(), ElementsAre(0.0));
  }
}

TEST(Npy, ReadsHeadersThatOtherProgramsWrite) {
  const std::string data(4, '\0');
  EXPECT_THAT(parse(npy_of("{\"shape\": (1L,), \"descr\":\"<f4\", \"fortran_order\" : True}  \n", data)).shape,
              ElementsAre(1));
  EXPECT_THAT(parse(npy_of("{'descr':'<f4','fortran_order':False,'shape':( 1 , 1 )}", data)).shape, ElementsAre(1, 1));
}

TEST(Npy, RejectsMalformedHeaders) {
  const std::string data(4, '\0');
  for (const std::string dictionary : {"",
                                       "{",
                                       "}",
                                       "{}",
                                       "[]",
                                       "{'descr'",
                                       "{'descr':",
                                       "{'descr':'<f4",
                                       "{'descr':'<f4'}",
                                       "{'descr':[('a'",
                                       "{'descr':'<f4','fortran_order':Maybe,'shape':(1,)}",
                                       "{'descr':'<f4','fortran_order':False,'shape':1}",
                                       "{'descr':'<f4','fortran_order':False,'shape':(1,}",
                                       "{'descr':'<f4','fortran_order':False,'shape':(-1,)}",
                                       "{'descr':'<f4','fortran_order':False,'shape':(1.0,)}",
                                       "{'descr':'<f4','fortran_order':False,'shape':(,)}",
                                       "{'descr':'<f4','fortran_order':False,'shape':(99999999999999999999,)}",
                                       "{'descr':'<f4','fortran_order':False,'shape':(1,),'more':1}",
                                       "{'descr':'<f4','descr':'<f4','fortran_order':False,'shape':(1,)}",
                                       "{'descr':'<f4','fortran_order':False,'shape':(1,)} x"}) {
    EXPECT_THROW(parse(npy_of(dictionary, data)), IoError) << dictionary;
    EXPECT_THAT(message_of([&] { parse(npy_of(dictionary, data)); }), HasSubstr("[test.npy] expected"));
  }
}

TEST(Npy, RejectsTwelveBytesThatPromiseFourGigabytes) {
  const std::string text("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
  EXPECT_THAT(message_of([&] { parse(text); }), HasSubstr("expected a .npy header of at most"));
  const std::string long_data = npy_of("{'descr':'<f4','fortran_order':False,'shape':(1073741824,)}", "");
  EXPECT_THAT(message_of([&] { parse(long_data); }), HasSubstr("expected 4294967296 bytes"));
}

TEST(Npy, RejectsShapeProductsThatOverflow) {
  for (const std::string shape : {"(4294967296, 4294967296, 2)", "(9223372036854775807, 2)", "(2305843009213693952,)",
                                  "(4294967296, 4294967296, 0)"}) {
    const std::string text = npy_of("{'descr':'<f8','fortran_order':False,'shape':" + shape + "}", "");
    EXPECT_THAT(message_of([&] { parse(text); }), HasSubstr("expected a shape that fits in memory")) << shape;
  }
  std::string many = "(";
  for (int i = 0; i < 33; ++i) many += "1,";
  EXPECT_THAT(message_of([&] { parse(npy_of("{'descr':'<f8','fortran_order':False,'shape':" + many + ")}", "")); }),
              HasSubstr("at most 32 dimensions"));
}

TEST(Npy, RejectsEveryTruncationAndTrailingBytes) {
  const std::string whole = test::read_bytes(golden("f8.npy"));
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(parse(whole.substr(0, length)), IoError) << length;
  }
  EXPECT_THAT(message_of([&] { parse(whole + "x"); }), HasSubstr("expected 48 bytes for '<f8' of shape (2, 3)"));
}

TEST(Npy, SurvivesEveryBitFlip) {
  const std::string whole = test::read_bytes(golden("i8.npy"));
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    try {
      parse(flipped);
    } catch (const IoError& error) {
      EXPECT_THAT(error.what(), HasSubstr("[test.npy] expected"));
    }
  }
}

TEST(Array, RefusesTheWrongTypeAndShape) {
  const std::vector<float> values = {1, 2, 3};
  const Array array = array_of(std::span<const float>(values), {3});
  EXPECT_THAT(message_of([&] { array.as<int32_t>(); }), HasSubstr("expected elements of type int32, got float32"));
  EXPECT_THROW(array_of(std::span<const float>(values), {2}), std::invalid_argument);
  EXPECT_THROW(array_of(std::span<const float>(values), {-3}), std::invalid_argument);
}

}  // namespace
}  // namespace orthant::io
