#pragma once

#include <string>
#include <string_view>

#include "orthant/serve/framing.h"
#include "orthant/serve/message.h"

namespace orthant::serve {

// From the bytes of a request to those of its answer. Every answer has nosniff, no-referrer and, unless its reply says
// otherwise, no-store; every answer from 400 on is {"error": "one line"}.
//
// What the handler throws: StatusError gives its status, std::invalid_argument 400, IoError 500, anything else 500
// with a line that tells nothing of the inside; so does a reply that cannot be sent, see write_response().
class Exchange {
 public:
  explicit Exchange(Handler handler);

  struct Answer {
    std::string bytes;
    bool close = false;  // the connection ends behind it
  };

  // `request` is exactly what frame_request() measured out. Ranges and compression are never used. Safe from several
  // threads. Never throws but std::bad_alloc.
  Answer answer(std::string_view request, const Frame& frame) const;

  // The answer to a request that was refused before it was read; the connection ends behind it.
  static Answer refuse(int status, std::string_view reason);

 private:
  Handler handler_;
};

}  // namespace orthant::serve
