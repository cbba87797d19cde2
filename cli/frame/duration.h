#pragma once

#include <string>

namespace orthant::cli {

// Seconds of "90s", "10min", "2h" or "1h30min"; parts of a unit may be given: "1.5h". Misuse, which names `flag`, for
// anything else, and for less than a second or more than 1,000 hours.
double parse_duration(const std::string& flag, const std::string& text);

// The other way round, as people say it: "45 s", "12 min", "3.4 h".
std::string duration_text(double seconds);

}  // namespace orthant::cli
