#!/bin/sh
# The operators' commands, built like the server.
set -eu
DASHBOARD_PROGRAM=adminctl exec "$(dirname "$0")/start.sh" "$@"
