#!/bin/sh
# Builds and runs the operators' commands.
set -eu
DASHBOARD_PROGRAM=adminctl exec "$(dirname "$0")/start.sh" "$@"
