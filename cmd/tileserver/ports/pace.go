package ports

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// A Pace is how fast the clients of HTTP/2 must read. Handlers give each answer a deadline, which ends
// the answer if the connection is its own. On one that many answers share, the end of an answer waits
// behind what is written already, so the connection needs a pace, too.
type Pace struct {
	MinRate   int64         // bytes a second, for all answers on a connection; 0 is any rate
	Allowance time.Duration // for which it may be slower at the beginning
}

// paceWindow is how late what is written may be at the rate.
const paceWindow = 10 * time.Second

// pacedConn is a connection that is closed if its client reads too slowly, once it is shared.
type pacedConn struct {
	net.Conn
	pace     Pace
	isShared atomic.Bool   // by the answers of HTTP/2, which one goroutine writes
	late     time.Duration // of what was written, at the rate; negative if it was early

	mu    sync.Mutex // guards the field below
	given time.Time  // the deadline that the server gave to writes; zero for none
}

var errReadTooSlowly = errors.New("the client read too slowly")

// SetDeadline sets the deadlines of reads and writes.
func (c *pacedConn) SetDeadline(at time.Time) error {
	c.note(at)
	return c.Conn.SetDeadline(at)
}

// SetWriteDeadline sets the deadline of writes.
func (c *pacedConn) SetWriteDeadline(at time.Time) error {
	c.note(at)
	return c.Conn.SetWriteDeadline(at)
}

func (c *pacedConn) note(given time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.given = given
}

// SetLinger says how long the system tries to send what is left when the connection is closed.
func (c *pacedConn) SetLinger(seconds int) error {
	if tcp, ok := c.Conn.(interface{ SetLinger(seconds int) error }); ok {
		return tcp.SetLinger(seconds)
	}
	return nil
}

// Write writes p. On a shared connection it must not take longer than the pace allows.
func (c *pacedConn) Write(p []byte) (int, error) {
	if !c.isShared.Load() {
		return c.Conn.Write(p)
	}
	began := time.Now()
	latest := began.Add(paceWindow - c.late + c.pace.timeOf(len(p)))
	if err := c.Conn.SetWriteDeadline(c.before(latest)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(p)
	c.late = max(c.late+time.Since(began)-c.pace.timeOf(n), -c.pace.Allowance)
	if errors.Is(err, os.ErrDeadlineExceeded) && !time.Now().Before(latest) {
		_ = c.SetLinger(0) // what the system has buffered would hold memory for minutes
		c.Close()
		return n, errReadTooSlowly
	}
	return n, err
}

// timeOf returns the time that a client may take for a number of bytes.
func (p Pace) timeOf(bytes int) time.Duration {
	return time.Duration(bytes) * time.Second / time.Duration(p.MinRate)
}

// before returns the deadline that the server gave, if it is before another one.
func (c *pacedConn) before(latest time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.given.IsZero() || latest.Before(c.given) {
		return latest
	}
	return c.given
}

// pacedListener accepts connections that have a pace.
type pacedListener struct {
	net.Listener
	pace Pace
}

// Accept returns the next connection.
func (l pacedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil || l.pace.MinRate == 0 {
		return conn, err
	}
	return &pacedConn{Conn: conn, pace: l.pace, late: -l.pace.Allowance}, nil
}

// connKey is the context key of the connection of a request, a net.Conn.
type connKey struct{}

func keepConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// paceShared begins to pace the connections that answers share.
func paceShared(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, ok := r.Context().Value(connKey{}).(*pacedConn); ok && r.ProtoMajor > 1 {
			conn.isShared.Store(true)
		}
		next.ServeHTTP(w, r)
	})
}
