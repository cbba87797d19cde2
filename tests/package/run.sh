#!/usr/bin/env bash
# Installs a build into an empty folder, moves it elsewhere, and builds and runs the consumer against it there.
set -euo pipefail
build=$1 cmake=$2 compiler=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"   # nothing may remember where it was installed
"$work/prefix/bin/orthant" --version
if ldd "$work/prefix/bin/orthant" | grep -i torch; then
  echo "expected orthant to start without LibTorch, which only orthant-learn may load" >&2
  exit 1
fi

cp -r "$here/consumer" "$work/consumer"
"$cmake" -S "$work/consumer" -B "$work/consumer/build" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/prefix"
"$cmake" --build "$work/consumer/build"
output=$("$work/consumer/build/consumer")
echo "$output"
[ "$output" = "orthant $("$work/prefix/bin/orthant" --version | cut -d' ' -f2): 12 of 20 features are zero" ]
