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

// Stop says how a server stops. It *drains* first: it still accepts requests, while load balancers
// learn from its readiness to send none. Then come the *grace*, in which answers in progress finish.
type Stop struct {
	Drain, Grace time.Duration
	Canceled     error // the cause that ends the contexts of requests that would outlast the grace
}

// maxAnswerTime is the end of the grace in which canceled requests are answered. They have less of a
// short grace.
const maxAnswerTime = 2 * time.Second

// adminGrace bounds answers to operators at the end. Profiles take longer and are cut off.
const adminGrace = time.Second

// stoppable is a server that stops as configured.
type stoppable struct {
	*http.Server
	Stop
	logger     *slog.Logger
	isStopping atomic.Bool
	cancel     context.CancelCauseFunc // cancels all requests
}

// newStoppable returns the public server. Requests outlive ctx.
func newStoppable(ctx context.Context, c Config) *stoppable {
	s := &stoppable{Stop: c.Stop, logger: c.Logger}
	ctx, s.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	s.Server = newServer(s.closing(c.Public), c.Logger)
	s.BaseContext = func(net.Listener) context.Context { return ctx }
	return s
}

// closing asks clients to close their connections once the server stops. It does not close idle
// ones while it drains: a proxy may be sending a request on one.
func (s *stoppable) closing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.isStopping.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// drain returns after the time to drain, or with the error of a server that failed.
func (s *stoppable) drain(failed <-chan error) error {
	s.isStopping.Store(true)
	s.logger.Info("stopping", "drain_delay", s.Drain, "shutdown_timeout", s.Grace)
	select {
	case err := <-failed:
		return err
	case <-time.After(s.Drain):
		return nil
	}
}

// stop refuses new connections and lets the requests in progress finish. It cancels those that are
// not prepared near the end of the grace, so that their clients get an answer, and cuts off those
// that are still being sent at its end.
func (s *stoppable) stop() error {
	s.isStopping.Store(true)
	defer s.cancel(nil)
	near := time.AfterFunc(s.Grace-min(maxAnswerTime, s.Grace/4), func() { s.cancel(s.Canceled) })
	defer near.Stop()
	err := shutDown(s.Server, s.Grace)
	if errors.Is(err, context.DeadlineExceeded) {
		s.logger.Warn("answers were cut off, because they took longer than shutdown_timeout")
		return nil
	}
	return err
}

// shutDown lets requests finish until the grace ends, and then cuts them off.
func shutDown(s *http.Server, grace time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	defer s.Close()
	return s.Shutdown(ctx)
}
