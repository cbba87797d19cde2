#include "orthant/run/event_file.h"

#include <fcntl.h>

#include <bit>
#include <cerrno>
#include <chrono>

#include "orthant/core/error.h"
#include "orthant/run/crc32c.h"

namespace orthant {
namespace {

enum class Wire : uint64_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

void put_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>((value & 0x7f) | 0x80));
  out.push_back(static_cast<char>(value));
}

template <class Number>
void put_little_endian(std::string& out, Number value) {
  for (size_t k = 0; k < sizeof(Number); ++k) out.push_back(static_cast<char>((value >> (8 * k)) & 0xff));
}

void put_key(std::string& out, uint64_t field, Wire wire) { put_varint(out, field << 3 | static_cast<uint64_t>(wire)); }

void put_bytes(std::string& out, uint64_t field, const std::string& bytes) {
  put_key(out, field, Wire::bytes);
  put_varint(out, bytes.size());
  out += bytes;
}

std::string event_at(double wall_time, int64_t step) {
  std::string event;
  put_key(event, 1, Wire::fixed64);
  put_little_endian(event, std::bit_cast<uint64_t>(wall_time));
  put_key(event, 2, Wire::varint);
  put_varint(event, static_cast<uint64_t>(step));
  return event;
}

std::string summary_value(const Scalar& scalar) {
  std::string value;
  put_bytes(value, 1, scalar.name);
  put_key(value, 2, Wire::fixed32);
  put_little_endian(value, std::bit_cast<uint32_t>(static_cast<float>(scalar.value)));
  return value;
}

uint32_t masked_crc(const std::string& data) {
  const uint32_t crc = crc32c(data);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

}  // namespace

std::string event_record(const std::string& data) {
  std::string record;
  put_little_endian(record, static_cast<uint64_t>(data.size()));
  put_little_endian(record, masked_crc(record));
  record += data;
  put_little_endian(record, masked_crc(data));
  return record;
}

std::string version_event(double wall_time) {
  std::string event = event_at(wall_time, 0);
  put_bytes(event, 3, "brain.Event:2");
  return event;
}

std::string scalars_event(double wall_time, int64_t step, const Scalars& scalars) {
  std::string summary;
  for (const Scalar& scalar : scalars) put_bytes(summary, 1, summary_value(scalar));
  std::string event = event_at(wall_time, step);
  put_bytes(event, 5, summary);
  return event;
}

std::string start_event(double wall_time, int64_t step) {
  std::string session;
  put_key(session, 1, Wire::varint);
  put_varint(session, 1);  // SessionLog.START
  std::string event = event_at(wall_time, step);
  put_bytes(event, 7, session);
  return event;
}

EventFile::EventFile(const std::string& folder, int64_t first_step) {
  const double time = now();
  const std::string stem = join(folder, "/events.out.tfevents.", static_cast<int64_t>(time), ".");
  for (int attempt = 0; file_.get() < 0; ++attempt) {
    path_ = join(stem, attempt, ".orthant");
    file_ = io::FileDescriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666));
    check_io(file_.get() >= 0 || errno == EEXIST, "[", path_, "] expected a new file, got: ", io::error_text(errno));
  }
  write(version_event(time));
  if (first_step > 0) write(start_event(time, first_step));
}

void EventFile::add(int64_t step, const Scalars& scalars) { write(scalars_event(now(), step, scalars)); }

void EventFile::write(const std::string& event) { io::append(file_.get(), path_, event_record(event)); }

}  // namespace orthant
