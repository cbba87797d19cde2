#pragma once

#include <string>
#include <string_view>

namespace orthant::serve {

// 32 hexadecimal digits from the system's source of secrets. IoError if there is none.
std::string random_token();

// Whether a client gave the right token. The time it takes depends on the length of `given` only, so that guesses
// learn nothing.
bool same_token(std::string_view given, std::string_view right);

// std::invalid_argument unless a token that a person chose can be used in addresses and cookies and is not too easily
// guessed: 16 to 256 letters, digits and any of - _ . ~
void check_token(const std::string& token);

}  // namespace orthant::serve
