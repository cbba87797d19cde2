#!/usr/bin/env bash
# clang-format, then clang-tidy (.clang-tidy) over our own sources, several at a time.
#   scripts/lint.sh                     everything
#   scripts/lint.sh learn/nn cli        what lies under these paths
#   scripts/lint.sh --changed [BASE]    sources that differ from BASE (default: main)
#
# A source that was clean is not looked at again until it, a header of ours or .clang-tidy changes, so a run that was
# stopped goes on where it was. JOBS=N sets how many run at once, SECONDS_EACH=N how much of a processor's time one may
# take. Findings are in build/lint/found, the first of them on stdout. Exit 1 if there are any.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/lint
jobs=${JOBS:-$(nproc)}
export SECONDS_EACH=${SECONDS_EACH:-300}
shown=40

paths=(orthant cli learn)
listed() { git ls-files -- "${paths[@]}" | grep '\.cpp$' || true; }
if [ "${1:-}" = --changed ]; then
  base=${2:-main}
  listed() { git diff --name-only --diff-filter=d "$(git merge-base "$base" HEAD)" -- "${paths[@]}" | grep '\.cpp$' || true; }
elif [ $# -gt 0 ]; then
  paths=("$@")
fi

scripts/format.sh --check
cmake --preset lint --log-level=WARNING >/dev/null
mkdir -p "$build/clean" "$build/found"
common=$(git ls-files '*.h' .clang-tidy | xargs sha256sum | sha256sum)

lint_one() {
  local source=$1 build=$2 common=$3
  local name=${source//\//_}
  local key
  key=$({ echo "$common"; sha256sum "$source"; } | sha256sum)
  rm -f "$build/found/$name"
  [ "$(cat "$build/clean/$name" 2>/dev/null)" != "$key" ] || return 0
  local code=0
  # One instruction set is enough to read the kernels that Highway compiles for all of them.
  (ulimit -t "$SECONDS_EACH"
   exec nice clang-tidy --quiet -p "$build" --extra-arg=-DHWY_COMPILE_ONLY_STATIC \
     --extra-arg-before=-include --extra-arg-before="$PWD/scripts/lint_vector.h" "$source") \
    >"$build/found/$name.new" 2>/dev/null || code=$?
  [ "$code" -lt 128 ] || echo "$source: error: not finished in $SECONDS_EACH s" >>"$build/found/$name.new"
  if [ "$code" -eq 0 ]; then
    rm "$build/found/$name.new"
    echo "$key" >"$build/clean/$name"
  else
    mv "$build/found/$name.new" "$build/found/$name"
    echo "lint: $source: $(grep -cE ' (error|warning): ' "$build/found/$name" || true) findings"
  fi
}
export -f lint_one

rm -f "$build"/found/*
start=$SECONDS
mapfile -t sources < <(listed)
printf '%s\n' "${sources[@]}" | xargs -r -P "$jobs" -I{} bash -c 'lint_one "$@"' _ {} "$build" "$common"
findings=$(cat "$build"/found/* 2>/dev/null | grep -E ' (error|warning): ' | sort -u || true)
if [ -z "$findings" ]; then
  echo "lint: clean, ${#sources[@]} sources in $((SECONDS - start)) s"
  exit 0
fi
count=$(wc -l <<<"$findings")
head -n "$shown" <<<"$findings"
((count <= shown)) || echo "... and $((count - shown)) more in $build/found"
echo "lint: $count findings in $(find "$build/found" -type f | wc -l) of ${#sources[@]} sources, $((SECONDS - start)) s"
exit 1
