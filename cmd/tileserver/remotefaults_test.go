package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"tileserver/source/web/webtest"
)

// A server that asks for patience is not asked, and clients learn how long that takes.
func TestClientsLearnWhenAServerMayBeAsked(t *testing.T) {
	web := webtest.New(t)
	web.Put("/a.tif", string(blocksFile(t)))
	s := start(t, append([]string{"serve", web.URL + "/a.tif", "--state", ""}, freePorts...)...)
	web.Asked()
	web.Script(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "50")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	for i := range 3 {
		response, err := http.Get(s.maps + block("a", 200+i))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if wait, _ := strconv.Atoi(response.Header.Get("Retry-After")); response.StatusCode != http.StatusServiceUnavailable || wait < 20 || wait > 50 {
			t.Errorf("status %d, Retry-After %d", response.StatusCode, wait)
		}
	}
	if asked := web.Asked(); len(asked) != 1 {
		t.Errorf("asked %v", asked)
	}
}

// One remote file of several that is not there, or that its server refuses, is no mistake: the others are served, and it
// is once it is there. The only one is a mistake, as a file on disk is.
func TestRemoteFilesThatAreNotThere(t *testing.T) {
	for name, config := range map[string]string{
		"paths":  "paths: ['%[1]s/a.tif', '%[1]s/b.tif?sig=s3cret']\n",
		"layers": "layers: [{id: a, path: '%[1]s/a.tif'}, {id: b, path: '%[1]s/b.tif?sig=s3cret'}]\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits until the file has settled
			web := webtest.New(t)
			web.Put("/a.tif", smallFile(t, 33))
			file := writeFile(t, t.TempDir(), "c.yaml", fmt.Sprintf(config, web.URL))
			s := start(t, append([]string{"serve", "--config", file}, freePorts...)...)
			if log := s.stderr.String(); !strings.Contains(log, "skipped file") || !strings.Contains(log, web.URL+"/b.tif") {
				t.Errorf("the log is %s", log)
			}
			if status, _ := get(t, s.maps+"/layers/a/preview.png"); status != http.StatusOK {
				t.Errorf("the other file: status %d", status)
			}
			web.Put("/b.tif", smallFile(t, 33))
			eventually(t, "the file is served", func() bool {
				if _, err := http.Post(s.admin+"/admin/rescan", "", nil); err != nil {
					t.Fatal(err)
				}
				status, _ := get(t, s.maps+"/layers/b/preview.png")
				return status == http.StatusOK
			})
			if code := s.stop(); code != exitOK || strings.Contains(s.stderr.String(), "s3cret") {
				t.Errorf("it stops with %d: %s", code, s.stderr)
			}
		})
	}
	web := webtest.New(t)
	for _, arguments := range [][]string{
		{web.URL + "/none.tif?sig=s3cret"},
		{"--config", writeFile(t, t.TempDir(), "c.yaml", "layers: [{path: '"+web.URL+"/none.tif?sig=s3cret'}]\n")},
	} {
		code, _, stderr := runProgram(t, append(append([]string{"serve"}, arguments...), freePorts...)...)
		if code != exitUsage || !strings.Contains(stderr, "no such file or folder: "+web.URL+"/none.tif") || strings.Contains(stderr, "s3cret") {
			t.Errorf("%q ends with %d: %s", arguments, code, stderr)
		}
	}
}
