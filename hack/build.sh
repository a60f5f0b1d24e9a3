#!/bin/sh
# Builds dist. The time of dist/.built is the start of the build, so that hack/start.sh finds newer sources.
set -eu
cd "$(dirname "$0")/.."
# Everything is built into a new folder, which then takes the place of the old one, so that a failed build changes nothing, and no old file stays.
new=dist.$$
trap 'rm -rf "$new" "$new.old"' EXIT
# The stamp is made before the build, so that sources which are saved during the build count as newer.
mkdir "$new"
touch "$new/.built"
# A few large files, because Node takes longer to find and to open a thousand small ones than to run them (docs/adr/0041). What is loaded only when needed
# stays in files of its own. The native parts of lmdb and koffi stay in their packages, one for each platform.
node_modules/.bin/esbuild cmd/apiserver/main.ts cmd/adminctl/main.ts --log-level=warning --bundle --splitting \
  --platform=node --target=node20.19 --format=esm --external:'@koromix/*' \
  --alias:http=./hack/node-http.js --alias:node:http=./hack/node-http.js --alias:node-gyp-build-optional-packages=./hack/lmdb-binary.js \
  --outdir="$new" --outbase=. --metafile="$new/.bundle.json" --chunk-names='lib/[name]-[hash]' --sourcemap --sources-content=false \
  --banner:js='import { createRequire as requireFor } from "node:module"; const require = requireFor(import.meta.url);'
# A thread loads one file, which is beside the code that starts it. The libraries of SAML are only there.
node_modules/.bin/esbuild thread=pkg/http/threads/main.ts saml-thread=pkg/identity/saml/thread/main.ts --log-level=warning --bundle \
  --platform=node --target=node20.19 --format=esm --outdir="$new/lib" --metafile="$new/.threads.json" --sourcemap --sources-content=false \
  --banner:js='import { createRequire as requireFor } from "node:module"; const require = requireFor(import.meta.url);'
# What browsers load is built beside it. The server knows the names of the files, which have hashes, from meta.json. The server adds wait-for-style.ts to some
# of the scripts, so the checksum of that is in all of them: their names change with it, and browsers keep nothing old.
wait=$(cksum < pkg/console/wait-for-style.ts | cut -d ' ' -f 1)
node_modules/.bin/tsx hack/console-bundle.ts "$new/console" "//$wait"
# The files of the documentation page, and the colours of all pages, are beside the code that serves them.
cp pkg/documentation/page.* pkg/console/client/style/tokens.css "$new/lib/"
mkdir "$new/lib/swagger-ui" "$new/lib/lmdb"
cp node_modules/swagger-ui-dist/swagger-ui.css node_modules/swagger-ui-dist/swagger-ui-bundle.js "$new/lib/swagger-ui/"
cp node_modules/lmdb/package.json "$new/lib/lmdb/"
if [ -e dist ]; then mv dist "$new.old"; fi
mv "$new" dist
