package ports

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener of connections within the process.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// dial returns the client's end of a new connection, or an error if the port is closed.
func (p *pipes) dial() (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// A client asks on one connection.
type client struct {
	net.Conn
	answers *bufio.Reader
}

func newClient(c net.Conn) *client { return &client{c, bufio.NewReader(c)} }

func connect(t *testing.T, p *pipes) *client {
	t.Helper()
	c, err := p.dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return newClient(c)
}

// get returns the answer to a request, with its body.
func (c *client) get(path string) (*http.Response, string, error) {
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: test\r\n\r\n"); err != nil {
		return nil, "", err
	}
	answer, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return nil, "", err
	}
	body, err := io.ReadAll(answer.Body)
	return answer, string(body), err
}

var errTestStops = errors.New("the test stops")

// work answers "/" at once. It takes as long as another path says, unless the request is canceled.
// Below /send, the answer has begun before.
func work(w http.ResponseWriter, r *http.Request) {
	path, isSent := strings.CutPrefix(r.URL.Path, "/send")
	duration, _ := time.ParseDuration(strings.TrimPrefix(path, "/"))
	if isSent {
		http.NewResponseController(w).Flush()
		time.Sleep(duration) // as a write to a slow client does
		io.WriteString(w, "done")
		return
	}
	select {
	case <-time.After(duration):
		io.WriteString(w, "done")
	case <-r.Context().Done():
		http.Error(w, context.Cause(r.Context()).Error(), http.StatusServiceUnavailable)
	}
}

// running is a server on pipes.
type running struct {
	public, admin *pipes
	connections   *Connections
	stop          func()
	ended         chan error
}

func serve(t *testing.T, stop Stop) *running {
	return serveWith(t, Config{Public: http.HandlerFunc(work), Connections: NewConnections(100), Stop: stop})
}

// serveAtMost serves a number of connections at a time.
func serveAtMost(t *testing.T, connections int, handler http.Handler) *running {
	if handler == nil {
		handler = http.HandlerFunc(work)
	}
	return serveWith(t, Config{Public: handler, Connections: NewConnections(connections), Stop: Stop{Grace: time.Minute}})
}

func serveWith(t *testing.T, c Config) *running {
	ctx, cancel := context.WithCancel(t.Context())
	s := &running{newPipes(), newPipes(), c.Connections, cancel, make(chan error, 1)}
	c.Admin, c.Logger = http.HandlerFunc(work), slog.New(slog.DiscardHandler)
	go func() { s.ended <- Ports{s.public, s.admin}.Serve(ctx, c) }()
	return s
}

// end stops the server and waits for it.
func (s *running) end(t *testing.T) {
	s.stop()
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
}

func TestAServerDrainsBeforeItCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, Stop{Drain: 5 * time.Second, Grace: 10 * time.Second, Canceled: errTestStops})
		early := connect(t, s.public)
		if answer, _, err := early.get("/"); err != nil || answer.Close {
			t.Fatalf("before it stops: closes %v, %v", answer.Close, err)
		}
		s.stop()
		time.Sleep(4 * time.Second)
		for name, c := range map[string]*client{"an idle": early, "a new": connect(t, s.public)} {
			answer, body, err := c.get("/")
			if err != nil || body != "done" || !answer.Close {
				t.Errorf("while it drains, %s connection: %q, %v", name, body, err)
			}
		}
		if _, _, err := connect(t, s.admin).get("/"); err != nil {
			t.Errorf("while it drains, operators: %v", err)
		}
		began := time.Now()
		if err := <-s.ended; err != nil || time.Since(began) > 2*time.Second {
			t.Errorf("it ended %v after it drained: %v", time.Since(began), err)
		}
		if _, err := s.public.dial(); err == nil {
			t.Error("the port is open")
		}
	})
}

func TestRequestsFinishWithinTheGrace(t *testing.T) {
	for path, want := range map[string]struct {
		body string
		ends time.Duration
	}{
		"/5s":      {"done", 5 * time.Second},
		"/30s":     {errTestStops.Error() + "\n", 8 * time.Second}, // while its answer can still be sent
		"/send/9s": {"done", 9 * time.Second},
	} {
		t.Run(path, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := serve(t, Stop{Grace: 10 * time.Second, Canceled: errTestStops})
				asking := connect(t, s.public)
				go func() {
					synctest.Wait()
					s.stop()
				}()
				began := time.Now()
				if _, body, err := asking.get(path); err != nil || body != want.body || time.Since(began) != want.ends {
					t.Errorf("after %v: %q, %v; want %q after %v", time.Since(began), body, err, want.body, want.ends)
				}
				if err := <-s.ended; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A client that does not read its answer does not keep the server.
func TestTheGraceEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, Stop{Grace: 10 * time.Second, Canceled: errTestStops})
		stalled := connect(t, s.public)
		cut := make(chan error)
		go func() {
			_, _, err := stalled.get("/send/40s")
			cut <- err
		}()
		synctest.Wait()
		s.stop()
		began := time.Now()
		if err := <-s.ended; err != nil {
			t.Errorf("it failed: %v", err)
		}
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("it ended after %v", took)
		}
		if err := <-cut; err == nil {
			t.Error("the answer looks complete")
		}
		time.Sleep(time.Minute) // until the handler returns
	})
}

func TestAPortThatFailsEndsTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, Stop{Drain: time.Hour, Grace: time.Second})
		synctest.Wait()
		s.public.Close()
		if err := <-s.ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("it ended with %v", err)
		}
	})
}
