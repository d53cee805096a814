package http

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/http/answer"
	"tileserver/layer"
)

// panicError is a panic of a handler, which is a bug.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// recoverPanics turns panics into failures. It aborts a response that has begun, so that the client
// does not take it for complete.
func recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			value := recover()
			if value == nil {
				return
			}
			if value == http.ErrAbortHandler {
				panic(value)
			}
			e := answer.ExchangeOf(w)
			begun := e.Status != 0
			e.Fail(r, &panicError{value, debug.Stack()})
			if begun {
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

const allowedMethods = "GET, HEAD, OPTIONS"

// The headers that scripts of other origins may send and read. The star allows all others, except
// for Authorization. Old browsers take it for a header of that name.
const (
	acceptedHeaders = "Authorization, Cache-Control, If-Match, If-Modified-Since, If-None-Match, If-Range, Range, X-Request-Id, *"
	exposedHeaders  = "Accept-Ranges, Content-Bbox, Content-Crs, Content-Length, Content-Range, ETag, Link, Retry-After, Server-Timing, Tileserver-Damage, X-Cache, X-Request-Id"
)

// allowCORS lets scripts of any origin show pictures and read their headers, and answers
// preflights. The server has no credentials to protect.
func allowCORS(next http.Handler) http.Handler {
	shared := http.Header{ // all responses share these slices, which saves allocations
		"Access-Control-Allow-Origin":   {"*"},
		"Access-Control-Expose-Headers": {exposedHeaders},
		"Cross-Origin-Resource-Policy":  {"cross-origin"},
		"Timing-Allow-Origin":           {"*"},
		"X-Content-Type-Options":        {"nosniff"},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		maps.Copy(h, shared)
		if r.Method != http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Methods", allowedMethods)
		h.Set("Access-Control-Allow-Headers", acceptedHeaders)
		h.Set("Access-Control-Max-Age", "86400")
		h.Set("Allow", allowedMethods)
		answer.ExchangeOf(w).Begin(http.StatusNoContent)
	})
}

// The bounds of addresses. A path holds little more than a layer id.
const (
	maxPathBytes  = 2 << 10
	maxQueryBytes = 8 << 10
)

// limitAddress rejects addresses that are too long to be parsed and repeated.
func limitAddress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, query := max(len(r.URL.Path), len(r.URL.RawPath)), len(r.URL.RawQuery)
		switch {
		case path > maxPathBytes:
			answer.ExchangeOf(w).Fail(r, tooLong("path", path, maxPathBytes))
		case query > maxQueryBytes:
			answer.ExchangeOf(w).Fail(r, tooLong("query", query, maxQueryBytes))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func tooLong(what string, bytes, maxBytes int) error {
	return &answer.Failure{Status: http.StatusRequestURITooLong, Code: "uri_too_long",
		Message: fmt.Sprintf("the %s has %d bytes; the limit is %d", what, bytes, maxBytes)}
}

// limitSending bounds what clients cost that read their responses slowly.
func limitSending(sending *answer.Sending) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			e := answer.ExchangeOf(w)
			e.Sending = sending
			defer e.Release()
			next.ServeHTTP(w, r)
		})
	}
}

// A RequestCount counts the requests in progress.
type RequestCount struct{ now atomic.Int64 }

// add counts one more request, unless there are maxRequests. It returns what ends the request.
func (c *RequestCount) add(maxRequests int) (end func(), ok bool) {
	if c.now.Add(1) > int64(maxRequests) {
		c.now.Add(-1)
		return nil, false
	}
	return sync.OnceFunc(func() { c.now.Add(-1) }), true
}

// limitRequests rejects requests while maxRequests are in progress. It bounds the memory of waiting
// requests; the gate of package layer bounds the work. A request that sends its response has
// released its slot: limitSending bounds the memory of those.
func limitRequests(count *RequestCount, maxRequests int) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if maxRequests == 0 {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			e := answer.ExchangeOf(w)
			var ok bool
			if e.ReleaseSlot, ok = count.add(maxRequests); !ok {
				e.Fail(r, &layer.Error{Code: layer.Busy, Message: "too many requests in progress; try again"})
				return
			}
			defer e.ReleaseSlot()
			next.ServeHTTP(w, r)
		})
	}
}

// limitTime ends the context of a request after timeout.
func limitTime(timeout time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		if timeout == 0 {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), timeout)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}
