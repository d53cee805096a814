package transport

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"

	"tileserver/source"
	"tileserver/source/permit"
)

// RefusedError means that a server refuses a request, and will refuse it again.
type RefusedError struct {
	Where  string // the URL, without a signature
	Status int
	Code   string // what the server calls the reason; or empty
}

func (e *RefusedError) Error() string {
	text := fmt.Sprintf("%s: the server answered %d %s", e.Where, e.Status, http.StatusText(e.Status))
	if e.Code != "" {
		text += " (" + e.Code + ")"
	}
	return text
}

// brokenError is a failure of a try that another one may not have.
type brokenError struct {
	err     error
	advance progress
}

func (e *brokenError) Error() string { return e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// progress is how far a try came that broke.
type progress int

const (
	none     progress = iota
	advanced          // the next try has less to do
	wrong             // it said something that cannot be
)

// Broken marks the error of a body that ended too early. The request is tried again.
func Broken(err error) error { return &brokenError{err, none} }

// Advanced is Broken for a body that brought a good part of what was asked for. The next try asks for the rest, and
// is not counted.
func Advanced(err error) error { return &brokenError{err, advanced} }

// Wrong marks the error of an answer that says something that cannot be. The request is tried once more: a server that
// means it is not away.
func Wrong(err error) error { return &brokenError{err, wrong} }

// progressOf returns how far the try came that ended with an error.
func progressOf(err error) progress {
	if broken := (*brokenError)(nil); errors.As(err, &broken) {
		return broken.advance
	}
	return none
}

// finalError is an error that another try would have, too.
type finalError struct{ err error }

func (e *finalError) Error() string { return e.err.Error() }
func (e *finalError) Unwrap() error { return e.err }

// unlessBroken marks an error that is not Broken as final.
func unlessBroken(err error) error {
	if errors.As(err, new(*brokenError)) {
		return err
	}
	return &finalError{err}
}

// isFinal reports whether another try would fail in the same way. What a network or a server does wrong, it may
// do right soon, but a certificate stays as it is.
func isFinal(err error) bool {
	return errors.As(err, new(*finalError)) || errors.Is(err, permit.ErrNotPermitted) || errors.As(err, new(*tls.CertificateVerificationError))
}

// passingError is an answer that says that the request may succeed later.
type passingError struct {
	status int
	held   *source.HeldError // until when, as the server says; or nil
}

func (e *passingError) Error() string {
	return fmt.Sprintf("the server answered %d %s", e.status, http.StatusText(e.status))
}

// Unwrap returns a HeldError if the server said when.
func (e *passingError) Unwrap() error {
	if e.held == nil {
		return nil
	}
	return e.held
}

// isSlowDown reports whether a status asks for fewer requests.
func isSlowDown(status int) bool {
	return status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests
}

// isPassing reports whether a status may be another one soon.
func isPassing(status int) bool {
	switch status {
	case 520, 521, 522, 523, 524: // of proxies whose server fails
		return true
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// stalledUnlessFinal returns the error of an origin that was asked in vain. It leaves out the address that
// errors of package url have, which may be signed.
func stalledUnlessFinal(u *url.URL, err error) error {
	if isFinal(err) {
		return err
	}
	if progressOf(err) == wrong {
		return fmt.Errorf("%s: %w", plain(u), err)
	}
	stalled := source.ErrStalled
	if errors.As(err, new(*passingError)) { // the server answers
		stalled = source.ErrObjectStalled
	}
	return fmt.Errorf("%w: %s: %w", stalled, plain(u), withoutAddress(err))
}

// withoutAddress removes the address that an error of package url names.
func withoutAddress(err error) error {
	if of := (*url.Error)(nil); errors.As(err, &of) {
		return of.Err
	}
	return err
}

// plain returns a URL without what may be secret.
func plain(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// maxRefusalBytes is how much of the body of a refusal is read.
const maxRefusalBytes = 4 << 10

// refusalOf reads what a refusal says.
func refusalOf(u *url.URL, answer *http.Response) Refusal {
	body, _ := io.ReadAll(io.LimitReader(answer.Body, maxRefusalBytes))
	return Refusal{URL: u, Status: answer.StatusCode, Header: answer.Header, Body: body}
}

// errorCode matches the reason in a refusal of a bucket. The rest may contain what was signed.
var errorCode = regexp.MustCompile(`<Code>([A-Za-z0-9.]{1,64})</Code>`)

func (r *Refusal) err() error {
	refused := &RefusedError{Where: plain(r.URL), Status: r.Status}
	if found := errorCode.FindSubmatch(r.Body); found != nil {
		refused.Code = string(found[1])
	}
	return refused
}
