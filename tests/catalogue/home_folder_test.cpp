#include "orthant/catalogue/home_folder.h"

#include <gtest/gtest.h>

namespace orthant::catalogue {
namespace {

TEST(WithoutHome, PathsInTheHomeFolderBeginWithATilde) {
  EXPECT_EQ(without_home(R"({"spec":"cifar10:/home/ada/data","path":"/home/ada/runs/ncl"})", "/home/ada"),
            R"({"spec":"cifar10:~/data","path":"~/runs/ncl"})");
  EXPECT_EQ(without_home("/home/ada/x,/home/ada/y", "/home/ada/"), "~/x,~/y");
}

TEST(WithoutHome, OtherPathsStayAsTheyAre) {
  for (const char* text : {"/home/adam/x", "/srv/home/ada/x", "runs/ncl", "/home/ada", ""}) {
    EXPECT_EQ(without_home(text, "/home/ada"), text);
  }
}

TEST(WithoutHome, NoHomeChangesNothing) {
  for (const char* home : {"", "/", "ada"}) EXPECT_EQ(without_home("\"/home/ada/x\"", home), "\"/home/ada/x\"");
}

}  // namespace
}  // namespace orthant::catalogue
