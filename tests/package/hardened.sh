#!/usr/bin/env bash
# hardened.sh FILE...: fails unless every program or library was linked as cmake/Hardening.cmake says.
set -euo pipefail

failed=0
expect() {  # FILE, what, condition as a command
  if ! eval "$3"; then
    echo "[$1] expected $2, got none" >&2
    failed=1
  fi
}

for file in "$@"; do
  dynamic=$(readelf -W -d "$file")
  segments=$(readelf -W -l "$file")
  symbols=$(readelf -W --dyn-syms "$file")
  expect "$file" "addresses that are all resolved at the start (BIND_NOW)" 'grep -Eq "FLAGS.* (NOW|BIND_NOW)" <<<"$dynamic"'
  expect "$file" "tables that are read-only then (RELRO)" 'grep -q GNU_RELRO <<<"$segments"'
  expect "$file" "checks of the stack" 'grep -q __stack_chk_fail <<<"$symbols"'
  expect "$file" "a RUNPATH without an empty entry" '! grep -E "RUNPATH|RPATH" <<<"$dynamic" | grep -Eq "\[:|::|:\]|\[\]"'
done
# Of the files together: not every one indexes a container or copies bytes.
all=$(for file in "$@"; do readelf -W --dyn-syms "$file"; done)
expect "$*" "checks of indices in the standard library" 'grep -q __glibcxx_assert_fail <<<"$all"'
expect "$*" "checks of sizes in the C library" 'grep -Eq "__[a-z]+_chk@" <<<"$all"'
exit $failed
