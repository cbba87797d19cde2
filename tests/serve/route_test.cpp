#include "orthant/serve/route.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orthant/serve/numbers.h"
#include "tests/support/message_of.h"

namespace orthant::serve {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Request request_of(const std::string& method, const std::string& path) {
  Request request;
  request.method = method;
  request.path = path;
  return request;
}

int status_of(const std::string& method, const std::string& path) {
  try {
    find_route(request_of(method, path));
  } catch (const StatusError& error) {
    return error.status;
  } catch (const std::invalid_argument&) {
    return 400;
  }
  return 200;
}

TEST(Route, FindsEveryPathOfTheContract) {
  EXPECT_EQ(find_route(request_of("GET", "/")).route, Route::kPage);
  EXPECT_EQ(find_route(request_of("HEAD", "/api/v1/overview")).route, Route::kOverview);
  EXPECT_EQ(find_route(request_of("GET", "/api/v1/ids")).route, Route::kIds);
  EXPECT_EQ(find_route(request_of("GET", "/api/v1/texts")).route, Route::kTexts);
  EXPECT_EQ(find_route(request_of("GET", "/api/v1/runs/0/map/umap")).route, Route::kUmap);
  EXPECT_THAT(find_route(request_of("GET", "/api/v1/runs/0/map/pca")).numbers, ElementsAre(0));
  EXPECT_EQ(find_route(request_of("PUT", "/api/v1/runs/1/features/12/label")).route, Route::kLabel);
  EXPECT_THAT(find_route(request_of("PUT", "/api/v1/runs/1/features/12/label")).numbers, ElementsAre(1, 12));
  EXPECT_EQ(find_route(request_of("POST", "/api/v1/runs/1/embed")).route, Route::kEmbed);
  EXPECT_THAT(find_route(request_of("GET", "/api/v1/pictures")).numbers, IsEmpty());
}

TEST(Route, NothingElseIsThere) {
  for (const char* path : {"",
                           "//",
                           "/index.html",
                           "/api",
                           "/api/v1",
                           "/api/v1/",
                           "/api/v2/overview",
                           "/api/v1/overview/",
                           "/api/v1//overview",
                           "/API/v1/overview",
                           "/api/v1/overview/..",
                           "/api/v1/../v1/overview",
                           "/../etc/passwd",
                           "/%2e%2e/etc/passwd",
                           "/..%2fetc",
                           "/..\\..\\etc",
                           "/api/v1/overview%00",
                           "/api/v1/runs",
                           "/api/v1/runs/0",
                           "/api/v1/runs//features",
                           "/api/v1/runs/0/map/tsne",
                           "/api/v1/runs/0/map/",
                           "/favicon.ico"}) {
    EXPECT_EQ(status_of("GET", path), 404) << path;
  }
  EXPECT_EQ(status_of("GET", std::string(4000, '/')), 404);
}

TEST(Route, MethodsThatAPathDoesNotHaveAreRefused) {
  EXPECT_EQ(status_of("POST", "/"), 405);
  EXPECT_EQ(status_of("DELETE", "/api/v1/overview"), 405);
  EXPECT_EQ(status_of("GET", "/api/v1/runs/0/embed"), 405);
  EXPECT_EQ(status_of("HEAD", "/api/v1/runs/0/features/0/label"), 405);
  EXPECT_EQ(status_of("OPTIONS", "/api/v1/runs/0/features/0/label"), 405);
}

TEST(Route, OnlyDigitsAreNumbers) {
  for (const char* number : {"-1", "+1", "1.0", "1e3", "0x1", "abc", "%31", "1,2", " 1"}) {
    EXPECT_EQ(status_of("GET", std::string("/api/v1/runs/") + number + "/features"), 400) << number;
  }
  EXPECT_THAT(find_route(request_of("GET", "/api/v1/runs/99999999999999999999999/features")).numbers,
              ElementsAre(INT64_MAX));
}

TEST(Numbers, OfTheQueryAreCheckedOneByOne) {
  Request request;
  request.query = {{"one", "7"}, {"twice", "1"}, {"twice", "1"}, {"list", "1,2,3"}, {"bad", "1,,2"}, {"text", "\xff"}};
  EXPECT_EQ(number(request, "one"), 7);
  EXPECT_EQ(number_or(request, "none", 5), 5);
  EXPECT_THAT(numbers(request, "list", 3), ElementsAre(1, 2, 3));
  EXPECT_EQ(test::message_of([&] { number(request, "none"); }), "expected none=NUMBER once, got 0 of them");
  EXPECT_EQ(test::message_of([&] { number_or(request, "twice", 1); }), "expected twice=NUMBER once, got 2 of them");
  EXPECT_EQ(test::message_of([&] { numbers(request, "bad", 3); }), "expected a number in bad, got ''");
  EXPECT_EQ(test::message_of([&] { numbers(request, "list", 2); }), "expected at most 2 numbers in list, got more");
  EXPECT_THAT(test::message_of([&] { number(request, "text"); }), HasSubstr("expected a number in text, got '"));
}

}  // namespace
}  // namespace orthant::serve
