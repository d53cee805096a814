package http

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"tileserver/http/answer"
	"tileserver/layer"
)

// The attribute keys of a request in the log.
const (
	keyRequest  = "request"
	keyMethod   = "method"
	keyRoute    = "route"
	keyStatus   = "status"
	keyBytes    = "bytes"
	keyDuration = "duration"
	keyLayer    = "layer"
	keyCache    = "cache"
	keyError    = "error"
	keyStack    = "stack"
)

// The longest texts of a request in the log. Errors carry more detail.
const (
	maxFieldBytes = 400
	maxErrorBytes = 4 << 10
)

// The log levels of successful requests. Most requests of operators are probes.
const (
	levelOfAccess = slog.LevelInfo
	levelOfProbes = slog.LevelDebug
)

// observer reports requests to the log and to the metrics.
type observer struct {
	logger  *slog.Logger
	level   slog.Level // of successful requests
	access  AccessLog
	slow    time.Duration // 0 means that no request is slow
	metrics *Metrics
}

func (o observer) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		e := &answer.Exchange{ResponseWriter: w, ID: requestID(r)}
		e.Header().Set("X-Request-Id", e.ID)
		// Deferred, because a broken connection panics.
		defer func() {
			duration := time.Since(start)
			o.metrics.request(e.Route, e.Status, duration)
			o.metrics.refusal(e)
			o.log(r, e, duration)
		}()
		next.ServeHTTP(e, r)
	})
}

func (o observer) log(r *http.Request, e *answer.Exchange, duration time.Duration) {
	level, message := o.outcome(e, duration)
	isFiltered := o.access == AccessLogOff || o.access == AccessLogProblems && message == messageOfAccess
	if isFiltered && !metBug(e) || !o.logger.Enabled(r.Context(), level) {
		return
	}
	line := make([]slog.Attr, 0, 10)
	line = append(line, slog.String(keyRequest, e.ID), slog.String(keyMethod, answer.Shorten(r.Method, maxFieldBytes)), slog.String(keyRoute, e.Route),
		slog.Int(keyStatus, e.Status), slog.Int64(keyBytes, e.Bytes), slog.Duration(keyDuration, duration))
	if e.Layer != "" {
		line = append(line, slog.String(keyLayer, answer.Shorten(e.Layer, maxFieldBytes)))
	}
	if cache := e.Header().Get("X-Cache"); cache != "" {
		line = append(line, slog.String(keyCache, cache))
	}
	if e.Err != nil {
		line = append(line, slog.String(keyError, answer.Shorten(answer.LogText(e.Err), maxErrorBytes)))
	}
	if p := (*panicError)(nil); errors.As(e.Err, &p) {
		line = append(line, slog.String(keyStack, string(p.stack)))
	}
	// Without the request's context, which may have ended.
	o.logger.LogAttrs(context.WithoutCancel(r.Context()), level, message, line...)
}

// metBug reports whether the request met a bug of the server. Bugs are always logged, since nothing
// else reveals them. A response with a status of 4xx is a mistake of the client, not a bug.
func metBug(e *answer.Exchange) bool {
	isMistake := e.Status >= http.StatusBadRequest && e.Status < http.StatusInternalServerError
	return e.Err != nil && !isMistake && answer.FailureOf(e.Err).Code == string(layer.Internal)
}

// The log messages of a request.
const (
	messageOfAccess  = "request"
	messageOfSlow    = "slow request"
	messageOfFailure = "request failed"
)

// outcome returns the log level and message of a request.
func (o observer) outcome(e *answer.Exchange, duration time.Duration) (level slog.Level, message string) {
	switch {
	case e.Status == http.StatusServiceUnavailable && !isStalled(e.Err):
		return slog.LevelWarn, messageOfFailure
	case e.Status >= http.StatusInternalServerError && !isDamage(e.Err) && !isStalled(e.Err):
		return slog.LevelError, messageOfFailure
	case o.slow > 0 && duration >= o.slow:
		return slog.LevelWarn, messageOfSlow
	}
	return o.level, messageOfAccess
}

// isDamage reports whether a request failed because its file is damaged. The log has one line for
// the file, and does not need one for each request.
func isDamage(err error) bool { return answer.FailureOf(err).Code == string(layer.Damaged) }

// isStalled reports whether a request failed because the storage of its file does not answer. The log
// has one line for the storage.
func isStalled(err error) bool {
	return err != nil && answer.FailureOf(err).Code == string(layer.Stalled)
}

const maxRequestIDLength = 64

// requestID returns the id that a proxy gave the request, or a new one.
func requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); isRequestID(id) {
		return id
	}
	return rand.Text()
}

func isRequestID(id string) bool {
	if id == "" || len(id) > maxRequestIDLength {
		return false
	}
	for _, c := range []byte(id) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && !(c >= '0' && c <= '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}
