package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/web"
)

// running is a program that serves.
type running struct {
	maps, admin    string // addresses with http:// in front
	stdout, stderr *lockedBuffer
	stop           func() (code int)
}

// lockedBuffer is a buffer that a server writes to while a test reads it.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// start runs a command line on free ports, and returns when the server has opened its files.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	return startWith(t, program{}, args...)
}

// startWith is start for a program that the test has configured.
func startWith(t *testing.T, p program, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := &running{stdout: new(lockedBuffer), stderr: new(lockedBuffer)}
	ready, ended := make(chan struct{}), make(chan int, 1)
	p.stdout, p.stderr = s.stdout, s.stderr
	p.listening = func(public, admin string) {
		s.maps = "http://" + public
		if admin != "" {
			s.admin = "http://" + admin
		}
		close(ready)
	}
	go func() {
		ended <- p.run(ctx, args)
		close(ended)
	}()
	s.stop = sync.OnceValue(func() int {
		cancel()
		return <-ended
	})
	t.Cleanup(func() { s.stop() })
	select {
	case <-ready:
	case code := <-ended:
		t.Fatalf("tileserver %s ended with %d: %s", strings.Join(args, " "), code, s.stderr)
	}
	if s.admin != "" { // on a busy machine, a server serves before all its files are open
		eventually(t, "the server is ready", func() bool { status, _ := get(t, s.admin+"/readyz"); return status == http.StatusOK })
	}
	return s
}

var freePorts = []string{"--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}

func get(t *testing.T, address string) (status int, body []byte) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, body
}

// layerTitles returns the titles of a server's layers by id.
func layerTitles(t *testing.T, s *running) map[string]string {
	t.Helper()
	status, body := get(t, s.maps+"/layers")
	var list struct{ Layers []struct{ ID, Title string } }
	if err := json.Unmarshal(body, &list); status != http.StatusOK || err != nil {
		t.Fatalf("status %d, %v: %s", status, err, body)
	}
	titles := make(map[string]string)
	for _, l := range list.Layers {
		titles[l.ID] = l.Title
	}
	return titles
}

func TestTheDemoServesAMapWithoutAnyFile(t *testing.T) {
	s := start(t, freePorts...)
	titles := layerTitles(t, s)
	for id, want := range map[string]string{
		"demo": "Nemo Archipelago", "elevation": "Nemo Archipelago: elevation", "sheet": "Nemo Archipelago: map sheet",
	} {
		if titles[id] != want || len(titles) != 3 {
			t.Errorf("layers %v, want three, and %s to be %q", titles, id, want)
		}
	}
	if !strings.Contains(s.stdout.String(), s.maps) {
		t.Errorf("it greets with %q, want the address %s", s.stdout, s.maps)
	}
	if _, isBuilt := web.Viewer(); strings.Contains(s.stderr.String(), "serving a plain page") == isBuilt {
		t.Errorf("the viewer is built: %v, but the log is %s", isBuilt, s.stderr)
	}
	for _, path := range []string{
		"/layers/demo/preview.png?max_size=64", "/layers/demo/preview.png?max_size=64&style=natural", "/layers/demo/preview.png?max_size=64&style=false-color",
		"/layers/demo/preview.png?max_size=64&style=ndvi", "/layers/elevation/preview.png?max_size=64", "/layers/elevation/preview.png?max_size=64&style=relief",
		"/layers/elevation/preview.png?max_size=64&style=heights", "/layers/elevation/preview.png?max_size=64&style=hillshade",
		"/layers/elevation/preview.png?max_size=64&style=contours", "/layers/elevation/legend.png", "/tiles/sheet/image/0/0/0.jpg",
	} {
		if status, body := get(t, s.maps+path); status != http.StatusOK {
			t.Errorf("%s: status %d: %s", path, status, body)
		}
	}
	if code := s.stop(); code != exitOK {
		t.Errorf("exit code %d: %s", code, s.stderr)
	}
}

func TestTheDemoPrintsNoGreetingIfItsPortIsInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	code, stdout, stderr := runProgram(t, "--listen", taken.Addr().String())
	if code != exitFailure || stdout != "" || !strings.Contains(stderr, taken.Addr().String()) {
		t.Errorf("exit code %d, prints %q and %q", code, stdout, stderr)
	}
}

func TestAnEmptyAdminAddressDisablesTheAdminPort(t *testing.T) {
	s := start(t, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "", smallTIFF(t))
	if s.admin != "" {
		t.Errorf("the admin port is %s", s.admin)
	}
	if status, _ := get(t, s.maps+"/metrics"); status != http.StatusNotFound {
		t.Errorf("metrics are shown to the public: status %d", status)
	}
}

