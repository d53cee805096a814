package remote

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// webServer is a web server that serves a folder and writes a line for each request.
type webServer struct {
	url    string
	folder string
	log    string // path
	told   int    // lines of the log that were counted
	marks  int    // paths that asked has asked for
}

// asked returns the lines about requests since the last call. It makes one itself: when a server with one process
// writes about it, it has written about all before it.
func (w *webServer) asked(t *testing.T) []string {
	t.Helper()
	w.marks++
	mark := fmt.Sprintf("/mark-%d", w.marks)
	response, err := http.Get(w.url + mark)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(w.log)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(text), "\n")
		lines = lines[w.told : len(lines)-1]
		for i, line := range lines {
			if strings.Contains(line, " "+mark+" ") {
				w.told += i + 1
				return lines[:i]
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server does not write that it was asked: %s", text)
		}
	}
}

// startNginx runs nginx with settings of its own for a server.
func startNginx(t *testing.T, settings string) *webServer {
	t.Helper()
	program, address, state := find(t, "nginx"), freeAddress(t), t.TempDir()
	w := &webServer{url: "http://" + address, folder: t.TempDir(), log: filepath.Join(state, "access.log")}
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;" // another user may not read the folders of a test
	}
	var temporary strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "%s_temp_path %s; ", kind, filepath.Join(state, kind))
	}
	config := filepath.Join(state, "nginx.conf")
	write(t, config, fmt.Appendf(nil, `daemon off; worker_processes 1; error_log stderr crit; pid %s; %s
events {}
http {
  access_log %s; default_type application/octet-stream; %s
  server { listen %s; root %s; %s }
}
`, filepath.Join(state, "nginx.pid"), user, w.log, temporary.String(), address, w.folder, settings))
	run(t, w.url, program, "-e", "stderr", "-c", config)
	w.asked(t)
	return w
}

// startLighttpd runs lighttpd, which sends no ETag for files of unknown types.
func startLighttpd(t *testing.T) *webServer {
	t.Helper()
	program, address, state := find(t, "lighttpd"), freeAddress(t), t.TempDir()
	w := &webServer{url: "http://" + address, folder: t.TempDir(), log: filepath.Join(state, "access.log")}
	host, port, _ := strings.Cut(address, ":")
	config := filepath.Join(state, "lighttpd.conf")
	write(t, config, fmt.Appendf(nil, `server.modules = ("mod_accesslog")
server.bind = "%s"
server.port = %s
server.document-root = "%s"
accesslog.filename = "%s"
`, host, port, w.folder, w.log))
	run(t, w.url, program, "-D", "-f", config)
	w.asked(t)
	return w
}
