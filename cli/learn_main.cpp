#include "cli/frame/program.h"
#include "cli/training.h"
#include "learn/train/memory.h"

// orthant-learn: the commands that need LibTorch. Started by orthant, never by a person.
int main(int argc, char** argv) {
  orthant::keep_freed_memory();
  return orthant::cli::run_program(argc, argv, [](orthant::cli::App& app) {
    orthant::cli::add_pretrain(app);
    orthant::cli::add_supervise(app);
    orthant::cli::add_resume(app);
    orthant::cli::add_embed(app);
    orthant::cli::add_encode(app);
    orthant::cli::add_probe(app);
    orthant::cli::add_finetune(app);
  });
}
