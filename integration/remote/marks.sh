#!/usr/bin/env bash
# Measures files on a web server 20 ms away, over a line of 100 MB/s: marks.sh PROGRAM FOLDER FILE…
# nginx serves FOLDER behind far; PROGRAM reads the FILEs from it, beside MapServer with /vsicurl. Both are asked for the
# same tiles in turns, each turn with servers that have read nothing. It prints a table. The layers of MapServer are
# those of files with 3 bands of 8 bits, or else bands 3, 2 and 1. Environment: ROUNDS (3), TILES (300, of a round),
# CLIENTS (10), LATENCY (20ms), RATE (100e6), MAPSERV (/usr/lib/cgi-bin/mapserv). Needs nginx, lighttpd, curl, GDAL's
# gdalinfo and cgi-mapserver; a machine that does nothing else; and Linux.
set -euo pipefail
program=$(realpath "$1") folder=$(realpath "$2")
shift 2
rounds=${ROUNDS:-3} tiles=${TILES:-300} clients=${CLIENTS:-10} mapserv=${MAPSERV:-/usr/lib/cgi-bin/mapserv}
work=$(mktemp -d)
origin=127.0.0.1:8310 far=127.0.0.1:8311 counts=127.0.0.1:8312 ours=127.0.0.1:8313 peer=127.0.0.1:8314
always="" serving=""
end_serving() {
  if [[ ! $serving ]]; then return; fi
  kill "$serving" 2>/dev/null || true
  wait "$serving" 2>/dev/null || true
  serving=""
}
trap 'end_serving; kill $always 2>/dev/null || true; wait; rm -rf "$work"' EXIT
PATH=$PATH:/usr/sbin
(cd "$(dirname "$0")" && go build -o "$work/" ./far ./load)

await() { # ADDRESS
  for ((i = 0; i < 600; i++)); do curl -sf -o "$work/answer" "$1" && return; sleep 0.05; done
  echo "nothing answers at $1" >&2
  exit 1
}

cat >"$work/nginx.conf" <<CONFIG
daemon off; worker_processes 1; error_log stderr crit; pid $work/nginx.pid; user $(id -un);
events {}
http {
  access_log off; default_type application/octet-stream; sendfile on; keepalive_requests 1000000;
  client_body_temp_path $work/1; proxy_temp_path $work/2; fastcgi_temp_path $work/3; uwsgi_temp_path $work/4; scgi_temp_path $work/5;
  server { listen $origin; root $folder; }
}
CONFIG
nginx -e stderr -c "$work/nginx.conf" 2>"$work/nginx.log" &
always+=" $!"
"$work/far" -to $origin -listen $far -stats $counts -latency "${LATENCY:-20ms}" -rate "${RATE:-100e6}" &
always+=" $!"
await "http://$counts/"

# serve PATH… serves files with empty caches.
serve() {
  end_serving
  printf 'url: {allow: ["http://%s/"], networks: [127.0.0.0/8]}\n' $far >"$work/ours.yaml"
  "$program" serve --config "$work/ours.yaml" --listen $ours --admin-listen "" --state "" "$@" >"$work/ours.log" 2>&1 &
  serving=$!
  await "http://$ours/layers"
}

