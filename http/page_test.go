package http_test

import (
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"tileserver/web"
)

func TestPageIsServed(t *testing.T) {
	w := newWorld(t, nil)
	hashed := regexp.MustCompile(`^assets/[a-z]+-[0-9A-Z]{8}\.(?:js|css)$`)
	err := fs.WalkDir(web.Page(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(name, ".") {
			return err
		}
		response := w.get(t, "/"+name)
		if response.Code != http.StatusOK {
			t.Errorf("%s is answered with %d", name, response.Code)
		}
		isImmutable := strings.Contains(response.Header().Get("Cache-Control"), "immutable")
		if want := hashed.MatchString(name); isImmutable != want {
			t.Errorf("%s may be kept for ever: %t, want %t", name, isImmutable, want)
		}
		if policy := response.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") {
			t.Errorf("%s has the policy %q", name, policy)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if status := w.get(t, "/.gitignore").Code; status != http.StatusNotFound {
		t.Errorf("a file that is no part of the page is answered with %d", status)
	}
}
