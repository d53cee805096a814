package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tourCommands returns the commands of the ```sh blocks of a document, in order. It joins lines
// that end in a backslash with the next line.
func tourCommands(document string) []string {
	var commands []string
	inBlock, going := false, false
	for line := range strings.Lines(document) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			inBlock, going = !inBlock && strings.TrimSpace(line) == "```sh", false
		case !inBlock || !going && isBlankOrComment(line):
		case going:
			commands[len(commands)-1] += "\n" + line
			going = strings.HasSuffix(line, "\\")
		default:
			commands = append(commands, strings.TrimSpace(line))
			going = strings.HasSuffix(line, "\\")
		}
	}
	return commands
}

func isBlankOrComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "#")
}

// tour runs the commands of a document as a reader would, in a folder of its own.
type tour struct {
	t      *testing.T
	folder string
	server *server // started by the last serve command, or nil
}

func newTour(t *testing.T) *tour {
	t.Helper()
	find(t, "bash")
	find(t, "curl")
	r := &tour{t: t, folder: t.TempDir()}
	tools := t.TempDir()
	if err := os.Symlink(program(t), filepath.Join(tools, "tileserver")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, tools, ".curlrc", []byte("fail\nsilent\nshow-error\nmax-time = 120\n"))
	t.Setenv("CURL_HOME", tools)
	t.Setenv("PATH", tools+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return r
}

// defaultAddress is the address of the server in documents.
const defaultAddress = "http://127.0.0.1:8080"

// run runs one command. It returns an error if the command fails or its output is wrong.
func (r *tour) run(command string) error {
	command = strings.NewReplacer("go run ./cmd/tileserver", "tileserver", "bin/tileserver", "tileserver").Replace(command)
	if serves(command) {
		r.serve(command)
		return nil
	}
	if r.server == nil && strings.Contains(command, defaultAddress) {
		r.serve("tileserver")
	}
	if r.server != nil {
		command = strings.ReplaceAll(command, defaultAddress, r.server.maps)
		command = strings.ReplaceAll(command, "http://127.0.0.1:8081", r.server.admin)
	}
	var stdout, stderr bytes.Buffer
	shell := exec.Command("bash", "-euo", "pipefail", "-c", command)
	shell.Dir, shell.Stdout, shell.Stderr = r.folder, &stdout, &stderr
	if err := shell.Run(); err != nil {
		return fmt.Errorf("%v: %s", err, stderr.Bytes())
	}
	if text := bytes.TrimSpace(stdout.Bytes()); len(text) > 0 && strings.HasPrefix(command, "curl") && strings.ContainsAny(string(text[:1]), "{[") && !json.Valid(text) {
		return fmt.Errorf("it prints %.200q, which is no JSON", text)
	}
	for _, written := range outputs.FindAllStringSubmatch(command, -1) {
		if err := checkWritten(filepath.Join(r.folder, strings.Trim(written[1], `'"`))); err != nil {
			return err
		}
	}
	return nil
}

// outputs matches the files that a command writes.
var outputs = regexp.MustCompile(`\s-o[ =]?(\S+)`)

// serves reports whether a command runs until it is stopped.
func serves(command string) bool {
	words := strings.Fields(command)
	if words[0] != "tileserver" {
		return false
	}
	others := []string{"info", "read", "render", "export", "pyramid", "version", "help", "health", "--help", "--version"}
	saves := func(word string) bool { return strings.HasPrefix(strings.TrimLeft(word, "-"), "save") }
	return len(words) == 1 || !slices.Contains(others, words[1]) && !slices.ContainsFunc(words[1:], saves)
}

// serve starts a server on free ports, and stops the previous one.
func (r *tour) serve(command string) {
	if r.server != nil {
		r.server.stop()
	}
	if i := strings.Index(command, " #"); i >= 0 {
		command = command[:i]
	}
	script := `cd "$0" && exec ` + command + ` "$@"`
	r.server = startAs(r.t, []string{"bash", "-euc", script, r.folder})
}

// checkWritten checks that a file exists and has the type that its name says.
func checkWritten(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	name, is := filepath.Base(path), http.DetectContentType(data)
	isRight := len(data) > 0
	switch filepath.Ext(path) {
	case ".png":
		isRight = is == "image/png"
	case ".jpg":
		isRight = is == "image/jpeg"
	case ".webp":
		isRight = is == "image/webp"
	case ".tif":
		isRight = bytes.HasPrefix(data, []byte("II*\x00"))
	case ".npy":
		isRight = bytes.HasPrefix(data, []byte("\x93NUMPY"))
	case ".json":
		isRight = json.Valid(data)
	}
	if !isRight {
		return fmt.Errorf("%s is %d bytes of %s: %.80q", name, len(data), is, data)
	}
	return nil
}

// A reader who runs all commands of a document in order must see no error.
func TestDocumentsCanBeFollowed(t *testing.T) {
	documents, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(documents, "../README.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		commands := tourCommands(string(text))
		if len(commands) == 0 && !strings.HasSuffix(path, "README.md") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			if len(commands) == 0 {
				t.Fatal("the document has no commands")
			}
			r := newTour(t)
			for _, command := range commands {
				if err := r.run(command); err != nil {
					t.Errorf("%s\n%v", command, err)
				}
			}
		})
	}
}

// This document has one mistake of each kind that a tour must detect.
func TestMistakesInDocumentsAreFound(t *testing.T) {
	document, err := os.ReadFile("testdata/tour.md")
	if err != nil {
		t.Fatal(err)
	}
	r := newTour(t)
	found := 0
	for _, command := range tourCommands(string(document)) {
		want := strings.Contains(command, "# wrong")
		if want {
			found++
		}
		if err := r.run(command); (err != nil) != want {
			t.Errorf("%s: %v", command, err)
		}
	}
	if found != 5 {
		t.Errorf("%d commands failed, want 5", found)
	}
}
