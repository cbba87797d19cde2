#pragma once

#include <optional>
#include <string>

#include "orthant/serve/message.h"

namespace orthant::serve {

struct GateOptions {
  std::string address = "127.0.0.1";  // what the server listens on
  int port = 0;                       // distinguishes the cookies of several servers on one machine
  std::string token = {};             // empty: none is asked for
};

// True for localhost and the addresses that only this machine reaches itself by: 127.0.0.0/8 and ::1.
bool is_loopback(const std::string& name);

// Who may ask at all. Three checks, each with a 403 that says what to do:
//
// Host must be this machine as the server knows itself: localhost, a loopback address, or the address it listens on
// (any address and the machine's name if it listens on all). A page of another site whose name was turned to this
// machine (DNS rebinding) names itself there. The port may be another one, as behind `ssh -L`.
//
// Origin, which browsers send with every request that changes something, must be that host, if it is there.
//
// The token must be right, if there is one: ?token=... in the address, then a cookie, or "Authorization: Bearer ...".
//
// Immutable; safe from several threads.
class Gate {
 public:
  explicit Gate(GateOptions options);

  // Nothing if the request may pass.
  std::optional<Reply> refuse(const Request& request) const;

  // The Set-Cookie that spares further requests the token, for a request that has it in its address; otherwise empty.
  std::string cookie(const Request& request) const;

 private:
  bool knows_host(const std::string& name) const;
  bool has_token(const Request& request) const;

  GateOptions options_;
  std::string machine_;  // its name, where it may be used
  std::string cookie_name_;
};

}  // namespace orthant::serve
