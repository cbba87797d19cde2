#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/catalogue/run_record.h"
#include "orthant/heat/question.h"
#include "orthant/serve/encoder_process.h"

namespace orthant::cli {

// Asks `orthant-learn encode` of a run, a process that is started with the first question and ends with the last copy
// of this. Safe from several threads. Throws as EncoderProcess::encode().
using Encode = std::function<std::vector<float>(serve::EncoderProcess::Question, std::string_view)>;
Encode encode_with(const std::string& run, int threads, int64_t max_pixels);

// The same for maps of pictures or sounds; an empty one if the run has no model of these.
heat::Answer where_with(const catalogue::RunRecord& record, const Encode& encode);

// Whether the run's models take this: "picture", "sound" or "text".
bool takes(const catalogue::RunRecord& record, const std::string& query);

}  // namespace orthant::cli
