#!/usr/bin/env bash
# Installs a build into an empty folder, moves it elsewhere, and builds and runs the examples against it there.
set -euo pipefail
build=$1 cmake=$2 compiler=$3
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"   # nothing may remember where it was installed
"$work/prefix/bin/orthant" --version
if ldd "$work/prefix/bin/orthant" | grep -i torch; then
  echo "expected orthant to start without LibTorch, which only orthant-learn may load" >&2
  exit 1
fi

cp -r "$examples" "$work/examples"
"$cmake" -S "$work/examples" -B "$work/build" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/prefix"
"$cmake" --build "$work/build" -j2
"$work/examples/check.sh" "$work/build"

# Every installed header stands by itself: what it includes is installed too.
for header in $(cd "$work/prefix/include" && find orthant -name '*.h'); do echo "#include \"$header\""; done > "$work/all.cpp"
"$compiler" -std=c++20 -fsyntax-only -I"$work/prefix/include" "$work/all.cpp"
