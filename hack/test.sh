#!/bin/sh
# Checks types, style and layers, and then runs the suites of `npm test`, or with --deep every suite. With other arguments, it runs mocha with them instead.
# The last line is "N passed, N failed", with "N skipped" if tests were skipped.
set -u
cd "$(dirname "$0")/.."
bin=node_modules/.bin

# The compiler of the types takes one processor only, and longer than the others together.
"$bin/tsc" --noEmit & checks=$!
"$bin/tsc" -p pkg/console/client & checks="$checks $!"
"$bin/biome" check --error-on-warnings . & checks="$checks $!"
hack/build.sh & checks="$checks $!"
failed=0
for check in $checks; do
  wait "$check" || failed=1
done
if [ "$failed" -ne 0 ]; then
  echo '0 passed, 1 failed'
  exit 1
fi
# Programs that tests start are those that were just built.
export BUILT=true
case "$*" in
  '' | --deep) exec "$bin/tsx" hack/suites.ts "$@" ;;
esac
exec "$bin/mocha" --reporter hack/reporter.cjs "$@"
