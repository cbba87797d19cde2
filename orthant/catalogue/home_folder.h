#pragma once

#include <string>
#include <string_view>

namespace orthant::catalogue {

// The text with `home`/ written as ~/ wherever a path in it begins with that folder: at its start or behind a quote, a
// colon, a comma, an equals sign, a bracket or a space. A report goes to other people, who need not know whose machine
// made it. An empty `home`, "/" or one that is no absolute path changes nothing.
std::string without_home(std::string_view text, std::string home);

}  // namespace orthant::catalogue
