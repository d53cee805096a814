package http_test

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"tileserver/http/servertest"
	"tileserver/web"
)

func TestPageContentSecurityPolicy(t *testing.T) {
	server := servertest.New(t, nil)
	policy := server.Get(t, "/").Header().Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "http") || strings.Contains(policy, "unsafe") {
		t.Errorf("the page's policy is %q", policy)
	}
	if got := server.Get(t, "/layers").Header().Get("Content-Security-Policy"); got != "" {
		t.Errorf("JSON has the policy %q", got)
	}
}

func TestPageIsServed(t *testing.T) {
	server := servertest.New(t, nil)
	hashed := regexp.MustCompile(`^assets/[a-z]+-[0-9A-Z]{8}\.(?:js|css)$`)
	err := fs.WalkDir(web.Page(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(name, ".") {
			return err
		}
		response := server.Get(t, "/"+name)
		if response.Code != http.StatusOK {
			t.Errorf("%s: status %d", name, response.Code)
		}
		isImmutable := strings.Contains(response.Header().Get("Cache-Control"), "immutable")
		if want := hashed.MatchString(name); isImmutable != want {
			t.Errorf("%s is immutable: %t, want %t", name, isImmutable, want)
		}
		if policy := response.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") {
			t.Errorf("%s has the policy %q", name, policy)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if status := server.Get(t, "/.gitignore").Code; status != http.StatusNotFound {
		t.Errorf("an unknown file: status %d", status)
	}
}

// The HTML page is compressed once, at the best level.
func TestPageIsCompressedOnce(t *testing.T) {
	server, count := servertest.New(t, nil), 0
	err := fs.WalkDir(web.Page(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".js") {
			return err
		}
		answer := server.GetEncoded("/"+name, "gzip", "")
		if answer.Header().Get("Content-Encoding") == "" {
			return nil // too short to be compressed
		}
		count++
		plain, packed := server.Get(t, "/"+name).Body.Bytes(), answer.Body.Bytes()
		unpacked, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return err
		}
		if got, err := io.ReadAll(unpacked); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s differs after decompression: %v", name, err)
		}
		var best bytes.Buffer
		to, err := gzip.NewWriterLevel(&best, gzip.BestCompression)
		if err != nil {
			return err
		}
		to.Write(plain)
		to.Close()
		if len(packed) > best.Len() {
			t.Errorf("%s has %d compressed bytes, the best level gives %d", name, len(packed), best.Len())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count == 0 {
		t.Error("nothing of the page is compressed")
	}
}
