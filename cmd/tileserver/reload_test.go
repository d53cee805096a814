package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tileserver/decode/tiff/tifftest"
)

// hangingUp starts a server. The returned hangUp has the effect of SIGHUP.
func hangingUp(t *testing.T, args ...string) (s *running, hangUp func()) {
	t.Helper()
	signals := make(chan os.Signal, 1)
	s = startWith(t, program{hangups: signals}, args...)
	return s, func() {
		t.Helper()
		ends := func() (n int) {
			for _, text := range []string{reloaded, scanned, notReloaded} {
				n += strings.Count(s.stderr.String(), text)
			}
			return n
		}
		before := ends()
		signals <- syscall.SIGHUP
		eventually(t, "the signal is heard", func() bool { return ends() > before })
	}
}

// What the log says at the end of a reload.
const (
	reloaded    = "config reloaded"
	scanned     = "folders scanned" // there is no configuration file
	notReloaded = "config reload failed, keeping the current one"
)

// eventually waits for a condition that other goroutines or files bring about.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timeout: %s", what)
		}
	}
}

func smallFile(t *testing.T, width int) string {
	t.Helper()
	data, err := tifftest.File{Images: []tifftest.Image{{Width: width, Height: 21, Samples: 3, Value: ramp}}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// replaceFile atomically replaces a file, as deployments do.
func replaceFile(t *testing.T, path, text string) {
	t.Helper()
	next := writeFile(t, filepath.Dir(path), filepath.Base(path)+".next", text)
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}

func TestReloadReadsTheConfiguration(t *testing.T) {
	folder := t.TempDir()
	old := time.Now().Add(-time.Hour) // pictures of a new file are not cached
	if err := os.Chtimes(writeFile(t, folder, "a.tif", smallFile(t, 33)), old, old); err != nil {
		t.Fatal(err)
	}
	writeFile(t, folder, "b.tif", smallFile(t, 40))
	path := writeFile(t, folder, "c.yaml", "rescan: 0\nlayers: [{path: a.tif, title: One}]")
	s, hangUp := hangingUp(t, append([]string{"serve", "--config", path}, freePorts...)...)

	replaceFile(t, path, `
rescan: 0
public_url: https://maps.example/x
cache_control: max-age=7
cache: 7MiB
queue: 9
service: {title: Ours}
styles: [{name: gray, bidx: [1]}]
tile_matrix_sets:
  - {id: Own, crs: "http://www.opengis.net/def/crs/EPSG/0/3857", tileMatrices: [
      {id: "0", cellSize: 1000, pointOfOrigin: [0, 0], tileWidth: 256, tileHeight: 256, matrixWidth: 1, matrixHeight: 1}]}
layers: [{path: a.tif, title: Two, description: About it, attribution: Us}, {id: other, path: b.tif}]
`)
	hangUp()
	if titles := layerTitles(t, s); !reflect.DeepEqual(titles, map[string]string{"a": "Two", "other": "other"}) {
		t.Errorf("layers %v", titles)
	}
	if _, body := get(t, s.maps+"/x/layers/a"); !strings.Contains(string(body), `"self":"https://maps.example/x/layers/a"`) {
		t.Errorf("the layer is %s", body)
	}
	response, err := http.Get(s.maps + "/layers/a/preview.png?style=gray")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if got := response.Header.Get("Cache-Control"); response.StatusCode != http.StatusOK || got != "max-age=7" {
		t.Errorf("status %d, Cache-Control %q", response.StatusCode, got)
	}
	if want := `keys="[cache queue]"`; !strings.Contains(s.stderr.String(), want) {
		t.Errorf("the log does not say %s: %s", want, s.stderr)
	}

	replaceFile(t, path, "log_level: loud\nlayers: [{path: none.tif}]\nstyles: [{stretch: much}]")
	hangUp()
	for _, told := range []string{"c.yaml:1: log_level", "c.yaml:2: layers[0].path", "c.yaml:3: styles[0].stretch"} {
		if !strings.Contains(s.stderr.String(), told) {
			t.Errorf("the log does not say %s: %s", told, s.stderr)
		}
	}
	for _, wrong := range []string{"layers: [{path: none.tif}]", "lisen: x", "layers: [", "layers: []", "workers: 0"} {
		replaceFile(t, path, wrong)
		hangUp()
		if titles := layerTitles(t, s); len(titles) != 2 || titles["a"] != "Two" {
			t.Errorf("%s: layers %v", wrong, titles)
		}
	}
	if got := strings.Count(s.stderr.String(), notReloaded); got != 6 {
		t.Errorf("of 6 mistakes, the log reports %d: %s", got, s.stderr)
	}
	if code := s.stop(); code != exitOK || !strings.Contains(s.stderr.String(), "msg=stopped\n") {
		t.Errorf("exit code %d, and the log ends with %s", code, s.stderr)
	}
}

// Cached documents contain the service metadata. They must change even if no layer changes.
func TestAConfigurationThatChangesNoLayer(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, "a.tif", smallFile(t, 33))
	path := writeFile(t, folder, "c.yaml", "rescan: 0\nlayers: [{path: a.tif}]")
	s, hangUp := hangingUp(t, append([]string{"serve", "--config", path}, freePorts...)...)
	document := func() (title, sequence string) {
		_, body := get(t, s.maps+"/wmts/1.0.0/WMTSCapabilities.xml")
		found := regexp.MustCompile(`(?s)updateSequence="([^"]+)".*?<ows:Title>([^<]*)<`).FindSubmatch(body)
		if found == nil {
			t.Fatalf("the WMTS document is %.900s", body)
		}
		return string(found[2]), string(found[1])
	}
	_, before := document()
	replaceFile(t, path, "rescan: 0\nservice: {title: Ours}\nlayers: [{path: a.tif}]")
	hangUp()
	if title, after := document(); title != "Ours" || after == before {
		t.Errorf("the document is titled %q, its updateSequence was %s and is %s", title, before, after)
	}
	s.stop()
}

func TestReloadScansFoldersWithoutAConfiguration(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, "a.tif", smallFile(t, 33))
	s, hangUp := hangingUp(t, append([]string{"serve", "--rescan", "0", folder}, freePorts...)...)
	later := writeFile(t, folder, "b.tif", smallFile(t, 40))
	if err := os.Chtimes(later, time.Now(), time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	hangUp()
	eventually(t, "the new file is served", func() bool { return len(layerTitles(t, s)) == 2 })
}

// hammer requests an address repeatedly until stopped, and reports every wrong answer.
type hammer struct {
	asking sync.WaitGroup
	stop   chan struct{}
	asked  atomic.Int64
}

func (h *hammer) ask(t *testing.T, address string) {
	h.asking.Go(func() {
		for number := 0; ; number++ {
			select {
			case <-h.stop:
				return
			default:
			}
			// Each is another picture, so that none comes out of the cache.
			status, body, err := answerOf(fmt.Sprintf("%s?max_size=%d", address, 5+number%2000))
			if err != nil || status != http.StatusOK {
				t.Errorf("%s: status %d, %v: %s", address, status, err, body)
				return
			}
			h.asked.Add(1)
		}
	})
}

func answerOf(address string) (status int, body []byte, err error) {
	response, err := http.Get(address)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// While files and the configuration change, no request for a remaining layer fails.
func TestNoRequestFailsWhileTheServerChanges(t *testing.T) {
	t.Parallel() // a scan waits until files are still
	folder := t.TempDir()
	for _, name := range []string{"kept.tif", "replaced.tif", "styled.tif", "deep/found.tif"} {
		writeFile(t, folder, name, smallFile(t, 200))
	}
	path := writeFile(t, folder, "c.yaml", configOfRound(0))
	s, hangUp := hangingUp(t, append([]string{"serve", "--config", path}, freePorts...)...)
	h := hammer{stop: make(chan struct{})}
	for _, id := range []string{"kept", "replaced", "styled", "deep-found"} {
		h.ask(t, s.maps+"/layers/"+id+"/preview.png")
	}
	h.ask(t, s.maps+"/layers")
	const rounds = 20
	for round := 1; round <= rounds; round++ {
		coming := filepath.Join(folder, fmt.Sprintf("coming-%d.tif", round))
		replaceFile(t, coming, smallFile(t, 30+round))
		replaceFile(t, filepath.Join(folder, "replaced.tif"), smallFile(t, 200+round))
		if round > 2 {
			if err := os.Remove(filepath.Join(folder, fmt.Sprintf("coming-%d.tif", round-2))); err != nil {
				t.Fatal(err)
			}
		}
		replaceFile(t, path, configOfRound(round))
		hangUp()
		asked := h.asked.Load()
		eventually(t, "requests go on", func() bool { return h.asked.Load() > asked+5 || t.Failed() })
	}
	close(h.stop)
	h.asking.Wait()
	if got := strings.Count(s.stderr.String(), reloaded); got != rounds {
		t.Errorf("%d of %d reloads went well: %s", got, rounds, s.stderr)
	}
	if got, want := layerTitles(t, s)["styled"], fmt.Sprint("Round ", rounds); got != want {
		t.Errorf("at the end a layer is %q, want %q", got, want)
	}
	eventually(t, "what came last is served, and what went is not", func() bool {
		titles := layerTitles(t, s)
		return titles["coming-20"] != "" && titles["coming-19"] != "" && titles["coming-17"] == ""
	})
}

// configOfRound changes one layer each round, and others now and then.
func configOfRound(round int) string {
	text := fmt.Sprintf("rescan: 100ms\npaths: [.]\nrequest_timeout: %ds\nlayers:\n  - {id: styled, path: styled.tif, title: Round %d, stretch: '%s'}\n",
		60+round, round, [...]string{"minmax", "dra", "none"}[round%3])
	if round%4 == 3 {
		text += "  - {id: passing, path: deep/found.tif, bidx: [1]}\n  - {path: deep/found.tif}\n"
	}
	if round%5 == 4 {
		text += "styles: [{name: gray, bidx: [2]}]\nservice: {title: Now and then}\n"
	}
	return text
}

// The signal reaches its listener and does not end the process.
func TestHangupsReachTheListener(t *testing.T) {
	signals, stop := hangups()
	defer stop()
	own, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := own.Signal(syscall.SIGHUP); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("this system has no such signal: %v", err)
	}
	select {
	case <-signals:
	case <-time.After(2 * time.Minute):
		t.Error("the signal did not arrive")
	}
}

func TestAServerIsReady(t *testing.T) {
	s := start(t, append([]string{"serve", smallTIFF(t)}, freePorts...)...)
	if status, body := get(t, s.admin+"/readyz"); status != http.StatusOK {
		t.Errorf("status %d: %s", status, body)
	}
}

// A server without a configuration file has nothing to reload but the folders.
func TestAHangupWithoutAConfiguration(t *testing.T) {
	s, hangUp := hangingUp(t, append([]string{"serve", filepath.Dir(smallTIFF(t)), "--rescan", "1h"}, freePorts...)...)
	hangUp()
	if log := s.stderr.String(); !strings.Contains(log, scanned) || strings.Contains(log, reloaded) {
		t.Errorf("the log has %s", log)
	}
}

// A file that is deleted from a folder is not one that has changed: the scan that follows logs
// what becomes of its layer.
func TestADeletedFileIsNoChangedOne(t *testing.T) {
	path := smallTIFF(t)
	s, hangUp := hangingUp(t, append([]string{"serve", filepath.Dir(path), "--rescan", "1h"}, freePorts...)...)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	eventually(t, "requests fail", func() bool {
		status, _ := get(t, s.maps+"/layers/small/preview.png")
		return status != http.StatusOK
	})
	hangUp()
	if log := s.stderr.String(); !strings.Contains(log, "layer removed") || strings.Contains(log, "changed file") {
		t.Errorf("the log has %s", log)
	}
}