# serve_peer FILE serves a file with MapServer, as GDAL's documents recommend for files on the web.
serve_peer() {
  end_serving
  local bands=""
  if ! gdalinfo "$folder/$1" | grep -q '^Band 3 .*Type=Byte'; then bands='PROCESSING "BANDS=3,2,1" PROCESSING "SCALE=0,4000"'; fi
  cat >"$work/peer.map" <<CONFIG
MAP NAME marks EXTENT -20037508 -20037508 20037508 20037508 SIZE 256 256 UNITS METERS
  PROJECTION "epsg:3857" END CONFIG "GDAL_CACHEMAX" "256"
  OUTPUTFORMAT NAME "jpg" DRIVER AGG/JPEG MIMETYPE "image/jpeg" IMAGEMODE RGB EXTENSION "jpg" FORMATOPTION "QUALITY=75" END
  WEB METADATA "wms_title" "marks" "wms_enable_request" "*" "wms_srs" "EPSG:3857" END END
  LAYER NAME "l" TYPE RASTER STATUS ON DATA "/vsicurl/http://$far/$1" PROJECTION AUTO END
    PROCESSING "RESAMPLE=BILINEAR" PROCESSING "CLOSE_CONNECTION=DEFER" $bands END
END
CONFIG
  echo "CONFIG ENV MS_MAP_PATTERN \".\" END MAPS marks \"$work/peer.map\" END END" >"$work/peer.conf"
  cat >"$work/peer.lighttpd" <<CONFIG
server.document-root = "$work"
server.bind = "${peer%:*}"
server.port = ${peer#*:}
server.errorlog = "$work/peer.log"
server.modules = ("mod_rewrite", "mod_fastcgi")
url.rewrite-once = ("^/t/([0-9]+)/([0-9]+)/([0-9]+)$" => "/ms?map=marks&mode=tile&tilemode=gmap&tile=\$2+\$3+\$1&layers=l&map.imagetype=jpg")
fastcgi.server = ("/ms" => ((
  "bin-path" => "$mapserv", "socket" => "$work/peer.sock", "check-local" => "disable", "kill-signal" => 9,
  "min-procs" => $(nproc), "max-procs" => $(nproc),
  "bin-environment" => ("MAPSERVER_CONFIG_FILE" => "$work/peer.conf", "GDAL_DISABLE_READDIR_ON_OPEN" => "EMPTY_DIR",
    "CPL_VSIL_CURL_ALLOWED_EXTENSIONS" => ".${1##*.}", "VSI_CACHE" => "TRUE", "VSI_CACHE_SIZE" => "50000000",
    "GDAL_HTTP_MULTIRANGE" => "YES", "GDAL_HTTP_MERGE_CONSECUTIVE_RANGES" => "YES", "GDAL_INGESTED_BYTES_AT_OPEN" => "32768") )))
CONFIG
  lighttpd -D -f "$work/peer.lighttpd" >"$work/peer.out" 2>&1 &
  serving=$!
  for ((i = 0; i < 100; i++)); do [[ $(curl -s -o /dev/null -w '%{http_code}' "http://$peer/") != 000 ]] && return; sleep 0.05; done
}

# processor_time prints how many milliseconds the server has computed, with its children.
processor_time() {
  local process ticks=0 found
  for process in "$serving" $(pgrep -P "$serving"); do
    found=$(sed 's/.*) //' "/proc/$process/stat" | awk '{ print $12 + $13 }')
    ticks=$((ticks + found))
  done
  echo $((ticks * 1000 / $(getconf CLK_TCK)))
}

row() { printf '%-18s %-22s %6s %8s %8s %8s %7s %9s  %s\n' "$@"; }

# walk FILE NAME ADDRESS LIST asks for tiles, and prints a row.
walk() {
  local before count rate median slow failed
  curl -s "http://$counts/" >/dev/null
  before=$(processor_time)
  read -r count rate median slow failed < <("$work/load" -clients "$clients" -address "$3" <"$4")
  row "$1" "$2" "$count" "$rate" "$median" "$slow" "$failed" \
    "$(awk -v ms=$(($(processor_time) - before)) -v n="$count" 'BEGIN { printf "%.1f", ms / n }')" "$(curl -s "http://$counts/")"
}

# first NAME FILE ADDRESS COMMAND… prints how long the first tile of a server takes that has opened nothing.
first() {
  local name=$1 file=$2 address=$3 took=()
  shift 3
  for ((n = 0; n < 5; n++)); do
    "$@"
    curl -s "http://$counts/" >/dev/null
    took+=("$(curl -sf -o /dev/null -w '%{time_total}' "$address" | awk '{ printf "%.0f", $1 * 1000 }')")
  done
  echo "$file, $name: open and first tile in ms: ${took[*]}, the last with $(curl -s "http://$counts/")"
}

echo "$(nproc) cores, round trip ${LATENCY:-20ms}, ${RATE:-100e6} bytes/s, $clients clients"
for file in "$@"; do
  layer=${file%.*}
  serve "$folder/$file"
  for ((round = 0; round < rounds; round++)); do
    "$work/load" -choose "$tiles" -seed $((round + 1)) -layer "http://$ours/layers/$layer" >"$work/$layer.$round"
  done
  read -r z x y <"$work/$layer.0"
  first tileserver "$file" "http://$ours/url/tiles/WebMercatorQuad/$z/$x/$y.jpg?url=http://$far/$file" serve "$folder/$file"
  first MapServer "$file" "http://$peer/t/$z/$x/$y" serve_peer "$file"
done
row file server tiles tiles/s "p50 ms" "p99 ms" failed "CPU ms" "over the line"
for file in "$@"; do
  layer=${file%.*} template="http://$ours/tiles/${file%.*}/{z}/{x}/{y}.jpg"
  for ((round = 0; round < rounds; round++)); do
    serve "http://$far/$file"
    walk "$file" "tileserver, cold" "$template" "$work/$layer.$round"
    walk "$file" "tileserver, again" "$template" "$work/$layer.$round"
    serve_peer "$file"
    walk "$file" "MapServer, cold" "http://$peer/t/{z}/{x}/{y}" "$work/$layer.$round"
    walk "$file" "MapServer, again" "http://$peer/t/{z}/{x}/{y}" "$work/$layer.$round"
    serve "$folder/$file"
    walk "$file" "local disk, cold" "$template" "$work/$layer.$round"
    walk "$file" "local disk, again" "$template" "$work/$layer.$round"
  done
done
