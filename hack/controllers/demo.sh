#!/bin/sh
# Shows that Flux runs on this server alone: builds its controllers, starts them with a server of its own, and removes everything again.
set -eu
cd "$(dirname "$0")/../.."
exec npx tsx hack/controllers/demo.ts "$@"