func TestAFileIsServedOnce(t *testing.T) {
	data, err := tifftest.File{Images: []tifftest.Image{{Width: 33, Height: 21, Value: ramp}}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := writeFile(t, folder, "a.tif", string(data))
	writeFile(t, folder, "b/a.tif", string(data))
	config := writeFile(t, folder, "c.yaml", "layers:\n  - {id: first, path: a.tif, title: One}\n  - {id: second, path: a.tif, title: Two}\npaths: [.]")
	args := append([]string{"serve", "--config", config}, freePorts...)
	s := start(t, append(args, path, folder, filepath.Join(folder, "b", "..", "b", "a.tif"))...)
	titles := layerTitles(t, s)
	if len(titles) != 3 || titles["first"] != "One" || titles["second"] != "Two" || titles["b-a"] != "b/a" {
		t.Errorf("layers %v, want two of the configuration and b/a.tif", titles)
	}
}

func TestALayerWithAnInvalidStyleFailsTheStart(t *testing.T) {
	folder := filepath.Dir(smallTIFF(t))
	for name, says := range map[string]string{
		"colormap_name: mud, bidx: [1]": "mud",
		"bidx: [4]":                     "band",
		"bidx: [0]":                     "bidx",
		"rescale: [high]":               "rescale",
		"stretch: much":                 "much",
		"resampling: best":              "best",
		"id: a/b":                       "a/b",
		"block: 3":                      "from 64 to 8192",
	} {
		path := writeFile(t, folder, "c.yaml", "layers: [{path: small.tif, "+name+"}]")
		code, _, stderr := runProgram(t, append([]string{"serve", "--config", path}, freePorts...)...)
		if code == exitOK || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit code %d, %q", name, code, stderr)
		}
	}
}

func TestAnAdminPortInUseFailsTheStart(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	code, _, stderr := runProgram(t, "serve", "--listen", "127.0.0.1:0", "--admin-listen", taken.Addr().String(), smallTIFF(t))
	if code != exitFailure || !strings.Contains(stderr, taken.Addr().String()) {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// A port in use is reported before files are opened, which may take long.
func TestAPortInUseIsReportedAtOnce(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	broken := writeFile(t, t.TempDir(), "broken.tif", "these are words")
	for name, ports := range map[string][]string{
		"maps":  {"--listen", taken.Addr().String(), "--admin-listen", ""},
		"admin": {"--listen", "127.0.0.1:0", "--admin-listen", taken.Addr().String()},
	} {
		code, _, stderr := runProgram(t, append([]string{"serve", broken}, ports...)...)
		if code != exitFailure || !strings.Contains(stderr, taken.Addr().String()) {
			t.Errorf("%s: exit code %d, %q, want something about the port, not the file", name, code, stderr)
		}
	}
}

func TestAFailedFileKeepsItsID(t *testing.T) {
	data, err := tifftest.File{Images: []tifftest.Image{{Width: 33, Height: 21, Value: ramp}}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	writeFile(t, folder, "scene.tif", "these are words")
	writeFile(t, folder, "scene.tiff", string(data))
	s := start(t, append([]string{"serve", folder}, freePorts...)...)
	if titles := layerTitles(t, s); len(titles) != 1 || titles["scene-tiff"] == "" {
		t.Errorf("layers %v, want scene-tiff", titles)
	}
}

func TestRequestSettingsTakeEffect(t *testing.T) {
	s := start(t, append([]string{"--public-url", "https://maps.example/mine", "--cache-control", "max-age=7"}, freePorts...)...)
	for _, prefix := range []string{"", "/mine"} {
		_, body := get(t, s.maps+prefix+"/layers/demo")
		if want := `"self":"https://maps.example/mine/layers/demo"`; !strings.Contains(string(body), want) {
			t.Errorf("under %q the layer is %s, want %s", prefix, body, want)
		}
	}
	response, err := http.Get(s.maps + "/layers/demo/preview.png?max_size=16")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if got := response.Header.Get("Cache-Control"); got != "max-age=7" {
		t.Errorf("Cache-Control is %q", got)
	}
}

func TestStoppingDuringTheStartSucceeds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	p := program{stdout: io.Discard, stderr: &stderr}
	if code := p.run(ctx, append([]string{"serve", "--state", "", smallTIFF(t)}, freePorts...)); code != exitOK || stderr.Len() > 0 {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
}

func TestAServerPrintsItsAddress(t *testing.T) {
	s := start(t, append([]string{"serve", smallTIFF(t)}, freePorts...)...)
	if got, want := s.stdout.String(), "Maps: "+s.maps+" (Ctrl+C stops)\n"; got != want {
		t.Errorf("it prints %q, want %q", got, want)
	}
}
