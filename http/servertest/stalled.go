package servertest

import (
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
)

// Pipes is a listener of unbuffered connections: a write blocks until it is read.
type Pipes chan net.Conn

// Listen serves s on pipes until the test ends.
func (s *Server) Listen(t testing.TB) Pipes {
	p := make(Pipes)
	server := &http.Server{Handler: s.Handler}
	served := make(chan error)
	go func() { served <- server.Serve(p) }()
	t.Cleanup(func() {
		close(p)
		server.Close()
		if err := <-served; !errors.Is(err, net.ErrClosed) && !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return p
}

// Accept returns the connection of the next client.
func (p Pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

// Close does nothing; the test that listens closes the pipes.
func (p Pipes) Close() error { return nil }

// Addr returns no address.
func (p Pipes) Addr() net.Addr { return &net.TCPAddr{} }

// Request sends a request from a client that does not read the response.
func (p Pipes) Request(t testing.TB, path string) net.Conn {
	t.Helper()
	server, client := net.Pipe()
	p <- server
	if _, err := io.WriteString(client, "GET "+path+" HTTP/1.1\r\nHost: maps.example\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	return client
}
