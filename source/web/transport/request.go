package transport

import (
	"context"
	"io"
	"net/http"
	"net/url"
)

// Request is a GET of a URL.
type Request struct {
	URL    *url.URL
	Header http.Header
	Signer Signer // nil signs nothing

	// IsTrusted says that the operator named the address. Any other must be permitted.
	IsTrusted bool

	// MoreFollow says that other requests to the server follow at once. If this one makes a connection, another
	// one is made for them while it is answered.
	MoreFollow bool
}

// Signer proves to a server who asks. It is safe for concurrent use.
type Signer interface {
	// Sign adds what proves to the server who asks. It is called for each try of a request, and may
	// change the URL. It gets credentials when it needs them, and renews them before they expire.
	Sign(ctx context.Context, r *http.Request) error

	// Learn is told of an answer that refused a request, and reports whether the request, signed
	// anew, may succeed: the credentials were renewed, or the region of a bucket is known now. It is
	// asked once for a request.
	Learn(ctx context.Context, refused Refusal) (again bool)
}

// Refusal is an answer that refused a request, not for a while and not because nothing is there.
type Refusal struct {
	URL    *url.URL // without a signature
	Status int
	Header http.Header
	Body   []byte // its beginning
}

// Answer is an answer to a request, with one of the statuses of isAnswer.
type Answer struct {
	Status int
	Header http.Header
	Length int64 // of the body; -1 is unknown

	// IsDelimited says that a body that is cut fails. Others just end.
	IsDelimited bool

	Body io.Reader
}

// isAnswer reports whether a status answers a request: with bytes, that they are as they were or are not,
// or that there are none.
func isAnswer(status int) bool {
	switch status {
	case http.StatusOK, http.StatusPartialContent, http.StatusNotModified, http.StatusNotFound, http.StatusGone,
		http.StatusPreconditionFailed, http.StatusRequestedRangeNotSatisfiable:
		return true
	}
	return false
}
