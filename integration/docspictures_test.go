package integration

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// These limits keep clones of the repository small.
const (
	maxPictureBytes  = 400 << 10
	maxPicturesBytes = 1 << 20
)

// A document shows the results of its commands. The picture pictures/NAME below a command with
// "-o NAME" must equal the answer of the demo's server to that command, byte for byte.
func TestPicturesOfDocumentsAreWhatTheServerSends(t *testing.T) {
	s := start(t)
	total := 0
	for file, address := range picturesOf(t) {
		sent := get(t, s.maps+address).body
		if *update {
			if err := os.WriteFile(file, sent, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, sent) {
			t.Errorf("%s differs from the answer of %s (%v); look at it and run with -update", file, address, err)
		}
		if len(sent) > maxPictureBytes {
			t.Errorf("%s has %d bytes, want at most %d", file, len(sent), maxPictureBytes)
		}
		total += len(sent)
	}
	if total > maxPicturesBytes {
		t.Errorf("the pictures have %d bytes together, want at most %d", total, maxPicturesBytes)
	}
}

func TestEveryPictureIsInADocument(t *testing.T) {
	shown := picturesOf(t)
	files, err := filepath.Glob("../docs/pictures/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	for _, file := range files {
		if _, ok := shown[file]; !ok {
			t.Errorf("no document shows %s", file)
		}
	}
}

var shownPictures = regexp.MustCompile(`\]\(((?:docs/)?pictures/[^)]+)\)`)

// picturesOf returns the files of the pictures that documents show, each with the address that the
// command above it requests.
func picturesOf(t *testing.T) map[string]string {
	t.Helper()
	addresses := map[string]string{}
	for _, path := range documents(t) {
		document := readText(t, path)
		for _, match := range shownPictures.FindAllStringSubmatchIndex(document, -1) {
			file := filepath.Join(filepath.Dir(path), document[match[2]:match[3]])
			address := addressOf(document[:match[0]], filepath.Base(file))
			if address == "" {
				t.Errorf("%s shows %s, but no command above fetches it", path, file)
				continue
			}
			addresses[file] = address
		}
	}
	return addresses
}

var (
	commands = regexp.MustCompile("(?m)^curl (?:.*\\\\\n)*.*$")
	words    = regexp.MustCompile(`'[^']*'|[^\s'\\]+`)
)

// addressOf returns the path and query of the last curl command of a text that writes a file, or "".
func addressOf(text, file string) string {
	all := commands.FindAllString(text, -1)
	for _, command := range slices.Backward(all) {
		var address string
		var data []string
		var writes bool
		arguments := words.FindAllString(command, -1)
		for i, word := range arguments {
			arguments[i] = strings.Trim(word, "'")
			switch before := arguments[max(i-1, 0)]; {
			case before == "-o":
				writes = arguments[i] == file
			case before == "--data-urlencode":
				name, value, _ := strings.Cut(arguments[i], "=")
				data = append(data, name+"="+url.QueryEscape(value))
			case strings.HasPrefix(arguments[i], "http://127.0.0.1:8080/"):
				address = strings.TrimPrefix(arguments[i], "http://127.0.0.1:8080")
			}
		}
		if !writes {
			continue
		}
		if separator := "?"; len(data) > 0 {
			if strings.Contains(address, "?") {
				separator = "&"
			}
			address += separator + strings.Join(data, "&")
		}
		return address
	}
	return ""
}
