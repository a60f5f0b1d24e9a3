#!/usr/bin/env bash
# Builds the peer (Kubernetes' own CRD API server on etcd), and the load generator, and makes certificates and a token for the peer.
#   prepare.sh FOLDER          for benchmarks
#   prepare.sh FOLDER --quick  for tests: without optimization, and without the load generator
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
flags=()
if [ "${2:-}" = --quick ]; then
  flags=(-buildvcs=false -trimpath '-gcflags=all=-N -l')
  # As hack/go-programs.ts builds: so Go takes what it has compiled for Kubernetes' suites, which have the same libraries.
  export CGO_ENABLED=0 GOGC=400
fi
mkdir -p "$folder/bin" "$folder/certs"
build() {
  local program
  program=$folder/bin/$(basename "$1")
  [ -e "$program" ] && [ -z "$(find "$1" -newer "$program" \( -name '*.go' -o -name go.sum \))" ] && return
  (cd "$1" && go build "${flags[@]}" -o "$program" .)
}
build "$here/apiserver"
build "$here/etcd"
[ "${2:-}" = --quick ] || build "$here/../apiload"
cd "$folder/certs"
[ -s tokens.csv ] && exit
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 3650 -subj /CN=bench-ca 2>/dev/null
openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost 2>/dev/null
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -out server.crt \
  -extfile <(echo 'subjectAltName=IP:127.0.0.1,DNS:localhost') 2>/dev/null
head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n' > token
echo "$(cat token),bench,bench-uid,\"system:masters\"" > tokens.csv
