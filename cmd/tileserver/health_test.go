package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

func TestHealthOfARunningServer(t *testing.T) {
	s := start(t, append([]string{"serve", smallTIFF(t)}, freePorts...)...)
	admin := strings.TrimPrefix(s.admin, "http://")
	_, port, _ := strings.Cut(admin, ":")
	everywhere := writeFile(t, t.TempDir(), "all.yaml", "admin_listen: 0.0.0.0:"+port)
	for _, args := range [][]string{
		{"--admin-listen", admin},
		{"--admin-listen", ":" + port},
		{"--config", everywhere},
		{"--config", filepath.Join("..", "..", "configs", "dev.yaml"), "--admin-listen", admin},
		{"--url", s.admin + "/healthz"},
		{"--url", s.admin},
		{"--url", s.admin + "/"},
	} {
		if got, want := mustRun(t, append([]string{"health"}, args...)...), "ready\n"; got != want {
			t.Errorf("health %q prints %q, want %q", args, got, want)
		}
	}
	s.stop()
	if code, _, stderr := runProgram(t, "health", "--admin-listen", admin); code != exitFailure || !strings.HasPrefix(stderr, "tileserver: not healthy: no answer from "+s.admin+"/readyz: ") || strings.Contains(stderr, "dial tcp") {
		t.Errorf("health of a server that is gone: exit code %d, %q", code, stderr)
	}
}

func TestHealthReportsWhyAServerIsNotReady(t *testing.T) {
	for _, test := range []struct {
		status     int
		body, want string
	}{
		{503, `{"error":{"code":"not_ready","message":"files are\nstill being opened"}}`, "not ready: files are still being opened"},
		{503, "<html>", "not ready: 503 Service Unavailable"},
		{404, "", "not ready: 404 Not Found"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(test.status)
			fmt.Fprint(w, test.body)
		}))
		code, stdout, stderr := runProgram(t, "health", "--url", server.URL+"/readyz")
		server.Close()
		if want := "tileserver: " + test.want + "\n"; code != exitFailure || stdout != "" || stderr != want {
			t.Errorf("an answer of %d: exit code %d, %q, %q on the standard error; want %d and %q", test.status, code, stdout, stderr, exitFailure, want)
		}
	}
}

// The target of a redirect, such as a login page, says nothing about the server.
func TestHealthFollowsNoRedirect(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/login" {
			http.Redirect(w, r, "/login", http.StatusFound)
		}
	}))
	defer server.Close()
	if code, stdout, stderr := runProgram(t, "health", "--url", server.URL+"/readyz"); code != exitFailure || stdout != "" || !strings.Contains(stderr, "302 Found") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}

func TestHealthWithoutAServer(t *testing.T) {
	silent := writeFile(t, t.TempDir(), "silent.yaml", `admin_listen: ""`)
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"file.tif"}, "takes no file"},
		{[]string{"--url", "127.0.0.1:8081"}, "no address like http://"},
		{[]string{"--url", "ftp://127.0.0.1/readyz"}, "no address like http://"},
		{[]string{"--admin-listen", "8081"}, "missing port"},
		{[]string{"--config", silent}, "no admin_listen"},
		{[]string{"--admin-listen", ""}, "no admin_listen"},
	} {
		code, _, stderr := runProgram(t, append([]string{"health"}, test.args...)...)
		if code != exitUsage || !strings.Contains(stderr, test.says) {
			t.Errorf("health %q: exit code %d, %q; want %d and %q", test.args, code, stderr, exitUsage, test.says)
		}
	}
}
