package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tileserver/decode/tiff/tifftest"
)

// network is the program far between clients and a server.
type network struct{ url, stats string }

// startNetwork puts a delayed network before a server.
func startNetwork(t *testing.T, to string) *network {
	t.Helper()
	program := filepath.Join(t.TempDir(), "far")
	if output, err := exec.Command("go", "build", "-o", program, "./far").CombinedOutput(); err != nil {
		t.Fatalf("building far: %v\n%s", err, output)
	}
	address, stats := freeAddress(t), freeAddress(t)
	n := &network{url: "http://" + address, stats: "http://" + stats}
	run(t, n.stats, program, "-to", strings.TrimPrefix(to, "http://"), "-listen", address, "-stats", stats, "-latency", "20ms", "-rate", "100e6")
	return n
}

// requests returns how many requests went over the network since the last call.
func (n *network) requests(t *testing.T) (count int) {
	t.Helper()
	got, err := get(t.Context(), n.stats)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(got.body, "%d requests", &count); err != nil {
		t.Fatalf("%q: %v", got.body, err)
	}
	return count
}

// The image of the test has a block for each tile.
const panColumns, panRows = 8, 4

func panImage() tifftest.Image {
	return tifftest.Image{Width: panColumns * tileSide, Height: panRows * tileSide, Samples: 3, Photometric: tifftest.RGB, Tiled: true, BlockWidth: tileSide, BlockHeight: tileSide, Value: noise}
}

// pause is for how long a viewer looks at its first view: much longer than it takes to see that it pauses.
const pause = time.Second

// A viewer that pans over a file behind a delayed network gets what was read ahead: the last column of tiles, behind
// which there is nothing, takes no request.
func TestAPanIsServedFromWhatWasReadAhead(t *testing.T) {
	t.Parallel()
	tileserver(t)
	from := startNginx(t, "")
	data, err := tifftest.File{COG: true, Images: []tifftest.Image{panImage()}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(from.folder, "pan.tif"), data)
	n := startNetwork(t, from.url)
	disk, remote := serve(t, configuration(filepath.Join(from.folder, "pan.tif"))), serve(t, configuration(n.url+"/pan.tif"))
	zoom := remote.imageZoom(t, "pan")
	const viewColumns, viewRows = 4, 3
	tiles := func(first, last int) (addresses []string) {
		for x := first; x <= last; x++ {
			for y := range viewRows {
				addresses = append(addresses, fmt.Sprintf("/tiles/pan/image/%d/%d/%d.png", zoom, x, y))
			}
		}
		return addresses
	}
	remote.compareBy(t, 6, disk.answers(t, tiles(0, viewColumns-1)))
	time.Sleep(pause)
	for column := viewColumns; column < panColumns; column++ {
		n.requests(t)
		remote.compareBy(t, viewRows, disk.answers(t, tiles(column, column)))
		asked := n.requests(t)
		if isLast := column == panColumns-1; isLast && asked > 0 {
			t.Errorf("the last column took %d requests", asked)
		} else if !isLast {
			ahead := float64((column - viewColumns + 1) * viewRows)
			eventually(t, "the next column is read ahead", func() bool {
				return remote.metric(t, `tileserver_prefetch_tiles_total{outcome="loaded"}`) >= ahead
			})
		}
	}
	if used, want := remote.metric(t, `tileserver_prefetch_used_total{space="blocks"}`), float64((panColumns-viewColumns-1)*viewRows); used != want {
		t.Errorf("%v blocks that were read ahead are used, want %v", used, want)
	}
}

// imageZoom returns the zoom of a layer's own pixels.
func (s *server) imageZoom(t *testing.T, id string) int {
	t.Helper()
	var l layer
	document := s.ask(t, "/layers/"+id)
	if err := json.Unmarshal([]byte(document.body), &l); err != nil || document.status != http.StatusOK {
		t.Fatalf("layer %s: %v, %v", id, document, err)
	}
	for _, set := range l.Sets {
		if set.ID == "image" {
			return set.MaxZoom
		}
	}
	t.Fatalf("layer %s has no tiles of the image: %v", id, document)
	return 0
}

// metric returns the value of a metric, or 0 if there is none.
func (s *server) metric(t *testing.T, name string) float64 {
	t.Helper()
	got, err := get(t.Context(), s.admin+"/metrics")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(got.body)
	if found == nil {
		return 0
	}
	value, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
