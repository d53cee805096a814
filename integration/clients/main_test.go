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

// everything is what the tests of this package share: the program, a server of the
// known layers and a stage for pages, each of them begun when a test first needs it.
var everything = &world{}

func TestMain(m *testing.M) {
	status := m.Run()
	everything.end()
	os.Exit(status)
}

// world begins each of its parts once. Tests run one after another, so that nobody
// guards it.
type world struct {
	folder string // for all that lasts as long as the tests
	binary string // "" if it is not built
	broken bool   // it cannot be built
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

// folderOf is a folder for all tests.
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

// program is the path of the program, built once.
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

// maps is the address of a server of the known layers.
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

// document is the JSON at an address of the server of the known layers.
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

// show lets a client show something, and fails the test if the browser complains.
func (w *world) show(t testing.TB, p performance) shown {
	t.Helper()
	if w.stage == nil {
		w.stage = raise(t)
	}
	return w.stage.show(t, p)
}

// complain says in a test's log what the server has not been happy with.
func (w *world) complain(t testing.TB) {
	if t.Failed() && w.server != nil {
		t.Log(fmt.Sprint("the server's log, without what went well:\n", w.server.log.complaints()))
	}
}
