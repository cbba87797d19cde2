#!/usr/bin/env bash
# Runs the examples in BUILD, in their order and in one empty folder, with the words at the top of each source, and
# compares what they print with the lines below those words.
#   examples/check.sh BUILD
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for source in "$here"/[0-9]-*.cpp; do
  name=$(basename "$source" .cpp)
  [ -x "$build/$name" ] || { echo "$name: not built, as there is no LibTorch"; continue; }
  words=$(sed -n "s|^//   \\\$ $name ||p" "$source")
  # shellcheck disable=SC2086
  "$build/$name" $words > printed
  sed -n '/^\/\/   \$ /,/^$/p' "$source" | sed -n 's|^//   ||p' | tail -n +2 > expected
  [ -s expected ] || { echo "$name: nothing to compare with" >&2; exit 1; }
  diff expected printed
  echo "$name: as expected"
done
