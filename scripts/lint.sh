#!/usr/bin/env bash
# clang-format and clang-tidy over our own sources; needs a configured build folder.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
scripts/format.sh --check
git ls-files 'orthant/*.cpp' 'cli/*.cpp' | xargs -r -P 2 -n 4 clang-tidy --quiet -p "$build"
echo "lint: clean"
