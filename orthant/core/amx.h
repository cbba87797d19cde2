#pragma once

#include <string>

namespace orthant {

// Products of bfloat16 tiles by AMX: a property of the processor that the system has to permit a process to use.
//
// Empty where this process can use them, from the first call on, which asks for the permission; otherwise what is
// missing, in words that follow "got". Safe from several threads.
const std::string& missing_amx();

}  // namespace orthant
