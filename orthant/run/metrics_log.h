#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orthant/io/file_descriptor.h"
#include "orthant/run/event_file.h"

namespace orthant {

// What is said of one moment of a run: numbers and texts.
struct MetricsLine {
  std::string kind;  // "step", "epoch" or "warning"
  int64_t step = 0;  // optimiser steps done
  double epoch = 0;  // epochs done
  Scalars scalars;
  std::vector<std::pair<std::string, std::string>> texts = {};
};

// {"kind":"epoch","step":390,"epoch":1,...} on one line with its end. Numbers that JSON cannot say become null.
std::string metrics_text(const MetricsLine& line);

// metrics.jsonl and TensorBoard's events of one run, written line by line; every line reaches the system at once.
// IoError if it refuses. One thread at a time.
class MetricsLog {
 public:
  // Goes on after `step`: lines of later steps, and a last line that a killed process left unfinished, are dropped
  // first, so that every step is told once. A new run starts at 0.
  MetricsLog(const std::string& folder, int64_t step);

  void add(const MetricsLine& line);

 private:
  std::string path_;
  io::FileDescriptor file_;
  EventFile events_;
};

}  // namespace orthant
