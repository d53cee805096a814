package ports

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// proxy returns a client that speaks HTTP/2 without TLS, as proxies do, on an open connection.
func proxy(t *testing.T, p *pipes) *http.Client { return slowProxy(t, p, 0) }

// slowProxy returns a proxy whose connection is a slowConn, if there is a pause.
func slowProxy(t *testing.T, p *pipes, pause time.Duration) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{
		Protocols: protocols,
		DialContext: func(context.Context, string, string) (net.Conn, error) {
			conn, err := p.dial()
			if pause > 0 {
				conn = &slowConn{conn, pause, 0}
			}
			return conn, err
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	first, err := client.Get("http://test/")
	if err != nil {
		t.Fatal(err)
	}
	first.Body.Close()
	return client
}

func TestProxiesMaySpeakHTTP2(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serveAtMost(t, 2, nil)
		via := proxy(t, s.public)
		var all sync.WaitGroup
		began := time.Now()
		for range maxStreams + 1 {
			all.Go(func() {
				answer, err := via.Get("http://test/5s")
				if err != nil {
					t.Error(err)
					return
				}
				defer answer.Body.Close()
				if body, err := io.ReadAll(answer.Body); err != nil || string(body) != "done" || answer.ProtoMajor != 2 {
					t.Errorf("%s: %q, %v", answer.Proto, body, err)
				}
			})
		}
		all.Wait()
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("all requests took %v", took)
		}
		synctest.Wait()
		if got := s.connections.Stats(); got != (ConnectionStats{Open: 2, Quiet: 2}) { // the first had as many requests as allowed
			t.Errorf("%+v", got)
		}
		for length, fits := range map[int]bool{maxHeaderBytes / 2: true, 2 * maxHeaderBytes: false} {
			request, err := http.NewRequest(http.MethodGet, "http://test/", nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("X-Long", strings.Repeat("a", length))
			answer, err := via.Do(request) // the client knows the limit
			if (err == nil) != fits {
				t.Errorf("a header of %d bytes: %v", length, err)
			}
			if err == nil {
				answer.Body.Close()
			}
		}
		s.end(t)
	})
}

// A stream whose client does not read is reset at its write deadline, beside others that go on.
func TestAStalledStreamEndsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const allowed = 30 * time.Second
		written := make(chan error, 1)
		s := serveAtMost(t, 1, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/large" {
				work(w, r)
				return
			}
			if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(allowed)); err != nil {
				t.Error(err)
			}
			_, err := w.Write(make([]byte, 16<<20))
			written <- err
		}))
		defer s.end(t)
		via := proxy(t, s.public)
		began := time.Now()
		stalled, err := via.Get("http://test/large")
		if err != nil {
			t.Fatal(err)
		}
		defer stalled.Body.Close()
		other, err := via.Get("http://test/1s")
		if err != nil {
			t.Fatal(err)
		}
		other.Body.Close()
		if err := <-written; err == nil || time.Since(began) != allowed {
			t.Errorf("after %v the write ended with %v", time.Since(began), err)
		}
		if _, err := io.ReadAll(stalled.Body); err == nil {
			t.Error("the answer looks complete")
		}
		if other, err = via.Get("http://test/"); err != nil {
			t.Errorf("afterwards: %v", err)
		} else {
			other.Body.Close()
		}
	})
}

// A client that opens a connection for HTTP/2 and then reads nothing is cut off.
func TestAClientThatReadsNoFramesIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serveAtMost(t, 1, nil)
		defer s.end(t)
		c := connect(t, s.public)
		if _, err := io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for s.connections.Stats().Open > 0 && time.Since(began) < time.Hour {
			time.Sleep(time.Second)
		}
		if took := time.Since(began); took > 2*writeTimeout {
			t.Errorf("it was cut off after %v", took)
		}
		if _, err := c.Write([]byte("more")); !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	})
}

// slowConn is the connection of a client that reads a kibibyte at a time, after the first few.
type slowConn struct {
	net.Conn
	pause time.Duration
	read  int
}

func (c *slowConn) Read(p []byte) (int, error) {
	if c.read > 4<<10 {
		time.Sleep(c.pause)
	}
	n, err := c.Conn.Read(p[:min(len(p), 1<<10)])
	c.read += n
	return n, err
}

// A client that shares a connection among answers, and takes a few bytes now and then, is cut off like
// one that takes none. One that reads at the rate gets its answers.
func TestAClientThatReadsFramesSlowlyIsCutOff(t *testing.T) {
	const bytes, allowed, allowance = 1 << 20, 30 * time.Second, 5 * time.Second
	for _, test := range []struct {
		pause time.Duration
		isOK  bool
	}{{10 * time.Second, false}, {20 * time.Millisecond, true}} {
		synctest.Test(t, func(t *testing.T) {
			written := make(chan error, 8)
			handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/" {
					return
				}
				_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(allowed))
				_, err := w.Write(make([]byte, bytes/8))
				written <- err
			})
			s := serveWith(t, Config{Public: handler, Connections: NewConnections(1), Stop: Stop{Grace: time.Minute}, Pace: Pace{16 << 10, allowance}})
			defer s.end(t)
			via := slowProxy(t, s.public, test.pause)
			began := time.Now()
			var clients sync.WaitGroup
			for range cap(written) {
				clients.Go(func() {
					if answer, err := via.Get("http://test/large"); err == nil {
						io.Copy(io.Discard, answer.Body)
						answer.Body.Close()
					}
				})
			}
			for range cap(written) {
				if err := <-written; (err == nil) != test.isOK {
					t.Errorf("with pauses of %v, a write ended with %v after %v", test.pause, err, time.Since(began))
				}
			}
			clients.Wait()
			if took := time.Since(began); !test.isOK && took > paceWindow+allowance+5*time.Second {
				t.Errorf("it was cut off after %v", took)
			}
		})
	}
}
