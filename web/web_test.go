package web_test

import (
	"encoding/xml"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"tileserver/web"
)

// files returns the texts of all files of the plain page, by name.
func files(t *testing.T) map[string]string {
	t.Helper()
	return textsOf(t, web.Plain())
}

func textsOf(t *testing.T, folder fs.FS) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(folder, name)
		texts[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func TestFilesAreThere(t *testing.T) {
	texts := files(t)
	for _, name := range []string{"index.html", "style.css", "app.js", "favicon.svg"} {
		if len(texts[name]) == 0 {
			t.Errorf("%s is missing or empty", name)
		}
	}
	for name := range texts {
		switch path.Ext(name) {
		case ".html", ".css", ".js", ".svg":
		default:
			t.Errorf("%s is of a kind that the page has no use for", name)
		}
	}
}

func TestNothingComesFromElsewhere(t *testing.T) {
	address := regexp.MustCompile(`(?i)(?:https?:)?//[a-z0-9-]+\.[a-z0-9.-]+[^\s"')]*`)
	namespaces := map[string]bool{"http://www.w3.org/2000/svg": true}
	for name, text := range files(t) {
		for _, found := range address.FindAllString(text, -1) {
			if !namespaces[found] {
				t.Errorf("%s refers to %s", name, found)
			}
		}
	}
}

func TestReferencesAreRelativeAndKept(t *testing.T) {
	texts := files(t)
	reference := regexp.MustCompile(`(?:\b(?:href|src)="|\bfrom "(?:\./)?|\bimport "(?:\./)?)([^"]*)"`)
	pages := map[string]bool{"layers": true} // answered by the server
	count := 0
	for name, text := range texts {
		for _, match := range reference.FindAllStringSubmatch(text, -1) {
			target := match[1]
			if strings.HasPrefix(target, "#") {
				continue
			}
			count++
			if _, isFile := texts[target]; !isFile && !pages[target] {
				t.Errorf("%s refers to %q, which is not there under that relative name", name, target)
			}
		}
	}
	if count < 6 {
		t.Errorf("only %d references were found: the page has more", count)
	}
}

func TestServerIsAskedByRelativeAddresses(t *testing.T) {
	rooted := regexp.MustCompile("[\"'`]/(?:layers|tiles|wmts)\\b")
	for name, text := range files(t) {
		if found := rooted.FindString(text); found != "" {
			t.Errorf("%s has %s…: the server may live under another path", name, found)
		}
	}
}

func TestStrictContentPolicyHolds(t *testing.T) {
	forbidden := map[string]*regexp.Regexp{
		"an event handler in HTML": regexp.MustCompile(`(?i)\son[a-z]+\s*=\s*"`),
		"a style attribute":        regexp.MustCompile(`(?i)<[^>]*\sstyle\s*=`),
		"a style element":          regexp.MustCompile(`(?i)<style\b`),
		"a script in HTML":         regexp.MustCompile(`(?i)<script\b[^>]*>[^<]`),
		"an eval":                  regexp.MustCompile(`\beval\(|new Function\(`),
		"HTML made of text":        regexp.MustCompile(`\.(?:inner|outer)HTML\b|insertAdjacentHTML`),
		"a data address":           regexp.MustCompile(`(?i)["'(]data:`),
	}
	for name, text := range files(t) {
		for what, pattern := range forbidden {
			if found := pattern.FindString(text); found != "" {
				t.Errorf("%s has %s: %s", name, what, found)
			}
		}
	}
}

// voidElements have no end tag.
var voidElements = map[string]bool{"meta": true, "link": true, "img": true, "input": true, "br": true}

func TestElementsAreClosed(t *testing.T) {
	decoder := xml.NewDecoder(strings.NewReader(files(t)["index.html"]))
	decoder.Strict = false
	decoder.AutoClose = xml.HTMLAutoClose
	decoder.Entity = xml.HTMLEntity
	var open []string
	ids := make(map[string]bool)
	for {
		token, err := decoder.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch element := token.(type) {
		case xml.StartElement:
			for _, attribute := range element.Attr {
				if attribute.Name.Local == "id" && ids[attribute.Value] {
					t.Errorf("two elements have the id %q", attribute.Value)
				} else if attribute.Name.Local == "id" {
					ids[attribute.Value] = true
				}
			}
			if !voidElements[element.Name.Local] {
				open = append(open, element.Name.Local)
			}
		case xml.EndElement:
			if voidElements[element.Name.Local] {
				continue
			}
			if len(open) == 0 || open[len(open)-1] != element.Name.Local {
				t.Fatalf("</%s> closes nothing; open are %v", element.Name.Local, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("never closed: %v", open)
	}
}

func TestScriptFindsItsElements(t *testing.T) {
	texts := files(t)
	used := regexp.MustCompile(`byID\("([^"]+)"\)`)
	for _, match := range used.FindAllStringSubmatch(texts["app.js"], -1) {
		if !strings.Contains(texts["index.html"], `id="`+match[1]+`"`) {
			t.Errorf("app.js looks for the element %q, which index.html lacks", match[1])
		}
	}
}

func TestPageIsSmall(t *testing.T) {
	const maxBytes = 64 << 10
	total := 0
	for _, text := range files(t) {
		total += len(text)
	}
	if total > maxBytes {
		t.Errorf("the page has %d bytes, want at maxBytes %d", total, maxBytes)
	}
}
