package transport_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
	"tileserver/source/guard"
	"tileserver/source/web"
	"tileserver/source/web/transport"
)

// network is a network with a server that has every name, unless names fail.
type network struct {
	listener pipes

	mu    sync.Mutex // guards the field below
	fails map[string]error
}

// pipes is a listener whose connections are pipes.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// dial resolves a name and connects to the server.
func (n *network) dial(_ context.Context, _, address string) (net.Conn, error) {
	name, _, _ := net.SplitHostPort(address)
	n.mu.Lock()
	err := n.fails[name]
	n.mu.Unlock()
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}
	own, other := net.Pipe()
	n.listener <- other
	return own, nil
}

// set lets the name of a server fail, or not.
func (n *network) set(name string, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fails[name] = err
}

// opened returns a guarded store on the network, with an open object on each of two servers.
func opened(t *testing.T, n *network, content string) (closeIdle func(), objects map[string]source.Object) {
	t.Helper()
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		http.ServeContent(w, r, "a.tif", time.Time{}, strings.NewReader(content))
	})}
	go server.Serve(n.listener)
	client := transport.New(transport.Config{})
	closeIdle = client.DialBy(n.dial)
	t.Cleanup(func() {
		closeIdle()
		close(n.listener)
		server.Close()
	})
	store := guard.Wrap(web.NewStore(web.Config{Service: web.Plain{}, Client: client, IsTrusted: true, Recheck: time.Minute}), guard.Config{Timeout: 30 * time.Second})
	objects = make(map[string]source.Object)
	for _, name := range []string{"maps.example", "other.example"} {
		o, err := store.Open(t.Context(), "http://"+name+"/a.tif")
		if err != nil {
			t.Fatal(err)
		}
		objects[name] = o
	}
	return closeIdle, objects
}

// The name of a server is not resolved any more while it is read. Requests fail clearly and tell when to try again,
// those of other servers succeed all the while, and it recovers by itself.
func TestANameThatIsNotResolvedForAWhile(t *testing.T) {
	for name, failure := range map[string]error{
		"no such host": &net.DNSError{Err: "no such host", Name: "maps.example", IsNotFound: true},
		"no resolver":  &net.DNSError{Err: "server misbehaving", Name: "maps.example", IsTemporary: true},
		"a timeout":    &net.DNSError{Err: "i/o timeout", Name: "maps.example", IsTimeout: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			content := strings.Repeat("0123456789", 100_000)
			n := &network{listener: make(pipes), fails: make(map[string]error)}
			closeIdle, objects := opened(t, n, content)
			offset := int64(source.HeadBytes)
			read := func(of string) error {
				offset += 100
				_, err := objects[of].ReadRanges(t.Context(), []source.Range{{Offset: offset, Length: 10}})
				return err
			}
			n.set("maps.example", failure)
			time.Sleep(time.Minute) // until no connection is spare
			closeIdle()
			isRefused := false
			for began := time.Now(); time.Since(began) < 5*time.Minute; time.Sleep(time.Second) {
				stalled := new(guard.StalledError)
				if err := read("maps.example"); !errors.As(err, &stalled) || !strings.Contains(err.Error(), failure.(*net.DNSError).Err) || !strings.Contains(err.Error(), "maps.example") {
					t.Fatalf("%s: %v", name, err)
				}
				isRefused = isRefused || stalled.RetryAfter() > 0
				asked := time.Now()
				if err := read("other.example"); err != nil || time.Since(asked) > 0 {
					t.Fatalf("%s: another server: %v after %v", name, err, time.Since(asked))
				}
			}
			if !isRefused {
				t.Errorf("%s: no request told when to try again", name)
			}
			n.set("maps.example", nil)
			began := time.Now()
			for read("maps.example") != nil {
				if time.Sleep(time.Second); time.Since(began) > time.Minute {
					t.Fatalf("%s: it does not recover", name)
				}
			}
			for range 10 {
				if err := read("maps.example"); err != nil {
					t.Errorf("%s: later: %v", name, err)
				}
			}
		})
	}
}
