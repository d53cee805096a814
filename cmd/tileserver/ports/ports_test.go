package ports

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test calls the function, because root may listen on any port.
func TestAPrivilegedPortSuggestsAnother(t *testing.T) {
	denied := &net.OpError{Op: "listen", Err: os.NewSyscallError("bind", syscall.EACCES)}
	want := "no permission to listen on 0.0.0.0:80; choose a port from 1024 up, such as --listen 0.0.0.0:8080"
	if err := whyNotOpen(denied, "0.0.0.0:80", "--listen"); err.Error() != want {
		t.Errorf("it says %q, want %q", err, want)
	}
}

func TestNextPort(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:8080": "127.0.0.1:8090", "[::1]:8081": "[::1]:8091", ":80": ":8080", "localhost:65530": "localhost:0", "nonsense": "127.0.0.1:0",
	} {
		if got := nextPort(address); got != want {
			t.Errorf("in place of %s, %s is proposed, want %s", address, got, want)
		}
	}
}

func TestBrowserURL(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080", "0.0.0.0:80": "http://localhost:80", "[::]:81": "http://localhost:81", "[::1]:82": "http://[::1]:82",
	} {
		at, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if got := BrowserURL(at); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestHeadersAreBounded(t *testing.T) {
	p, err := Open("127.0.0.1:0", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	handler := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	go func() {
		ended <- p.Serve(ctx, Config{Public: handler, Admin: handler, Connections: NewConnections(9), Stop: Stop{Grace: time.Second}, Logger: slog.New(slog.DiscardHandler)})
	}()
	for _, address := range []string{p.Public.Addr().String(), p.AdminAddress()} {
		for length, want := range map[int]int{maxHeaderBytes / 2: http.StatusOK, 2 * maxHeaderBytes: http.StatusRequestHeaderFieldsTooLarge} {
			response, err := http.Get("http://" + address + "/" + strings.Repeat("a", length))
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != want {
				t.Errorf("%s answers an address of %d bytes with %d, want %d", address, length, response.StatusCode, want)
			}
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
