package ports

import (
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
	"syscall"
	"time"
)

// listener accepts connections within a bound, and outlasts a lack of file descriptors.
type listener struct {
	net.Listener
	connections *Connections
	logger      *slog.Logger
	isClosed    atomic.Bool
	warned      time.Time // when the lack of descriptors was logged last
}

// Accept returns the next connection once there is room for it.
func (l *listener) Accept() (net.Conn, error) {
	conn, err := l.acceptNext()
	if err != nil {
		return nil, err
	}
	if !l.connections.admit(conn, l.isClosed.Load) {
		conn.Close()
		return nil, net.ErrClosed
	}
	return conn, nil
}

// Close closes the port. Connections that wait for room are refused.
func (l *listener) Close() error {
	l.isClosed.Store(true)
	l.connections.wake()
	return l.Listener.Close()
}

// The pauses before the system is asked again for a connection that it could not open.
const (
	minAcceptPause = 5 * time.Millisecond
	maxAcceptPause = time.Second
)

// acceptNext accepts a connection. If the system has too few file descriptors or too little memory
// for it, quiet connections are closed, one for each attempt, until there are enough.
func (l *listener) acceptNext() (net.Conn, error) {
	for pause := minAcceptPause; ; pause = min(2*pause, maxAcceptPause) {
		conn, err := l.Listener.Accept()
		if !isShortage(err) {
			return conn, err
		}
		l.warn(err)
		l.connections.freeDescriptor()
		time.Sleep(pause)
	}
}

// warningInterval is the least time between lines about the same shortage.
const warningInterval = time.Minute

func (l *listener) warn(err error) {
	if !l.warned.IsZero() && time.Since(l.warned) < warningInterval {
		return
	}
	l.warned = time.Now()
	l.logger.Warn("connections cannot be accepted now, closing idle ones", "err", err)
}

// isShortage reports whether the system lacks something that it may have again soon.
func isShortage(err error) bool {
	for _, lack := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM} {
		if errors.Is(err, lack) {
			return true
		}
	}
	return false
}
