package fire

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A manner is how a client reads an answer.
type manner struct {
	pause time.Duration // after each piece
	most  int64         // bytes after which it hangs up; 0 is none
}

// The manners of bad clients.
var (
	readsNothing = manner{pause: time.Hour}
	readsSlowly  = manner{pause: 50 * time.Millisecond}
	hangsUp      = manner{most: 20 << 10}
)

// attack lets clients ask in turns of manners for a time. A client whose connection has ended asks
// again. Paths are chosen by number. It returns how many requests there were.
func (s *server) attack(clients int, lasting time.Duration, path func(number int) string) (asked int64) {
	ctx, stop := context.WithTimeout(context.Background(), lasting)
	defer stop()
	var all sync.WaitGroup
	var number atomic.Int64
	for i := range clients {
		all.Go(func() {
			for ctx.Err() == nil {
				s.ask(ctx, path(int(number.Add(1))), []manner{readsNothing, readsSlowly, hangsUp}[i%3])
			}
		})
	}
	all.Wait()
	return number.Load()
}

// pieceBytes is how much a client reads at a time.
const pieceBytes = 8 << 10

// ask sends a request and reads the answer until ctx ends. Errors are as expected under attack.
func (s *server) ask(ctx context.Context, path string, by manner) {
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		<-time.After(time.Millisecond) // the backlog is full
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	conn.(*net.TCPConn).SetReadBuffer(pieceBytes)
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: fire.example\r\n\r\n", path)
	for read := int64(0); by.most == 0 || read < by.most; {
		if by.pause > 0 && read > 0 || by == readsNothing {
			select {
			case <-ctx.Done():
				return
			case <-time.After(by.pause):
			}
		}
		n, err := io.CopyN(io.Discard, conn, pieceBytes)
		if read += n; err != nil {
			return
		}
	}
}

// keep asks for a path and reads the head of the answer only, until the test ends. It returns the
// status.
func (s *server) keep(t *testing.T, path string) (status int) {
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Error(err)
		return 0
	}
	t.Cleanup(func() { conn.Close() })
	conn.(*net.TCPConn).SetReadBuffer(pieceBytes)
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: fire.example\r\n\r\n", path)
	head, err := http.ReadResponse(bufio.NewReaderSize(conn, pieceBytes), nil)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return 0
	}
	return head.StatusCode
}

// watch asks for a path again and again until stop is called, and fails the test if an answer is no
// success. It returns the longest time of an answer.
func (s *server) watch(t *testing.T, path string) (stop func() (answers int, longest time.Duration)) {
	t.Helper()
	client := &http.Client{Timeout: 30 * time.Second}
	ended, done := make(chan struct{}), make(chan struct{})
	answers, longest := 0, time.Duration(0)
	go func() {
		defer close(done)
		for {
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
			began := time.Now()
			response, err := client.Get("http://" + s.address + path)
			if err != nil {
				t.Errorf("%s under attack: %v", path, err)
				return
			}
			io.Copy(io.Discard, bufio.NewReader(response.Body))
			response.Body.Close()
			if response.StatusCode != http.StatusOK {
				t.Errorf("%s under attack: status %d", path, response.StatusCode)
				return
			}
			answers, longest = answers+1, max(longest, time.Since(began))
		}
	}()
	return func() (int, time.Duration) {
		close(ended)
		<-done
		return answers, longest
	}
}
