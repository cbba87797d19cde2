#!/usr/bin/env bash
# Runs an example in an empty folder and compares what it prints with the comment at the top of its source.
set -euo pipefail
program=$1 source=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$program" "$@" > printed
sed -n '/^\/\/   \$ /,/^$/p' "$source" | sed -n 's|^//   ||p' | tail -n +2 > expected
[ -s expected ]
diff expected printed
