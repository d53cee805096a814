package layer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/display"
	"tileserver/layer/areas"
	"tileserver/layer/overviewbuild"
	"tileserver/layer/versions"
	"tileserver/pyramid"
	"tileserver/raster"
)

// A Code classifies an error for clients.
type Code string

// The codes of errors that leave this package.
const (
	Invalid     Code = "invalid"     // the request is invalid
	NotFound    Code = "not_found"   // the layer, tile or place does not exist
	TooLarge    Code = "too_large"   // the request exceeds a limit; retrying is useless
	Busy        Code = "busy"        // retry later
	Stalled     Code = "stalled"     // the storage of the file does not answer; retry later
	Canceled    Code = "cancelled"   // the client has left
	Unavailable Code = "unavailable" // the file cannot be read
	Damaged     Code = "damaged"     // none of the requested data can be decoded
	Internal    Code = "internal"
)

// Errors that callers say in the words of their requests.
var (
	ErrUnplaced      = pyramid.ErrNoCRS // a place on the earth in a layer without any
	ErrTooManyLayers = errors.New("too many layers")
)

// Error is the error type of this package. Code and Message are for clients. Err is only for the
// log, since it may contain file names.
type Error struct {
	Code    Code
	Message string
	Err     error

	// RetryAfter is the time after which to retry an error with Code Busy or Stalled; 0 means soon.
	RetryAfter time.Duration
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Reason()) }

// Reason returns the text of the error without its code, for people.
func (e *Error) Reason() string {
	if e.Err == nil || e.Err.Error() == e.Message {
		return e.Message
	}
	return fmt.Sprintf("%s: %v", e.Message, e.Err)
}

// Unwrap returns the cause of the error.
func (e *Error) Unwrap() error { return e.Err }

func invalid(format string, arguments ...any) *Error {
	return &Error{Code: Invalid, Message: fmt.Sprintf(format, arguments...)}
}

func notFound(format string, arguments ...any) *Error {
	return &Error{Code: NotFound, Message: fmt.Sprintf(format, arguments...)}
}

// retryChanged is when to ask again for a file that is being changed.
const retryChanged = 2 * time.Second

// Classify converts an error of lower packages to an Error with a message that reveals no file
// names.
func Classify(err error) *Error {
	var known *Error
	var area *areas.Error
	var building *overviewbuild.BusyError
	var refused *admission.Refusal
	var panicked *cache.PanicError
	var stalled raster.StalledError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.As(err, &area):
		return areaError(area)
	case errors.As(err, &building):
		return &Error{Code: Busy, Message: building.Message, RetryAfter: building.RetryAfter}
	case errors.As(err, &refused):
		return &Error{Code: Busy, Message: "the server is busy; try again", Err: err, RetryAfter: refused.RetryAfter}
	case errors.As(err, &panicked):
		return &Error{Code: Internal, Message: "internal error", Err: fmt.Errorf("%w\n%s", err, panicked.Stack)}
	case errors.As(err, &stalled):
		return &Error{Code: Stalled, Message: "the storage of the file does not answer; try again later", Err: err, RetryAfter: stalled.RetryAfter()}
	case errors.Is(err, context.Canceled):
		return &Error{Code: Canceled, Message: "the request was canceled", Err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: Busy, Message: "the request took too long", Err: err}
	case errors.Is(err, cache.ErrOverBudget):
		return &Error{Code: TooLarge, Message: "the request needs more memory than the server allows for one request", Err: err}
	case errors.Is(err, display.ErrInvalidSpec), errors.Is(err, pyramid.ErrInvalidView):
		return &Error{Code: Invalid, Message: err.Error(), Err: err}
	case errors.Is(err, pyramid.ErrNoCRS):
		return &Error{Code: NotFound, Message: "the layer has no known place on the earth", Err: err}
	case errors.Is(err, pyramid.ErrOutside):
		return &Error{Code: NotFound, Message: "the layer has nothing there", Err: err}
	case errors.Is(err, raster.ErrNoSuchBlock):
		return &Error{Code: Invalid, Message: "the layer has no such band or level", Err: err}
	case errors.Is(err, versions.ErrGone), errors.Is(err, fs.ErrNotExist):
		return &Error{Code: NotFound, Message: versions.ErrGone.Error(), Err: err}
	case errors.Is(err, versions.ErrUnsettled), errors.Is(err, raster.ErrChanged):
		return &Error{Code: Busy, Message: "the file is being changed; try again", Err: err, RetryAfter: retryChanged}
	default:
		return &Error{Code: Unavailable, Message: "the file cannot be read", Err: err}
	}
}

func areaError(err *areas.Error) *Error {
	code := Invalid
	if err.IsMissing {
		code = NotFound
	}
	return &Error{Code: code, Message: err.Error(), Err: err}
}
