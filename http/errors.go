package http

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tileserver/layer"
	"tileserver/query"
)

// failure is an error as the client sees it. Only the log shows inner.
type failure struct {
	status  int
	code    string
	message string
	inner   error

	retryAfter time.Duration // for Retry-After; 0 is one second
}

func (f *failure) Error() string {
	if f.inner == nil {
		return f.message
	}
	return f.message + ": " + f.inner.Error()
}

func (f *failure) Unwrap() error { return f.inner }

// statusClientClosedRequest is the status that nginx logs when a client has disconnected.
const statusClientClosedRequest = 499

// statusOf returns the HTTP status of an error code of package layer.
func statusOf(code layer.Code) int {
	switch code {
	case layer.Invalid:
		return http.StatusBadRequest
	case layer.NotFound:
		return http.StatusNotFound
	case layer.TooLarge:
		return http.StatusRequestEntityTooLarge
	case layer.Busy:
		return http.StatusServiceUnavailable
	case layer.Canceled:
		return statusClientClosedRequest
	}
	// A broken dataset is no reason to retry, nor to ask a replica that reads the same file.
	// Proxies do that after a 502 or 503.
	return http.StatusInternalServerError
}

// failureOf returns the part of an error that a client may see.
func failureOf(err error) *failure {
	var own *failure
	var wrong query.Error
	var coded *layer.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &wrong):
		return &failure{status: http.StatusBadRequest, code: string(layer.Invalid), message: wrong.Error()}
	case errors.As(err, &coded):
		return &failure{statusOf(coded.Code), string(coded.Code), coded.Message, err, coded.RetryAfter}
	case errors.Is(err, context.Canceled):
		return &failure{status: statusClientClosedRequest, code: string(layer.Canceled), message: "the request was canceled", inner: err}
	}
	return &failure{status: http.StatusInternalServerError, code: string(layer.Internal), message: "internal error", inner: err}
}

func invalid(format string, arguments ...any) error {
	return &failure{status: http.StatusBadRequest, code: string(layer.Invalid), message: fmt.Sprintf(format, arguments...)}
}

func notFound(format string, arguments ...any) error {
	return &failure{status: http.StatusNotFound, code: string(layer.NotFound), message: fmt.Sprintf(format, arguments...)}
}

// The longest texts of a request that are repeated to the client and to the log. Errors in the log
// carry more detail.
const (
	maxEchoBytes = 400
	maxLogBytes  = 4 << 10
)

// shorten truncates text to maxBytes.
func shorten(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxBytes], "") + "…"
}

// retrySeconds formats wait for Retry-After: whole seconds, at least one.
func retrySeconds(wait time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(wait.Seconds()))))
}

// fail answers with an error, unless the response has begun.
func fail(e *exchange, r *http.Request, err error) {
	if e.err = err; e.status != 0 {
		return
	}
	f := failureOf(err)
	e.sendFailure(r, err, f.status, mimeJSON, errorBody(f.code, f.message))
}

// sendFailure answers with an error whose body has the format of a protocol. Every protocol gets
// Retry-After with a 503.
func (e *exchange) sendFailure(r *http.Request, err error, status int, mime string, body []byte) {
	e.err = err
	if status == http.StatusServiceUnavailable {
		e.Header().Set("Retry-After", retrySeconds(failureOf(err).retryAfter))
	}
	e.send(r, status, content{body: body, mime: mime, cacheControl: "no-store"})
}

// errorBody returns the JSON document of an error.
func errorBody(code, message string) []byte {
	return marshal(map[string]any{"error": struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{code, shorten(message, maxEchoBytes)}})
}
