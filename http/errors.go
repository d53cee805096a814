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
)

// failure is an error as a client sees it. inner is for the log.
type failure struct {
	status  int
	code    string
	message string
	inner   error

	retryAfter time.Duration // where it says when; 0 is soon
}

func (f *failure) Error() string {
	if f.inner == nil {
		return f.message
	}
	return f.message + ": " + f.inner.Error()
}

func (f *failure) Unwrap() error { return f.inner }

// statusClientClosedRequest is what nginx logs where a client has left.
const statusClientClosedRequest = 499

// statusOf is the table from the codes of layers to those of HTTP.
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
	// An unavailable dataset is no reason to ask again, nor to ask a replica that
	// reads the same file, which is what proxies do after a 502 or 503.
	return http.StatusInternalServerError
}

// failureOf is what a client may know of an error.
func failureOf(err error) *failure {
	var own *failure
	var coded *layer.Error
	switch {
	case errors.As(err, &own):
		return own
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

// What is repeated of a client's words at most: to the client, and to the log,
// whose errors have more to say.
const (
	maxEchoBytes = 400
	maxLogBytes  = 4 << 10
)

// shorten cuts a text that is longer than most bytes.
func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// retrySeconds is a time to wait as Retry-After has it: whole seconds, at least one.
func retrySeconds(wait time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(wait.Seconds()))))
}

// fail answers with an error, unless an answer has begun.
func fail(e *exchange, r *http.Request, err error) {
	if e.err = err; e.status != 0 {
		return
	}
	f := failureOf(err)
	e.sendFailure(r, err, f.status, mimeJSON, errorBody(f.code, f.message))
}

// sendFailure answers with an error in the words of a protocol. When to ask again is no matter
// of words.
func (e *exchange) sendFailure(r *http.Request, err error, status int, mime string, body []byte) {
	e.err = err
	if status == http.StatusServiceUnavailable {
		e.Header().Set("Retry-After", retrySeconds(failureOf(err).retryAfter))
	}
	e.send(r, status, content{body: body, mime: mime, cacheControl: "no-store"})
}

// errorBody is an error as clients are told of it.
func errorBody(code, message string) []byte {
	return marshal(map[string]any{"error": struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{code, shorten(message, maxEchoBytes)}})
}
