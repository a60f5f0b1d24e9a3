#!/bin/sh
# npm pack runs this before it makes the archive: it builds dist, and the list of what is in it.
set -eu
cd "$(dirname "$0")/.."
hack/build.sh
node_modules/.bin/tsx hack/supply/sbom.ts
