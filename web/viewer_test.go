package web_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"tileserver/web"
)

// viewer returns the texts of the viewer's files. It skips the test if the viewer was not built; in CI it
// fails.
func viewer(t *testing.T) map[string]string {
	t.Helper()
	files, built := web.Viewer()
	switch {
	case built:
	case os.Getenv("CI") == "true":
		t.Fatal("the viewer was not built: make viewer")
	default:
		t.Skip("the viewer was not built: make viewer")
	}
	return textsOf(t, files)
}

func TestPageIsTheViewerWhereItWasBuilt(t *testing.T) {
	page, err := fs.ReadFile(web.Page(), "index.html")
	if err != nil {
		t.Fatal(err)
	}
	_, built := web.Viewer()
	if isViewer := strings.Contains(string(page), `id="viewer"`); isViewer != built {
		t.Errorf("the viewer is the page: %t, and it was built: %t", isViewer, built)
	}
}

func TestViewerIsComplete(t *testing.T) {
	texts := viewer(t)
	reference := regexp.MustCompile(`\b(?:href|src)="([^"#]+)"`)
	pages := map[string]bool{"layers": true} // answered by the server
	used := map[string]bool{"index.html": true, ".gitignore": true}
	for _, match := range reference.FindAllStringSubmatch(texts["index.html"], -1) {
		used[match[1]] = true
		if texts[match[1]] == "" && !pages[match[1]] {
			t.Errorf("index.html refers to %q, which is not there under that relative name", match[1])
		}
	}
	for name := range texts {
		if !used[name] {
			t.Errorf("%s is there and nobody refers to it", name)
		}
	}
}

func TestViewerNeedsNothingFromElsewhere(t *testing.T) {
	address := regexp.MustCompile(`(?i)(?:https?:)?//[a-z0-9-]+\.[a-z0-9.-]+[^\s"'` + "`" + `)]*`)
	names := regexp.MustCompile(`^http://www\.(?:w3\.org/2000/svg|opengis\.net/)`) // XML namespaces, not addresses
	for name, text := range viewer(t) {
		if path.Ext(name) == ".txt" {
			continue
		}
		for _, found := range address.FindAllString(text, -1) {
			if !names.MatchString(found) {
				t.Errorf("%s refers to %s", name, found)
			}
		}
	}
}

func TestViewerKeepsToTheContentPolicy(t *testing.T) {
	texts := viewer(t)
	forbidden := map[string]*regexp.Regexp{
		"an event handler": regexp.MustCompile(`(?i)\son[a-z]+\s*=\s*"`),
		"a style":          regexp.MustCompile(`(?i)<style\b|<[^>]*\sstyle\s*=`),
		"a script":         regexp.MustCompile(`(?i)<script\b[^>]*>[^<]`),
	}
	for what, pattern := range forbidden {
		if found := pattern.FindString(texts["index.html"]); found != "" {
			t.Errorf("index.html has %s in it: %s", what, found)
		}
	}
	for name, text := range texts {
		if found := regexp.MustCompile(`\beval\(|new Function\(|\burl\(["']?(?:data|blob):`).FindString(text); found != "" {
			t.Errorf("%s has %s", name, found)
		}
	}
}

func TestViewerNamesWhatItIsBuiltOf(t *testing.T) {
	text := viewer(t)["licenses.txt"]
	if !strings.Contains(text, "\nol ") || strings.Count(text, "Copyright") < 2 {
		t.Errorf("licenses.txt lacks licenses: %.200q", text)
	}
}
