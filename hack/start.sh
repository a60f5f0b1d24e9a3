#!/bin/sh
# Builds dist if a source is newer, and then replaces itself with the server or with DASHBOARD_PROGRAM, so that signals reach it.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
stamp=$here/dist/.built

is_stale() {
  [ -e "$stamp" ] || return 0
  cd "$here"
  [ -n "$(find cmd pkg apis registry storage package.json tsconfig.json hack/build.sh hack/console-bundle.ts hack/*.js \
    -newer "$stamp" ! -name '*.test.ts' -print 2>/dev/null | head -n 1)" ]
}

# The subshell keeps the working directory, because arguments may have relative paths.
if (is_stale); then
  echo 'Building the program, which takes some seconds.' >&2
  "$here/hack/build.sh"
fi
# Since Node 22, compiled code is kept, so that later starts take 50 ms less. Older versions ignore it.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$here/dist/.compiled}"
exec node --enable-source-maps "$here/dist/cmd/${DASHBOARD_PROGRAM:-apiserver}/main.js" "$@"
