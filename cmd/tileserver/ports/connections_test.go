package ports

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// asks fails the test unless the client gets an answer.
func (c *client) asks(t *testing.T, path string) {
	t.Helper()
	if _, body, err := c.get(path); err != nil || body != "done" {
		t.Errorf("%s: %q, %v", path, body, err)
	}
}

func (c *client) isAnswered(path string) bool {
	_, body, err := c.get(path)
	return err == nil && body == "done"
}

func TestAtTheLimitTheLongestQuietConnectionIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serveAtMost(t, 3, nil)
		defer s.end(t)
		silent, early, late := connect(t, s.public), connect(t, s.public), connect(t, s.public)
		for _, c := range []*client{late, early, late} {
			time.Sleep(time.Second)
			c.asks(t, "/")
		}
		connect(t, s.public).asks(t, "/")
		if _, err := silent.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("a connection that never asked is open: %v", err)
		}
		another := connect(t, s.public)
		another.asks(t, "/")
		if early.isAnswered("/") {
			t.Error("the connection that asked first is open")
		}
		if !late.isAnswered("/") || !another.isAnswered("/") {
			t.Error("connections that asked later are closed")
		}
		synctest.Wait()
		if got := s.connections.Stats(); got != (ConnectionStats{Open: 3, Quiet: 3, Closed: 2}) {
			t.Errorf("%+v", got)
		}
	})
}

func TestIfNoConnectionIsQuietANewOneWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serveAtMost(t, 2, nil)
		defer s.end(t)
		began := time.Now()
		var all sync.WaitGroup
		ask := func(path string, after time.Duration) {
			c := connect(t, s.public)
			all.Go(func() {
				c.asks(t, path)
				if took := time.Since(began); took != after {
					t.Errorf("%s: answered after %v, want %v", path, took, after)
				}
			})
			synctest.Wait()
		}
		ask("/5s", 5*time.Second)
		ask("/7s", 7*time.Second)
		ask("/1s", 6*time.Second) // begins when the first ends
		all.Wait()
	})
}

// Operators have connections of their own.
func TestTheAdminPortAnswersWhileThePublicOneIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serveAtMost(t, 2, nil)
		defer s.end(t)
		var public sync.WaitGroup
		for range 3 { // two take all connections, and one waits for them
			c := connect(t, s.public)
			public.Go(func() { c.asks(t, "/1m") })
			synctest.Wait()
		}
		if got := s.connections.Stats(); got != (ConnectionStats{Open: 2}) {
			t.Errorf("the public port has %+v", got)
		}
		began := time.Now()
		for range 3 {
			connect(t, s.admin).asks(t, "/")
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("operators waited %v", took)
		}
		public.Wait()
	})
}

func TestAPortClosesWhileAConnectionWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serveAtMost(t, 1, nil)
		working, done := connect(t, s.public), make(chan bool)
		go func() { done <- working.isAnswered("/5s") }()
		synctest.Wait()
		waiting := connect(t, s.public)
		s.stop()
		if waiting.isAnswered("/") {
			t.Error("the connection that waited was answered")
		}
		if !<-done {
			t.Error("the request in progress was not")
		}
		if err := <-s.ended; err != nil {
			t.Error(err)
		}
	})
}

// Clients that come, ask, stay and go in any order never hold more connections than allowed.
func TestConnectionsStayWithinTheirBound(t *testing.T) {
	const most, clients = 5, 60
	synctest.Test(t, func(t *testing.T) {
		s := serveAtMost(t, most, nil)
		defer s.end(t)
		var all sync.WaitGroup
		random := rand.New(rand.NewPCG(1, 2))
		for range clients {
			paths := []string{"/", "/3s", "/100ms", "/send/1s"}[random.IntN(4):]
			pause := time.Duration(random.IntN(5000)) * time.Millisecond
			all.Go(func() {
				time.Sleep(pause)
				c, err := s.public.dial()
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				for _, path := range paths {
					if !newClient(c).isAnswered(path) {
						return
					}
					if got := s.connections.Stats(); got.Open > most || got.Quiet > got.Open {
						t.Errorf("%+v", got)
					}
					time.Sleep(pause)
				}
			})
		}
		all.Wait()
		synctest.Wait()
		if got := s.connections.Stats(); got.Open != 0 || got.Quiet != 0 {
			t.Errorf("all have left, but there are %+v", got)
		}
	})
}

// short is a listener that lacks file descriptors some times.
type short struct {
	*pipes
	times int
}

func (s *short) Accept() (net.Conn, error) {
	if s.times > 0 {
		s.times--
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return s.pipes.Accept()
}

func TestALackOfFileDescriptorsPasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		from, connections := &short{pipes: newPipes()}, NewConnections(9)
		l := &listener{Listener: from, connections: connections, logger: slog.New(slog.NewTextHandler(&log, nil))}
		arrive := func(count int) {
			for range count {
				here, there := net.Pipe()
				connections.admit(there, l.isClosed.Load)
				connections.follow(there, http.StateNew)
				t.Cleanup(func() { here.Close() })
			}
		}
		arrive(3)
		time.Sleep(arrival)
		arrive(1)
		go from.dial()
		began := time.Now()
		from.times = 5 // which takes less than arrival
		if _, err := l.Accept(); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < 100*time.Millisecond || took > 7*maxAcceptPause {
			t.Errorf("it took %v", took)
		}
		if got := connections.Stats(); got.Closed != 3 {
			t.Errorf("%+v, want that all are closed but the one that has just come", got)
		}
		if lines := strings.Count(log.String(), "\n"); lines != 1 || !strings.Contains(log.String(), "level=WARN") {
			t.Errorf("the log has %s", &log)
		}
	})
}

// Proxies spread their connections anew over the replicas that there are.
func TestAConnectionHasAnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serveAtMost(t, 3, nil)
		defer s.end(t)
		c := connect(t, s.public)
		for i := range maxConnectionRequests {
			answer, _, err := c.get("/")
			if err != nil || answer.Close != (i == maxConnectionRequests-1) {
				t.Fatalf("request %d: %v, closes %v", i+1, err, answer.Close)
			}
		}
	})
}
