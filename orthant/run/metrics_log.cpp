#include "orthant/run/metrics_log.h"

#include <fcntl.h>

#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/run/run_paths.h"

namespace orthant {
namespace {

using Json = nlohmann::ordered_json;

std::string keep_until(const std::string& path, int64_t step) {
  std::string kept;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("step") && json["step"].is_number_integer() &&
        json["step"].get<int64_t>() <= step) {
      kept += line + "\n";
    }
  }
  return kept;
}

// The old lines are put in order before the file is opened for more.
std::string prepared(const std::string& folder, int64_t step) {
  std::string path = RunPaths(folder).metrics_file();
  if (step == 0 || std::filesystem::exists(path)) io::write_file(path, step == 0 ? "" : keep_until(path, step));
  return path;
}

}  // namespace

std::string metrics_text(const MetricsLine& line) {
  Json json = {{"kind", line.kind}, {"step", line.step}, {"epoch", line.epoch}};
  for (const auto& [name, value] : line.scalars) json[name] = std::isfinite(value) ? Json(value) : Json(nullptr);
  for (const auto& [name, text] : line.texts) json[name] = text;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

MetricsLog::MetricsLog(const std::string& folder, int64_t step)
    : path_(prepared(folder, step)),
      file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)),
      events_(folder, step) {
  check_io(file_.get() >= 0, "[", path_, "] expected a file to write to, got: ", io::error_text(errno));
}

void MetricsLog::add(const MetricsLine& line) {
  io::append(file_.get(), path_, metrics_text(line));
  Scalars scalars;
  for (const Scalar& scalar : line.scalars) scalars.push_back({line.kind + "/" + scalar.name, scalar.value});
  if (!scalars.empty()) events_.add(line.step, scalars);
}

}  // namespace orthant
