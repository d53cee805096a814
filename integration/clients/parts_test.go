package clients

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// part is a tool that a test needs and that may not be installed.
type part struct {
	name    string
	install string // how to install it
	present func() bool
}

var (
	nodePart    = part{"node", "apt-get install nodejs npm", command("node", "--version")}
	modulesPart = part{"the modules of npm", "npm ci in integration/clients", file("node_modules/playwright-core/package.json")}
	browserPart = part{"chromium", "apt-get install chromium, or say in CHROMIUM where it is", command(chromium(), "--version")}
	gdalPart    = part{"gdal", "apt-get install gdal-bin", command("gdal_translate", "--version")}
	owslibPart  = part{"owslib", "apt-get install python3-owslib", command(python, "-c", "import owslib")}
	curlPart    = part{"curl", "apt-get install curl", command("curl", "--version")}
	viewerPart  = part{"the viewer", "make viewer", file("../../web/dist/index.html")}
)

// browserParts lists the tools that every page needs.
var browserParts = []part{nodePart, modulesPart, browserPart}

// python is the system's interpreter, because the system's packages belong to it.
const python = "/usr/bin/python3"

func chromium() string {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	return "/usr/bin/chromium"
}

// command returns a function that reports whether a program can be run. It runs the program once.
func command(name string, args ...string) func() bool {
	return sync.OnceValue(func() bool { return exec.Command(name, args...).Run() == nil })
}

func file(path string) func() bool {
	return func() bool {
		_, err := os.Stat(filepath.FromSlash(path))
		return err == nil
	}
}

// require skips a test if a tool is missing, and fails it in CI. With -short it skips every test.
func require(t testing.TB, parts ...part) {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED with -short: clients are not run")
	}
	for _, p := range parts {
		switch {
		case p.present():
		case os.Getenv("CI") == "true":
			t.Fatalf("missing: %s (%s)", p.name, p.install)
		default:
			t.Skipf("SKIPPED, missing: %s (%s)", p.name, p.install)
		}
	}
	t.Cleanup(func() { everything.complain(t) })
}

// maxWait is the maximum running time of a program.
const maxWait = 2 * time.Minute

// run runs a program and returns its output. It fails the test if the program fails.
func run(t testing.TB, name string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), maxWait)
	defer cancel()
	var stderr bytes.Buffer
	command := exec.CommandContext(ctx, name, args...)
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, output, stderr.Bytes())
	}
	return output
}
