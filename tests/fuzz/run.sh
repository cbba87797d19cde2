#!/usr/bin/env bash
# Runs every fuzz target on a bounded number of inputs: tests/fuzz/run.sh [BUILD_DIR] [RUNS]
#
# Starts from the seeds in corpus/, with a fixed seed, so that a run can be repeated; an input may take 10 seconds and
# 1 GB. An input that fails is kept in BUILD_DIR/fuzz-failures. Exit 1 if any target failed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${1:-build/fuzz}
runs=${2:-20000}
failures=$build/fuzz-failures
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

passed=0
failed=0
shopt -s nullglob
for target in "$build"/bin/*_fuzz; do
  name=$(basename "$target" _fuzz)
  mkdir -p "$scratch/$name" "$failures" "$here/corpus/$name"
  start=$SECONDS
  if "$target" "$scratch/$name" "$here/corpus/$name" -runs="$runs" -seed=1 -max_len=8192 -timeout=10 \
    -rss_limit_mb=1024 -artifact_prefix="$failures/$name-" -print_final_stats=1 >"$scratch/$name.log" 2>&1; then
    passed=$((passed + 1))
    echo "$name: passed, $runs inputs in $((SECONDS - start)) s"
  else
    failed=$((failed + 1))
    cp "$scratch/$name.log" "$failures/$name.log"
    echo "$name: FAILED after $((SECONDS - start)) s, see $failures/$name.log"
    grep -m 3 -E 'ERROR|SUMMARY|Test unit written' "$scratch/$name.log" || tail -n 3 "$scratch/$name.log"
  fi
done

if ((passed + failed == 0)); then
  echo "no fuzz targets in $build/bin; configure with the preset fuzz first" >&2
  exit 1
fi
echo "$passed passed, $failed failed"
((failed == 0))
