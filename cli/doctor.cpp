#include <cblas.h>
#include <fmt/format.h>
#include <hwy/highway.h>
#include <CLI/Version.hpp>
#include <cstdio>

#include <jpeglib.h>
#include <spng.h>
#include <zip.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/self_test.h"
#include "orthant/core/amx.h"
#include "orthant/core/error.h"
#include "orthant/core/threads.h"
#include "orthant/core/version.h"

namespace orthant::cli {
namespace {

struct DoctorFlags {
  Common common;
  bool json = false;
};

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

// The best instruction set that both this processor and Highway's dispatch know.
std::string simd_in_use() {
  const int64_t supported = hwy::SupportedTargets();
  return hwy::TargetName(supported & -supported);
}

std::string find_libtorch() {
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/local/lib", "/usr/lib"}) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
      if (entry.path().filename().string().starts_with("libtorch.so")) return entry.path().string();
    }
  }
  return "not found";
}

nlohmann::ordered_json examine(int threads) {
  nlohmann::ordered_json report;
  report["orthant"] = version();
  report["cpu"] = cpu_name();
  report["simd"] = simd_in_use();
  report["amx"] = missing_amx().empty() ? "bf16 tiles, for 'orthant pretrain --precision bfloat16'"
                                        : "no bf16 tiles: " + missing_amx();
  report["threads"] = resolve_threads(threads);
  report["compiler"] = __VERSION__;
  report["libraries"] = {
      {"highway", fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH)},
      {"openblas", openblas_get_config()},
      {"zlib", zlibVersion()},
      {"libzip", zip_libzip_version()},
      {"libjpeg-turbo", fmt::format("{}.{}.{}", LIBJPEG_TURBO_VERSION_NUMBER / 1000000,
                                    LIBJPEG_TURBO_VERSION_NUMBER / 1000 % 1000, LIBJPEG_TURBO_VERSION_NUMBER % 1000)},
      {"libspng", spng_version_string()},
      {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"cli11", CLI11_VERSION},
  };
  report["libtorch"] = find_libtorch();
  for (const SelfTestResult& result : self_test(threads)) {
    report["self_test"].push_back({{"name", result.name}, {"passed", result.passed}, {"detail", result.detail}});
  }
  return report;
}

void print(const nlohmann::ordered_json& report) {
  for (const auto& [key, value] : report.items()) {
    if (value.is_primitive())
      fmt::print("{:<16}{}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  for (const auto& [key, value] : report["libraries"].items())
    fmt::print("  {:<14}{}\n", key, value.get<std::string>());
  fmt::print("self-test\n");
  for (const auto& result : report["self_test"]) {
    fmt::print("  {:<8}{}: {}\n", result["passed"].get<bool>() ? "ok" : "FAILED", result["name"].get<std::string>(),
               result["detail"].get<std::string>());
  }
}

void run(const DoctorFlags& flags) {
  const auto report = examine(flags.common.threads);
  if (flags.json) {
    fmt::print("{}\n", report.dump(2));
  } else {
    print(report);
  }
  for (const auto& result : report["self_test"]) {
    check_io(result["passed"].get<bool>(), "[doctor] expected every self-test to pass, got a failure of ",
             result["name"].get<std::string>());
  }
}

}  // namespace

void add_doctor(App& app) {
  auto flags = std::make_shared<DoctorFlags>();
  App* command = add_command(app, "doctor", "Tell what this machine offers and test that Orthant computes right on it",
                             flags->common);
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
