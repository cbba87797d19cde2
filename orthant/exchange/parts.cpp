#include "orthant/exchange/parts.h"

#include <fmt/format.h>

namespace orthant::exchange {

void Parts::open() {
  file_ = std::make_unique<io::AtomicFile>(folder_.file(fmt::format("{}-{:05}{}", name_, files_++, ending_)));
  file_->write(frame_.head);
  empty_ = true;
}

void Parts::close() {
  file_->write(frame_.tail);
  file_->commit();
  file_.reset();
}

void Parts::add(std::string_view record) {
  if (file_ && !empty_ && file_->size() + std::ssize(record) > kPartBytes) close();
  if (!file_) open();
  if (!empty_) file_->write(frame_.between);
  file_->write(record);
  empty_ = false;
}

int64_t Parts::finish() {
  if (!file_ && files_ == 0) open();
  if (file_) close();
  return files_;
}

}  // namespace orthant::exchange
