#!/bin/sh
# Builds dist, the list of what is in it, and the archive: npm run pack [DESTINATION]
set -eu
cd "$(dirname "$0")/.."
hack/build.sh
node_modules/.bin/tsx hack/supply/sbom.ts
node_modules/.bin/tsx hack/supply/pack.ts "$@"
