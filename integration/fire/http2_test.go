package fire

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/cmd/tileserver/ports"
	"tileserver/http/answer"
)

// pipes is a listener in memory.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
}

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.accepted <- server:
		return client, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Accept returns the other end of the next connection.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accepted:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close lets dial and Accept fail.
func (p *pipes) Close() error {
	close(p.closed)
	return nil
}

// Addr returns an address that means nothing.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// listen serves a handler on ports as the program does, until the test ends. It returns a client that
// speaks HTTP/2 as proxies do.
func listen(t *testing.T, handler http.Handler) *http.Client {
	listener := &pipes{make(chan net.Conn), make(chan struct{})}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- ports.Ports{Public: listener}.Serve(ctx, ports.Config{
			Public: handler, Connections: ports.NewConnections(1), Stop: ports.Stop{Grace: time.Second}, Logger: slog.New(slog.DiscardHandler),
		})
	}()
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: protocols, DialContext: listener.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &http.Client{Transport: transport}
}

// On a connection that a proxy shares, a client that reads too slowly is cut off, and nobody else.
func TestASlowReaderOfASharedConnectionIsCutOffAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rate, allowance = 16 << 10, 7 * time.Second
		sending := answer.NewSending(answer.SendingConfig{MaxBytes: 64 << 20, MinRate: rate, Allowance: allowance})
		via := listen(t, sendingServerOf(t, map[string]reading{"a": decoding(time.Millisecond)}, sending))
		const large = "http://test/layers/a/view.npy?crs=image&bbox=0,0,2500,2500&width=2500&height=2500" // more than a client buffers
		slow, err := via.Get(large)
		if err != nil || slow.ProtoMajor != 2 {
			t.Fatalf("%+v, %v", slow, err)
		}
		defer slow.Body.Close()
		began := time.Now()
		for n := 0; sending.Stats().CutOff == 0 && time.Since(began) < time.Hour; n++ {
			if _, err := io.CopyN(io.Discard, slow.Body, rate/4); err != nil {
				break
			}
			other, err := via.Get("http://test" + tileOf("a", n))
			if err != nil || other.StatusCode != http.StatusOK {
				t.Fatalf("tile %d beside it: %v, %v", n, other, err)
			}
			io.Copy(io.Discard, other.Body)
			other.Body.Close()
			time.Sleep(time.Second)
		}
		if took := time.Since(began); took > allowance+30*time.Second {
			t.Errorf("it was cut off after %v", took)
		}
		if _, err := io.Copy(io.Discard, slow.Body); err == nil {
			t.Error("the answer looks complete")
		}
		synctest.Wait()
		if got := sending.Stats(); got.CutOff != 1 || got.UsedBytes != 0 {
			t.Errorf("%+v", got)
		}
		quick, err := via.Get(large)
		if err != nil {
			t.Fatal(err)
		}
		defer quick.Body.Close()
		if n, err := io.Copy(io.Discard, quick.Body); err != nil || n != quick.ContentLength {
			t.Errorf("a client that reads: %d of %d bytes, %v", n, quick.ContentLength, err)
		}
	})
}
