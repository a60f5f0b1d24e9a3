#!/bin/sh
# Builds what is out of date, then becomes the server, or what DASHBOARD_PROGRAM names, so that signals reach it.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
stamp=$here/dist/.built

is_stale() {
  [ -e "$stamp" ] || return 0
  cd "$here"
  [ -n "$(find cmd pkg apis registry storage package.json tsconfig.json tsconfig.build.json \
    -newer "$stamp" ! -name '*.test.ts' -print 2>/dev/null | head -n 1)" ]
}

# In a subshell: relative paths in the arguments are those of the caller.
if (is_stale); then "$here/hack/build.sh"; fi
exec node --enable-source-maps "$here/dist/cmd/${DASHBOARD_PROGRAM:-apiserver}/main.js" "$@"
