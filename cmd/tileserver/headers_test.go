package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/config"
	"tileserver/source/web/webtest"
)

// token is a file with a token that is replaced.
type token struct {
	t       *testing.T
	path    string
	written time.Time
}

// write replaces the token, as at another time than before.
func (f *token) write(text string) {
	f.t.Helper()
	if err := os.WriteFile(f.path, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
	f.written = f.written.Add(time.Second)
	if err := os.Chtimes(f.path, f.written, f.written); err != nil {
		f.t.Fatal(err)
	}
}

// A token in a file is read again when it changes, soon and not for each request. What cannot be read leaves the last
// one, and that is told once, without the token.
func TestTokensInFilesAreReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := &token{t, filepath.Join(t.TempDir(), "token"), time.Unix(1_700_000_000, 0)}
		file.write("first\n")
		var told bytes.Buffer
		entry := &config.Remote{Prefix: "https://example.org", Headers: config.Headers{{Name: "X-Token", File: file.path}, {Name: "X-Key", Value: "key"}}}
		h, err := readHeaders(entry, &notices{stderr: &told})
		if err != nil {
			t.Fatal(err)
		}
		want := func(token string) {
			t.Helper()
			if got := h.Header(); got.Get("X-Token") != token || got.Get("X-Key") != "key" {
				t.Errorf("the headers are %v, want %s", got, token)
			}
		}
		file.write("second")
		want("first")
		time.Sleep(lookPause)
		want("second")
		for _, unusable := range []string{"", "a\x00b s3cret"} {
			file.write(unusable)
			for range 3 {
				time.Sleep(lookPause)
				want("second")
			}
		}
		file.write("third")
		time.Sleep(lookPause)
		want("third")
		if text := told.String(); strings.Count(text, "headers cannot be read again") != 2 || strings.Contains(text, "s3cret") {
			t.Errorf("told %s", text)
		}
		file.write("fourth")
		for request := range 3 {
			if !h.Renew() {
				t.Errorf("request %d, which was sent with the token before, is lost", request)
			}
		}
		want("fourth")
		if time.Sleep(time.Minute); h.Renew() {
			t.Error("a token that is refused as it is in its file counts as another one")
		}
	})
}

// A token that is refused because it was replaced loses no request.
func TestATokenThatWasReplacedLosesNoRequest(t *testing.T) {
	web := webtest.New(t)
	web.Put("/a.tif", string(blocksFile(t)))
	file := &token{t, filepath.Join(t.TempDir(), "token"), time.Unix(1_700_000_000, 0)}
	file.write("first-s3cret")
	c := writeFile(t, t.TempDir(), "c.yaml", "paths: ['"+web.URL+"/a.tif']\nremote: [{prefix: '"+web.URL+"', headers: {X-Token: {file: '"+file.path+"'}}}]\n")
	s := start(t, append([]string{"serve", "--config", c, "--state", ""}, freePorts...)...)
	file.write("second-s3cret")
	web.Asked()
	web.Script(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	if status, body := get(t, s.maps+block("a", 200)); status != http.StatusOK {
		t.Errorf("status %d: %s", status, body)
	}
	asked := web.Asked()
	if len(asked) != 2 || asked[0].Header.Get("X-Token") != "first-s3cret" || asked[1].Header.Get("X-Token") != "second-s3cret" {
		t.Errorf("asked %v", asked)
	}
	if told := s.answers(t, "a") + s.stderr.String(); strings.Contains(told, "s3cret") {
		t.Error("the token is told")
	}
}
