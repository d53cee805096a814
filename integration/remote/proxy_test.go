package remote

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tileserver/source"
)

// proxy stands between the program and a server, counts, and does what servers and networks do wrong.
type proxy struct {
	*httptest.Server
	next http.Handler
	sent atomic.Int64 // bytes of bodies
	busy atomic.Int64 // requests that are being answered

	mu    sync.Mutex // guards the fields below
	fault fault
	asked []string
}

// fault answers a request wrongly, or lets the server answer it.
type fault func(w http.ResponseWriter, r *http.Request, next http.Handler)

// newProxy returns a proxy before a server.
func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	at, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	// The host of requests stays as it is: it is signed.
	return newProxyBefore(t, &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = at.Scheme, at.Host, r.In.Host
		},
		Transport:    &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }, // its client has left
	})
}

func newProxyBefore(t *testing.T, next http.Handler) *proxy {
	p := &proxy{next: next}
	p.Server = httptest.NewServer(p)
	t.Cleanup(func() {
		p.CloseClientConnections()
		p.Close()
	})
	return p
}

// answerBy lets a fault answer from now on; nil ends all faults.
func (p *proxy) answerBy(f fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
}

// askedSince returns the requests since the last call.
func (p *proxy) askedSince() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := p.asked
	p.asked = nil
	return asked
}

// isIdle reports whether no request is being answered.
func (p *proxy) isIdle() bool { return p.busy.Load() == 0 }

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked = append(p.asked, fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), r.Header.Get("Range")))
	f := p.fault
	p.mu.Unlock()
	p.busy.Add(1)
	defer p.busy.Add(-1)
	w = &countedWriter{w, &p.sent}
	if f == nil {
		p.next.ServeHTTP(w, r)
		return
	}
	f(w, r, p.next)
}

// countedWriter counts the bytes of bodies.
type countedWriter struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (c *countedWriter) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.sent.Add(int64(n))
	return n, err
}

func (c *countedWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// every is a fault of each n-th request, but of none that asks for the same again.
func every(n int, f fault) fault {
	var mu sync.Mutex // guards the variables below
	count, failed := 0, make(map[string]bool)
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		asked := r.URL.Path + " " + r.Header.Get("Range")
		mu.Lock()
		count++
		fails := count%n == 0 && !failed[asked]
		if fails {
			failed[asked] = true
		}
		mu.Unlock()
		if fails {
			f(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	}
}

// refuse answers with a status, and the code of a bucket.
func refuse(status int, code string) fault {
	return func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		w.WriteHeader(status)
		fmt.Fprintf(w, "<Error><Code>%s</Code></Error>", code)
	}
}

// reset breaks off a connection before it answers.
func reset(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	if tcp, ok := connection.(*net.TCPConn); ok {
		tcp.SetLinger(0) // with a reset, not with an end
	}
	connection.Close()
}

// cut breaks off a body after some bytes.
func cut(after int) fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&cutWriter{w, after}, r)
	}
}

// cutWriter aborts the answer when nothing is left to write.
type cutWriter struct {
	http.ResponseWriter
	left int
}

func (c *cutWriter) Write(p []byte) (int, error) {
	if len(p) > c.left {
		c.ResponseWriter.Write(p[:c.left])
		http.NewResponseController(c.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	c.left -= len(p)
	return c.ResponseWriter.Write(p)
}

// shift answers a range with one beside it. The server says so.
func shift(w http.ResponseWriter, r *http.Request, next http.Handler) {
	var first, last int64
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &first, &last); err == nil {
		other := source.Range{Offset: first + 1, Length: last - first + 1}
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", other.Offset, other.End()-1))
	}
	next.ServeHTTP(w, r)
}

// whole answers ranges with the whole object, which may be.
func whole(w http.ResponseWriter, r *http.Request, next http.Handler) {
	r.Header.Del("Range")
	next.ServeHTTP(w, r)
}

// hang does not answer until its client has left.
func hang(_ http.ResponseWriter, r *http.Request, _ http.Handler) { <-r.Context().Done() }

// late answers after a time.
func late(by time.Duration) fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		ctx, stop := context.WithTimeout(r.Context(), by)
		defer stop()
		<-ctx.Done()
		next.ServeHTTP(w, r)
	}
}

// slowly sends bodies in pieces with pauses.
func slowly(piece int, pause time.Duration) fault {
	return func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		next.ServeHTTP(&slowWriter{w, r.Context(), piece, pause}, r)
	}
}

type slowWriter struct {
	http.ResponseWriter
	ctx   context.Context
	piece int
	pause time.Duration
}

func (s *slowWriter) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		wrote, err := s.ResponseWriter.Write(p[:min(s.piece, len(p))])
		if n += wrote; err != nil {
			return n, err
		}
		if err := http.NewResponseController(s.ResponseWriter).Flush(); err != nil {
			return n, err
		}
		p = p[wrote:]
		select {
		case <-time.After(s.pause):
		case <-s.ctx.Done():
			return n, s.ctx.Err()
		}
	}
	return n, nil
}

var _ io.Writer = (*slowWriter)(nil)
