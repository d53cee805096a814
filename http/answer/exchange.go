package answer

import (
	"net/http"
	"slices"
	"time"
)

// Exchange is a request with its response. It records what the log and the metrics report.
type Exchange struct {
	http.ResponseWriter
	ID     string
	Route  string // the pattern, not the path
	Layer  string // the layer id as the client wrote it
	Status int    // 0 until the response begins
	Bytes  int64
	Err    error // why the response is an error

	CacheUntil time.Time // caches must not answer with the response later; zero is no limit

	Sending     *Sending // bounds what a slow client costs; nil does not
	ReleaseSlot func()   // releases the slot of the request; nil without a slot

	held      hold      // what the body has taken of Sending
	pieceLeft int64     // bytes until the next deadline
	pieceEnd  time.Time // the deadline; zero for none
}

// ExchangeOf returns the exchange that writes to w, or a new one.
func ExchangeOf(w http.ResponseWriter) *Exchange {
	if e, ok := w.(*Exchange); ok {
		return e
	}
	return &Exchange{ResponseWriter: w}
}

// WriteHeader begins the response.
func (e *Exchange) WriteHeader(status int) {
	if e.Status == 0 {
		e.Status = status
		e.limitCaching()
	}
	e.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the response body.
func (e *Exchange) Write(p []byte) (int, error) {
	if e.Status == 0 {
		e.WriteHeader(http.StatusOK)
	}
	n, err := e.ResponseWriter.Write(p)
	e.Bytes += int64(n)
	return n, err
}

// Begin begins a response, and the time that the client has for it.
func (e *Exchange) Begin(status int) {
	e.beginPiece(true)
	e.WriteHeader(status)
}

// Unwrap returns the underlying writer for http.ResponseController.
func (e *Exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// VariesBy adds a request header to Vary.
func (e *Exchange) VariesBy(name string) {
	if h := e.Header(); !slices.Contains(h["Vary"], name) {
		h.Add("Vary", name)
	}
}
