#include "cli/where/encoder.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>

#include "cli/frame/interrupt.h"
#include "cli/frame/learn_program.h"

namespace orthant::cli {

using serve::EncoderProcess;

Encode encode_with(const std::string& run, int threads, int64_t max_pixels) {
  auto process = std::make_shared<std::unique_ptr<EncoderProcess>>();
  auto once = std::make_shared<std::once_flag>();
  return [run, threads = std::to_string(threads), pixels = std::to_string(max_pixels), process, once](
             EncoderProcess::Question kind, std::string_view bytes) {
    std::call_once(*once, [&] {
      *process = std::make_unique<EncoderProcess>(std::vector<std::string>{learn_program_path(), "encode", "--threads",
                                                                           threads, "--max-pixels", pixels, "--", run},
                                                  std::chrono::seconds(60), [] { return interrupt_signal() != 0; });
    });
    return (*process)->encode(kind, bytes);
  };
}

bool takes(const catalogue::RunRecord& record, const std::string& query) {
  return std::ranges::find(record.queries, query) != record.queries.end();
}

heat::Answer where_with(const catalogue::RunRecord& record, const Encode& encode) {
  if (!takes(record, "picture") && !takes(record, "sound")) return nullptr;
  return [encode](const heat::Question& question) {
    return heat::from_floats(encode(EncoderProcess::kWhere, heat::to_bytes(question)));
  };
}

}  // namespace orthant::cli
