//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// unread asks for a large answer and reads only its head, so that the request stays in flight.
func unread(t *testing.T, maps string) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(maps, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	if err := connection.(*net.TCPConn).SetReadBuffer(16 << 10); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(connection, "GET /layers/a/view.npy?crs=image&bbox=0,0,33,33&width=4000&height=4000 HTTP/1.1\r\nHost: test\r\n\r\n")
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%+v, %v", answer, err)
	}
	return connection
}

// While a server waits for the answers in flight, a second signal ends it at once.
func TestASecondSignalEndsTheServerAtOnce(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, "a.tif", smallFile(t, 33))
	for _, drain := range []string{"0s", "1m"} {
		p := startProcess(t, append([]string{"serve", folder, "--drain-delay", drain, "--shutdown-timeout", "1m", "--send-allowance", "1h"}, freePorts...)...)
		unread(t, p.maps(t))
		p.signal(t, syscall.SIGTERM)
		eventually(t, "the server stops", func() bool { return strings.Contains(p.stderr.String(), "stopping") })
		p.signal(t, syscall.SIGTERM)
		var exit *exec.ExitError
		if err := p.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
			t.Errorf("it ended with %v: %s", err, p.stderr)
		}
	}
}

// While a server drains, it is not ready, so that no more clients are sent to it, but it still answers
// those that come.
func TestAServerThatDrainsIsNotReady(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, "a.tif", smallFile(t, 33))
	p := startProcess(t, append([]string{"serve", folder, "--drain-delay", "1h"}, freePorts...)...)
	maps, admin := p.serving(t)
	eventually(t, "the server is ready", func() bool { status, _ := get(t, admin+"/readyz"); return status == http.StatusOK })
	p.signal(t, syscall.SIGTERM)
	eventually(t, "the server is not ready", func() bool {
		status, body := get(t, admin+"/readyz")
		return status == http.StatusServiceUnavailable && strings.Contains(string(body), errStopping.Error())
	})
	if status, body := get(t, maps+"/layers/a/preview.png"); status != http.StatusOK {
		t.Errorf("while it drains, a picture has status %d: %s", status, body)
	}
}
