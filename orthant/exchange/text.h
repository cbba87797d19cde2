#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orthant::exchange {

// Pieces of the text formats, appended to a line.

// The shortest digits that give the same number back.
void append_number(std::string& line, float value);
void append_number(std::string& line, int64_t value);

// A JSON string; `text` is UTF-8.
void append_json(std::string& line, std::string_view text);

// A cell of comma-separated values (RFC 4180), quoted where it has to be.
void append_cell(std::string& line, std::string_view text);

// A field of PostgreSQL's COPY in text form.
void append_copy(std::string& line, std::string_view text);

// How many code points, or -1 if it is not UTF-8.
int64_t code_points(std::string_view text);

}  // namespace orthant::exchange
