package ports

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = time.Minute // including a body, which no handler needs
	maxHeaderBytes    = 16 << 10
	idleTimeout       = 2 * time.Minute  // longer than proxies keep a connection, so that they close it
	writeTimeout      = 30 * time.Second // of HTTP/2 for the next byte; answers have deadlines and a pace of their own

	maxStreams             = 100      // of HTTP/2: requests at a time on a connection
	maxConnectionRequests  = 10_000   // then the connection is closed, so that proxies spread theirs anew
	maxRequestBuffer       = 64 << 10 // of HTTP/2 for bodies, which no handler needs
	maxOperatorConnections = 256
)

// Config is what Serve needs besides the listeners.
type Config struct {
	Public, Admin http.Handler
	Connections   *Connections // of the public port
	Pace          Pace         // of its clients
	Stop          Stop
	Logger        *slog.Logger // gets the errors of connections, too
}

// Serve answers requests until ctx ends, then stops as the configuration says. If a port fails, it
// stops without draining. The admin port answers to the end.
func (p Ports) Serve(ctx context.Context, c Config) error {
	failed := make(chan error, 2) // as many as there may be servers
	start := func(s *http.Server, l net.Listener, within *Connections) {
		s.ConnState = within.follow
		go func() { failed <- s.Serve(&listener{Listener: l, connections: within, logger: c.Logger}) }()
	}
	public := newStoppable(ctx, c)
	start(public.Server, pacedListener{p.Public, c.Pace}, c.Connections)
	if p.Admin != nil {
		admin := newServer(c.Admin, c.Logger)
		start(admin, p.Admin, NewConnections(maxOperatorConnections))
		defer shutDown(admin, adminGrace)
	}
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		err = public.drain(failed)
	}
	return errors.Join(err, public.stop())
}

// newServer returns a server of HTTP/1 and, for proxies, of HTTP/2 without TLS.
func newServer(handler http.Handler, logger *slog.Logger) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler: paceShared(endConnections(handler)), Protocols: protocols, ConnContext: contextOf, IdleTimeout: idleTimeout,
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, MaxHeaderBytes: maxHeaderBytes,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: maxStreams, WriteByteTimeout: writeTimeout, SendPingTimeout: writeTimeout,
			MaxReceiveBufferPerConnection: maxRequestBuffer, MaxReceiveBufferPerStream: maxRequestBuffer,
		},
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}

// contextOf returns the context of the requests on a connection.
func contextOf(ctx context.Context, conn net.Conn) context.Context {
	return countRequests(keepConn(ctx, conn))
}

// requestsKey is the context key of the number of requests on a connection, an *atomic.Int64.
type requestsKey struct{}

func countRequests(ctx context.Context) context.Context {
	return context.WithValue(ctx, requestsKey{}, new(atomic.Int64))
}

// endConnections asks clients to close a connection after its last request.
func endConnections(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests := r.Context().Value(requestsKey{}).(*atomic.Int64); requests.Add(1) >= maxConnectionRequests {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
