package answer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tileserver/access"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/query"
)

// Failure is an error as the client sees it. Only the log shows Inner.
type Failure struct {
	Status  int
	Code    string
	Message string
	Inner   error

	retryAfter time.Duration // for Retry-After; 0 is one second
}

func (f *Failure) Error() string {
	if f.Inner == nil {
		return f.Message
	}
	return f.Message + ": " + f.Inner.Error()
}

// Unwrap returns the cause of the failure.
func (f *Failure) Unwrap() error { return f.Inner }

// Text returns the message, truncated to the length that is repeated to clients.
func (f *Failure) Text() string { return Shorten(f.Message, maxEchoBytes) }

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
	case layer.Busy, layer.Stalled:
		return http.StatusServiceUnavailable
	case layer.Canceled:
		return statusClientClosedRequest
	}
	// A broken dataset is no reason to retry, nor to ask a replica that reads the same file.
	// Proxies do that after a 502 or 503.
	return http.StatusInternalServerError
}

// FailureOf returns the part of an error that a client may see.
func FailureOf(err error) *Failure {
	var own *Failure
	var wrong query.Error
	var coded *layer.Error
	var refused *access.Refusal
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &refused):
		return &Failure{Status: http.StatusForbidden, Code: string(refused.Reason) + "_not_allowed", Message: refused.Error()}
	case errors.As(err, &wrong):
		return &Failure{Status: http.StatusBadRequest, Code: string(layer.Invalid), Message: wrong.Error()}
	case errors.As(err, &coded):
		return &Failure{statusOf(coded.Code), string(coded.Code), messageOf(coded), err, coded.RetryAfter}
	case errors.Is(err, context.Canceled):
		return &Failure{Status: statusClientClosedRequest, Code: string(layer.Canceled), Message: "the request was canceled", Inner: err}
	}
	return &Failure{Status: http.StatusInternalServerError, Code: string(layer.Internal), Message: "internal error", Inner: err}
}

// messageOf returns the message of an error of package layer. If a parameter is at fault, the message
// names it.
func messageOf(e *layer.Error) string {
	var side *areas.SideError
	switch {
	case errors.As(e, &side):
		return fmt.Sprintf("tilesize must be %d, or 2 to %d times that, not %d", side.Usual, areas.MaxSideScale, side.Side)
	case errors.Is(e, layer.ErrUnplaced):
		return e.Message + `; use crs=image, or for tiles the tile matrix set "image"`
	case errors.Is(e, areas.ErrEmptyBox):
		return "the request needs a width, a height and a non-empty bbox=minx,miny,maxx,maxy"
	}
	return e.Message
}

// LogText returns the text of an error for the log: the message that the client got, and what only
// operators may see.
func LogText(err error) string {
	var coded *layer.Error
	if !errors.As(err, &coded) || messageOf(coded) == coded.Message {
		return err.Error()
	}
	told := *coded
	told.Message = messageOf(coded)
	return told.Error()
}

// Invalid returns the failure of a request with a mistake.
func Invalid(format string, arguments ...any) error { return failure(layer.Invalid, format, arguments) }

// NotFound returns the failure of a request for something that does not exist.
func NotFound(format string, arguments ...any) error {
	return failure(layer.NotFound, format, arguments)
}

// TooLarge returns the failure of a request that exceeds a limit.
func TooLarge(format string, arguments ...any) error {
	return failure(layer.TooLarge, format, arguments)
}

func failure(code layer.Code, format string, arguments []any) error {
	return &Failure{Status: statusOf(code), Code: string(code), Message: fmt.Sprintf(format, arguments...)}
}

// NotAcceptable returns the failure of a request that accepts none of the available media types.
func NotAcceptable(message string) error {
	return &Failure{Status: http.StatusNotAcceptable, Code: "not_acceptable", Message: message}
}

// TooMany returns the failure of a client that makes too many requests.
func TooMany(message string, wait time.Duration) error {
	return &Failure{Status: http.StatusTooManyRequests, Code: "too_many_requests", Message: message, retryAfter: wait}
}

// maxEchoBytes is the longest text of a request that is repeated to the client.
const maxEchoBytes = 400

// Shorten truncates text to maxBytes.
func Shorten(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	return strings.ToValidUTF8(text[:maxBytes], "") + "…"
}

// retrySeconds formats wait for Retry-After: whole seconds, at least one.
func retrySeconds(wait time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(wait.Seconds()))))
}

// Fail answers with an error, unless the response has begun.
func (e *Exchange) Fail(r *http.Request, err error) {
	if e.Err = err; e.Status != 0 {
		return
	}
	f := FailureOf(err)
	e.SendFailure(r, err, f.Status, MIMEJSON, f.Document())
}

// SendFailure answers with an error whose body has the format of a protocol. Every protocol gets
// Retry-After with a 503 or 429.
func (e *Exchange) SendFailure(r *http.Request, err error, status int, mime string, body []byte) {
	e.Err = err
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		e.Header().Set("Retry-After", retrySeconds(FailureOf(err).retryAfter))
	}
	e.Send(r, status, Content{Body: body, MIME: mime, CacheControl: "no-store"})
}

// Document returns the JSON document of a failure.
func (f *Failure) Document() []byte {
	return Marshal(map[string]any{"error": struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{f.Code, f.Text()}})
}
