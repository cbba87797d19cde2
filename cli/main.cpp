#include <cstdio>

#include "orthant/core/version.h"

int main() { std::printf("orthant %s\n", orthant::version()); }
