#include "cli/frame/progress.h"

#include <gtest/gtest.h>

#include <csignal>

#include "cli/frame/interrupt.h"

namespace orthant::cli {
namespace {

// Work that saves before it stops looks at interrupt_signal() itself. Between that look and the next nothing it tells
// its progress may throw, or the checkpoint would be skipped.
TEST(Progress, ShowingNeverThrowsSoThatWorkCanSaveBeforeItStops) {
  Progress progress(false);
  catch_interrupts();
  progress.update({"train", 1, 10});
  ASSERT_EQ(interrupt_signal(), 0);
  std::raise(SIGTERM);
  EXPECT_EQ(interrupt_signal(), SIGTERM);
  EXPECT_NO_THROW(progress.show({"train", 2, 10}));
  EXPECT_NO_THROW(progress.clear());
  EXPECT_EQ(interrupt_signal(), SIGTERM) << "it is still there when the work looks";
  EXPECT_THROW(progress.update({"train", 3, 10}), Interrupted);
  EXPECT_THROW(progress("umap", 0, 0), Interrupted) << "a step without a length is a place to stop too";
}

}  // namespace
}  // namespace orthant::cli
