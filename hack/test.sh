#!/bin/sh
# Everything that must hold before a change lands: types, style and layers, then every suite on every store. Arguments go to mocha.
# Ends with "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.."
bin=node_modules/.bin

"$bin/tsc" --noEmit && "$bin/biome" check --error-on-warnings . && hack/build.sh || {
  echo '0 passed, 1 failed'
  exit 1
}
[ $# -eq 0 ] && exec "$bin/tsx" hack/suites.ts
exec "$bin/mocha" --reporter hack/reporter.cjs "$@"
