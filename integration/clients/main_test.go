package clients

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// everything holds what the tests of this package share: the program, a server with the test
// layers, and a browser. Each is started when a test first needs it.
var everything = &world{}

func TestMain(m *testing.M) {
	status := m.Run()
	everything.end()
	os.Exit(status)
}

// world starts each of its parts once. Tests run one after another, so it needs no lock.
type world struct {
	folder string // temporary files for the duration of all tests
	binary string // "" until it is built
	broken bool   // the build has failed
	server *server
	stage  *stage
}

func (w *world) end() {
	if w.stage != nil {
		w.stage.stop()
	}
	if w.server != nil {
		w.server.stop()
	}
	os.RemoveAll(w.folder)
}

// folderOf returns a subfolder of the shared temporary folder.
func (w *world) folderOf(t testing.TB, name string) string {
	t.Helper()
	if w.folder == "" {
		folder, err := os.MkdirTemp("", "tileserver-clients")
		if err != nil {
			t.Fatal(err)
		}
		w.folder = folder
	}
	return filepath.Join(w.folder, name)
}

// program returns the path of the program, built once.
func (w *world) program(t testing.TB) string {
	t.Helper()
	if w.broken {
		t.Fatal("the program does not build")
	}
	if w.binary != "" {
		return w.binary
	}
	path := w.folderOf(t, "tileserver")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	build := exec.Command("go", "build", "-ldflags=-w", "-o", path, "../../cmd/tileserver")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		w.broken = true
		t.Fatalf("building the program: %v\n%s", err, output)
	}
	w.binary = path
	return path
}

// maps returns the address of a server with the test layers.
func (w *world) maps(t testing.TB) string {
	t.Helper()
	if w.server == nil {
		folder := w.folderOf(t, "layers")
		for name, image := range knownLayers() {
			writeTIFF(t, folder, name+".tif", image)
		}
		w.server = start(t, w.program(t), folder)
	}
	return w.server.address
}

// document decodes the JSON at a path of the server with the test layers.
func document[T any](t testing.TB, path string) (value T) {
	t.Helper()
	response, err := http.Get(everything.maps(t) + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&value); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", path, response.Status, err)
	}
	return value
}

// show runs a page or script, and fails the test if the browser reports errors.
func (w *world) show(t testing.TB, p performance) shown {
	t.Helper()
	if w.stage == nil {
		w.stage = raise(t)
	}
	return w.stage.show(t, p)
}

// complain writes the server's warnings and errors to the log of a test.
func (w *world) complain(t testing.TB) {
	if t.Failed() && w.server != nil {
		t.Log(fmt.Sprint("the server's warnings and errors:\n", w.server.log.complaints()))
	}
}
