#pragma once

#include "cli/frame/command.h"
#include "orthant/catalogue/run_embeddings.h"

namespace orthant::cli {

// Whether this build has the program that needs LibTorch.
bool can_embed();

// What makes embeddings by `orthant embed` in a process of its own, with the terminal that this one has; nothing if
// this build cannot embed. The process is told to stop if this program is, which then throws Interrupted; IoError if it
// fails.
catalogue::EmbedMissing embed_process(const Common& common);

}  // namespace orthant::cli
