#pragma once

#include <cstdint>
#include <string>

#include "orthant/io/file_descriptor.h"
#include "orthant/run/scalars.h"

namespace orthant {

// One record of TensorBoard's file format: length (8 bytes), masked CRC-32C of the length, data, masked CRC-32C of the
// data; all little-endian.
std::string event_record(const std::string& data);

// The Event messages that are written, as protocol buffers (tensorflow/core/util/event.proto).
std::string version_event(double wall_time);
std::string scalars_event(double wall_time, int64_t step, const Scalars& scalars);
// Tells TensorBoard that training starts (again) at `step`: it forgets what it had read from there on.
std::string start_event(double wall_time, int64_t step);

// An event file "events.out.tfevents.SECONDS.N.orthant" that grows. Every add() reaches the system at once, so that a
// killed process loses nothing and TensorBoard may watch. IoError if the system refuses. One thread at a time.
class EventFile {
 public:
  // A new file in `folder` whose events begin at `first_step`.
  EventFile(const std::string& folder, int64_t first_step);

  void add(int64_t step, const Scalars& scalars);
  const std::string& path() const { return path_; }

 private:
  void write(const std::string& event);

  std::string path_;
  io::FileDescriptor file_;
};

}  // namespace orthant
