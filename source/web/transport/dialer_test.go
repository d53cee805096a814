package transport

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const trip = 20 * time.Millisecond

// network makes connections to a server that is a round trip away.
type network struct {
	made, closed atomic.Int32
	isAway       atomic.Bool
}

func (n *network) connect(ctx context.Context, _, _ string) (net.Conn, error) {
	n.made.Add(1)
	if err := Sleep(ctx, trip); err != nil {
		return nil, err
	}
	if n.isAway.Load() {
		return nil, errors.New("nobody is there")
	}
	client, server := net.Pipe()
	go answerAll(server)
	return &countedConn{client, n}, nil
}

// answerAll answers the requests of a connection after a round trip each.
func answerAll(conn net.Conn) {
	defer conn.Close()
	for reader := bufio.NewReader(conn); ; {
		if _, err := http.ReadRequest(reader); err != nil {
			return
		}
		time.Sleep(trip)
		if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"); err != nil {
			return
		}
	}
}

type countedConn struct {
	net.Conn
	of *network
}

func (c *countedConn) Close() error {
	c.of.closed.Add(1)
	return c.Conn.Close()
}

// clientOver returns a client whose connections to trusted servers are those of a network.
func clientOver(t *testing.T, n *network, config Config) *Client {
	c, pool := New(config), newPool(newDialer(n.connect))
	c.trusted = pool
	t.Cleanup(func() {
		time.Sleep(2 * spareTime)
		pool.CloseIdleConnections()
	})
	return c
}

// askOver fetches the body at an address of the network.
func askOver(t *testing.T, c *Client, moreFollow bool) {
	t.Helper()
	at := &url.URL{Scheme: "http", Host: "example.org", Path: "/a.tif"}
	turn, err := c.Enter(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer turn.Leave()
	request := Request{URL: at, IsTrusted: true, MoreFollow: moreFollow}
	err = turn.Fetch(t.Context(), func() Request { return request }, func(a *Answer) error {
		_, err := io.ReadAll(a.Body)
		return err
	})
	if err != nil && !strings.Contains(err.Error(), "nobody is there") {
		t.Error(err)
	}
}

// askTwice asks for two bodies side by side.
func askTwice(t *testing.T, c *Client) {
	var asking sync.WaitGroup
	asking.Go(func() { askOver(t, c, false) })
	asking.Go(func() { askOver(t, c, false) })
	asking.Wait()
}

func TestRequestsThatFollowAnOpeningWaitForNoConnection(t *testing.T) {
	for moreFollow, wantTrips := range map[bool]time.Duration{true: 3, false: 4} {
		synctest.Test(t, func(t *testing.T) {
			n := new(network)
			c := clientOver(t, n, Config{})
			began := time.Now()
			askOver(t, c, moreFollow)
			askTwice(t, c)
			if took := time.Since(began); took != wantTrips*trip || n.made.Load() != 2 {
				t.Errorf("more follow: %v: took %v over %d connections, want %d round trips over 2", moreFollow, took, n.made.Load(), wantTrips)
			}
		})
	}
}

func TestASpareConnectionThatNobodyTakesIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := new(network)
		c := clientOver(t, n, Config{})
		askOver(t, c, true)
		time.Sleep(spareTime - 2*trip)
		if n.made.Load() != 2 || n.closed.Load() != 0 {
			t.Fatalf("%d connections were made and %d closed, want 2 and none", n.made.Load(), n.closed.Load())
		}
		time.Sleep(2 * trip)
		if n.closed.Load() != 1 {
			t.Errorf("%d connections were closed, want the spare one", n.closed.Load())
		}
	})
}

func TestASpareConnectionIsOnlyMadeBehindTheFirstOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := new(network)
		c := clientOver(t, n, Config{})
		for range 3 {
			askOver(t, c, true)
		}
		if n.made.Load() != 2 {
			t.Errorf("%d connections were made, want one and a spare one", n.made.Load())
		}
		time.Sleep(2 * spareTime)
		askOver(t, c, true)
		if n.made.Load() != 2 {
			t.Errorf("%d connections were made, although one was idle", n.made.Load())
		}
	})
}

func TestASpareConnectionIsWithinTheTurnsOfTheOrigin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := new(network)
		c := clientOver(t, n, Config{MaxParallel: 1})
		askOver(t, c, true)
		synctest.Wait()
		if n.made.Load() != 1 {
			t.Errorf("%d connections were made to a server that is asked once at a time", n.made.Load())
		}
	})
}

func TestAServerThatIsNotReachedGetsNoSpareConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := new(network)
		n.isAway.Store(true)
		d := newDialer(n.connect)
		if _, err := d.dial(withSpare(t.Context()), "tcp", "example.org:80"); err == nil || len(d.spares) != 0 {
			t.Errorf("error %v, %d spare connections", err, len(d.spares))
		}
	})
}

func TestASpareConnectionThatFailsIsMadeAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := new(network)
		d := newDialer(n.connect)
		first, err := d.dial(withSpare(t.Context()), "tcp", "example.org:80")
		if err != nil {
			t.Fatal(err)
		}
		n.isAway.Store(true) // before the spare one has arrived
		time.Sleep(2 * trip)
		n.isAway.Store(false)
		second, err := d.dial(t.Context(), "tcp", "example.org:80")
		if err != nil || n.made.Load() != 3 {
			t.Fatalf("error %v after %d connections, want none after 3", err, n.made.Load())
		}
		first.Close()
		second.Close()
	})
}

func TestASpareConnectionIsClosedIfWhoTakesItGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := new(network)
		d := newDialer(n.connect)
		first, err := d.dial(withSpare(t.Context()), "tcp", "example.org:80")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), trip/2)
		defer cancel()
		if _, err := d.dial(ctx, "tcp", "example.org:80"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want the deadline", err)
		}
		time.Sleep(trip)
		if n.closed.Load() != 1 {
			t.Errorf("%d connections were closed, want the spare one", n.closed.Load())
		}
		first.Close()
	})
}

func TestASpareConnectionIsEncryptedAhead(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	d := newDialer(new(net.Dialer).DialContext)
	d.tls = &tls.Config{RootCAs: x509.NewCertPool()}
	d.tls.RootCAs.AddCert(server.Certificate())
	to := peer{network: "tcp", address: server.Listener.Addr().String(), isTLS: true}
	first, err := d.dialTLS(withSpare(t.Context()), to.network, to.address)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	spare := d.take(t.Context(), to)
	if spare == nil {
		t.Fatal("there is no spare connection")
	}
	defer spare.Close()
	if secured, ok := spare.(*tls.Conn); !ok || !secured.ConnectionState().HandshakeComplete {
		t.Errorf("the spare connection is a %T without a handshake", spare)
	}
}

func TestAConnectionToAServerThatIsNotTheOneFails(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	d := newDialer(new(net.Dialer).DialContext)
	_, err := d.dialTLS(withSpare(t.Context()), "tcp", server.Listener.Addr().String())
	if unknown := (*tls.CertificateVerificationError)(nil); !errors.As(err, &unknown) {
		t.Errorf("error %v, want one of the certificate", err)
	}
}
