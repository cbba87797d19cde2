#include <cstdio>
#include <cstdlib>

#include "cli/frame/program.h"
#include "cli/training.h"
#include "learn/train/memory.h"

// orthant-learn: the commands that need LibTorch. Started by orthant, never by a person.
int main(int argc, char** argv) {
  orthant::keep_freed_memory();
  const int code = orthant::cli::run_program(argc, argv, [](orthant::cli::App& app) {
    orthant::cli::add_pretrain(app);
    orthant::cli::add_supervise(app);
    orthant::cli::add_resume(app);
    orthant::cli::add_embed(app);
    orthant::cli::add_encode(app);
    orthant::cli::add_probe(app);
    orthant::cli::add_finetune(app);
    orthant::cli::add_where(app);
  });
  if (code == 0) return code;
  // A rank that lost others has threads that still wait for them: nothing that they use may be destroyed.
  std::fflush(nullptr);
  std::_Exit(code);
}
