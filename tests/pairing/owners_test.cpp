#include "orthant/pairing/owners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace orthant::pairing {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Embeddings with_ids(std::vector<std::string> ids) {
  Embeddings embeddings;
  embeddings.features = Matrix(static_cast<int64_t>(ids.size()), 1);
  embeddings.ids = std::move(ids);
  return embeddings;
}

Embeddings without_ids(int64_t rows) {
  Embeddings embeddings;
  embeddings.features = Matrix(rows, 1);
  return embeddings;
}

TEST(Owners, AreTheItemsOfTheSameId) {
  EXPECT_THAT(owners_of(with_ids({"x", "y", "z"}), with_ids({"y", "y", "x", "y"})), ElementsAre(1, 1, 0, 1));
}

TEST(Owners, WithoutIdsAreByPosition) {
  EXPECT_THAT(owners_of(without_ids(3), with_ids({"q", "r", "s"})), ElementsAre(0, 1, 2));
}

TEST(Owners, RefuseWhatCannotBeMatched) {
  EXPECT_THAT(test::message_of([] { owners_of(without_ids(3), without_ids(2)); }),
              HasSubstr("expected as many rows in both, since not both have ids, got 3 and 2"));
  EXPECT_THAT(test::message_of([] {
                owners_of(with_ids({"x", "y"}), with_ids({"x", "p", "q"}));
              }),
              HasSubstr("got 2 others in the second, the first p"));
  EXPECT_THAT(test::message_of([] { owners_of(with_ids({"x", "x"}), with_ids({"x"})); }), HasSubstr("got x twice"));
  EXPECT_THAT(test::message_of([] {
                check_owners(2, 2, std::vector<int64_t>{0, 2});
              }),
              HasSubstr("expected owners from 0 to 1, got 2 for row 1"));
  EXPECT_THAT(test::message_of([] { check_owners(2, 2, std::vector<int64_t>{0}); }),
              HasSubstr("expected an owner for each of 2 rows, got 1"));
  EXPECT_THAT(test::message_of([] { check_owners(0, 0, {}); }), HasSubstr("expected rows on both sides, got 0 and 0"));
}

}  // namespace
}  // namespace orthant::pairing
