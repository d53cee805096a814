#!/usr/bin/env bash
# Measures cached answers beside clients that ask for views: hits.sh PROGRAM FOLDER CHEAP DEAR [ROUNDS]
# PROGRAM serves FOLDER; CHEAP and DEAR are two of its layers, as for neighbors. The clients run on the cores
# of the server. So that their own waits count little, those who measure run before it, with the priority of
# real time, and those who ask for views run after it, when a core is idle. Needs Linux, root and chrt.
set -euo pipefail
program=$1 folder=$2 cheap=$3 dear=$4 rounds=${5:-3}
work=$(mktemp -d) address=127.0.0.1:8301
(cd "$(dirname "$0")" && go build -o "$work/neighbors" .)
neighbors=("$work/neighbors" -base "http://$address" -cheap "$cheap" -dear "$dear" -hits)
measure() { echo "$1"; chrt -f 10 "${neighbors[@]}" -others 0 -lasting 8s | sed 's/ | views.*//'; }
server="" views=""
trap 'kill $server $views 2>/dev/null; rm -rf "$work"' EXIT
for ((i = 0; i < rounds; i++)); do
  "$program" serve --listen $address --admin-listen "" --state "" --cache 64MiB "$folder" 2>"$work/log" &
  server=$!
  sleep 2 # the folder is read
  kill -0 $server 2>/dev/null || { cat "$work/log"; exit 1; }
  measure idle
  chrt -i 0 "${neighbors[@]}" -clients 1 -others 64 -lasting 12s >/dev/null &
  views=$!
  sleep 5
  measure "beside 64 clients"
  wait $views
  kill $server
  wait $server || true
done
