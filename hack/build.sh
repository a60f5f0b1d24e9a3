#!/bin/sh
# Builds dist and leaves in dist/.built when that began, so that hack/start.sh knows what is out of date.
set -eu
cd "$(dirname "$0")/.."
stamp=dist/.built.$$
trap 'rm -f "$stamp"' EXIT
# Before the build: what is saved while it runs is built the next time. Put in place after it: a failed build stays stale.
mkdir -p dist
touch "$stamp"
node_modules/.bin/tsc -p tsconfig.build.json
mv "$stamp" dist/.built
