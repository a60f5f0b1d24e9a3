#!/bin/sh
# Builds dist. The time of dist/.built is the start of the build, so that hack/start.sh finds newer sources.
set -eu
cd "$(dirname "$0")/.."
stamp=dist/.built.$$
trap 'rm -f "$stamp"' EXIT
# The stamp is made before the build, so that sources which are saved during the build count as newer. It is renamed after the build, so
# that a failed build counts as none.
mkdir -p dist
touch "$stamp"
node_modules/.bin/tsc -p tsconfig.build.json
# The compiler leaves out the files of the documentation page.
cp pkg/documentation/page.* dist/pkg/documentation/
mv "$stamp" dist/.built
