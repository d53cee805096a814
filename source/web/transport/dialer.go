package transport

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"time"
)

// dialer makes the connections of a pool. Behind the first one to a server it may make a *spare* one, which the
// next dial takes: requests that follow at once need not wait for a connection each.
type dialer struct {
	connect func(ctx context.Context, network, address string) (net.Conn, error)
	tls     *tls.Config // without the name of a server; nil is the default

	mu     sync.Mutex // guards the field below
	spares map[peer]*spare
}

func newDialer(connect func(ctx context.Context, network, address string) (net.Conn, error)) *dialer {
	return &dialer{connect: connect, spares: make(map[peer]*spare)}
}

// peer is who a connection leads to.
type peer struct {
	network, address string
	isTLS            bool
}

// spare is a connection that nobody has asked for yet.
type spare struct {
	made chan net.Conn // has one element, which is nil if there is no connection
}

// spareTime is how long a spare connection is kept. Servers close those on which nothing is asked.
const spareTime = 5 * time.Second

type spareKey struct{}

// withSpare returns a context in which a connection is followed by a spare one.
func withSpare(ctx context.Context) context.Context {
	return context.WithValue(ctx, spareKey{}, true)
}

// dial returns a connection to an address.
func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	return d.dialPeer(ctx, peer{network: network, address: address})
}

// dialTLS returns a connection to an address that is encrypted.
func (d *dialer) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	return d.dialPeer(ctx, peer{network: network, address: address, isTLS: true})
}

// dialPeer takes the spare connection, or makes one. Only a server that is reached gets a spare one.
func (d *dialer) dialPeer(ctx context.Context, to peer) (net.Conn, error) {
	if conn := d.take(ctx, to); conn != nil {
		return conn, nil
	}
	conn, err := d.connect(ctx, to.network, to.address)
	if err != nil {
		return nil, err
	}
	if ctx.Value(spareKey{}) != nil {
		d.keepSpare(to)
	}
	return d.secure(ctx, conn, to)
}

// secure encrypts a connection if that is wanted.
func (d *dialer) secure(ctx context.Context, conn net.Conn, to peer) (net.Conn, error) {
	if !to.isTLS {
		return conn, nil
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	config := d.tls.Clone()
	if config == nil {
		config = new(tls.Config)
	}
	config.ServerName, _, _ = net.SplitHostPort(to.address) // which has a port, or it was not connected
	config.NextProtos = []string{"http/1.1"}
	secured := tls.Client(conn, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return secured, nil
}

// keepSpare begins to make a spare connection, unless there is one. One that nobody takes is closed.
func (d *dialer) keepSpare(to peer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.spares[to]; ok {
		return
	}
	kept := &spare{make(chan net.Conn, 1)}
	d.spares[to] = kept
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), spareTime)
		defer cancel()
		conn, err := d.connect(ctx, to.network, to.address)
		if err == nil {
			conn, err = d.secure(ctx, conn, to)
		}
		if err != nil {
			conn = nil // who dials next learns why
		}
		kept.made <- conn
	}()
	time.AfterFunc(spareTime, func() {
		if d.remove(to, kept) {
			kept.close()
		}
	})
}

// take returns the spare connection, once it is made; or nil.
func (d *dialer) take(ctx context.Context, to peer) net.Conn {
	d.mu.Lock()
	kept := d.spares[to]
	delete(d.spares, to)
	d.mu.Unlock()
	if kept == nil {
		return nil
	}
	select {
	case conn := <-kept.made:
		return conn
	case <-ctx.Done():
		go kept.close()
		return nil
	}
}

// remove reports whether a spare connection was not taken. Nobody takes it any more.
func (d *dialer) remove(to peer, kept *spare) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.spares[to] != kept {
		return false
	}
	delete(d.spares, to)
	return true
}

// close closes the connection, once it is made.
func (s *spare) close() {
	if conn := <-s.made; conn != nil {
		conn.Close()
	}
}
