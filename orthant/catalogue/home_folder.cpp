#include "orthant/catalogue/home_folder.h"

namespace orthant::catalogue {

std::string without_home(std::string_view text, std::string home) {
  while (home.ends_with('/')) home.pop_back();
  if (!home.starts_with('/')) return std::string(text);
  home += '/';
  std::string shown;
  size_t at = 0;
  for (size_t found = text.find(home); found != std::string_view::npos; found = text.find(home, found + 1)) {
    if (found < at) continue;
    const bool begins = found == 0 || std::string_view("\"':,=([ ").find(text[found - 1]) != std::string_view::npos;
    if (!begins) continue;
    shown.append(text.substr(at, found - at)).append("~/");
    at = found + home.size();
  }
  return shown.append(text.substr(at));
}

}  // namespace orthant::catalogue
