// What every test includes, parsed once. Never included by a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/standard.pch.h"
