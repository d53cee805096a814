package integration

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"tileserver/signature"
)

// documentedKey is the key with which the examples of the documents sign.
var documentedKey = signature.Key{ID: "2026a", Secret: strings.Repeat("secret", 6)}

// blockOf returns the only fenced block of a language in a document.
func blockOf(t *testing.T, path, language string) string {
	t.Helper()
	blocks := regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(readText(t, path), -1)
	if len(blocks) != 1 {
		t.Fatalf("%s has %d blocks of %s", path, len(blocks), language)
	}
	return blocks[0][1]
}

// outputOf runs a program with the secret in its environment.
func outputOf(t *testing.T, name string, args ...string) string {
	t.Helper()
	command := exec.Command(find(t, name), args...)
	command.Env = append(os.Environ(), "SECRET="+documentedKey.Secret)
	written, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, written)
	}
	return strings.TrimSpace(string(written))
}

// isSignedFor reports whether an address is signed for a path, with more parameters in its query.
func isSignedFor(t *testing.T, address, path, more string) bool {
	t.Helper()
	_, text, _ := strings.Cut(address, "?")
	query, err := url.ParseQuery(text + more)
	if err != nil {
		t.Fatal(err)
	}
	until, err := (signature.Keys{documentedKey}).Verify(path, query, time.Now())
	return err == nil && time.Until(until) > time.Minute
}

// The Python function of the documents signs as the server does, whatever it is asked to sign.
func TestPythonOfTheDocumentsSigns(t *testing.T) {
	function := blockOf(t, "../docs/access.md", "python")
	for _, test := range []struct {
		query    string // as a dictionary
		path     string // that is asked for
		more     string // parameters that are added
		isSigned bool
	}{
		{`{}`, "/layers/dem/preview.png", "", true},
		{`{}`, "/layers/dem/preview.webp", "", false},
		{`{}`, "/layers/dem/preview.png", "&_=1", false},
		{`{"expression": "b1*2 + ~b2;b3", "rescale": "0,9"}`, "/layers/dem/preview.png", "", true},
		{`{"unsigned": "bbox,width"}`, "/layers/dem/preview.png", "&bbox=1,2,3,4&width=9", true},
		{`{"unsigned": "bbox,width"}`, "/layers/dem/preview.png", "&height=9", false},
		{`{"unsigned": "*"}`, "/layers/dem/preview.png", "&bbox=1,2,3,4&width=9", true},
		{`{"unsigned": "*", "expression": "b1"}`, "/layers/dem/preview.png", "", true},
		{`{"unsigned": "*", "signed_path": "/layers/*/"}`, "/layers/other/view.png", "&width=9", true},
		{`{"unsigned": "*,expires,key_id"}`, "/layers/dem/preview.png", "", true},
		{`{"signed_path": "/layers/dem/"}`, "/layers/other/view.png", "", false},
	} {
		call := fmt.Sprintf("print(signed('/layers/dem/preview.png', %s, %q, %q, 3600))", test.query, documentedKey.ID, documentedKey.Secret)
		address := outputOf(t, "python3", "-c", function+"\n"+call)
		if got := isSignedFor(t, address, test.path, test.more); got != test.isSigned {
			t.Errorf("%s is signed for %s with %q: %t", address, test.path, test.more, got)
		}
	}
}

// The commands for a shell sign a template.
func TestShellOfTheDocumentsSigns(t *testing.T) {
	find(t, "openssl")
	address := outputOf(t, "bash", "-euo", "pipefail", "-c", blockOf(t, "../docs/access.md", "bash"))
	if !isSignedFor(t, address, "/tiles/dem/5/6/7.png", "") || isSignedFor(t, address, "/tiles/other/5/6/7.png", "") {
		t.Errorf("%s is not signed for all tiles of the layer alone", address)
	}
}
