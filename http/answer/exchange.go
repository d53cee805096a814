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

	SendTimeout time.Duration // to read sendTimeoutBytes; 0 or less is unlimited
	ReleaseSlot func()        // releases the slot of the request; nil without a slot
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
	}
	e.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the response body.
func (e *Exchange) Write(p []byte) (int, error) {
	if e.Status == 0 {
		e.Status = http.StatusOK
	}
	n, err := e.ResponseWriter.Write(p)
	e.Bytes += int64(n)
	return n, err
}

// sendTimeoutBytes is the size of a response that a client may take SendTimeout to read. The
// default timeout of the server requires 17 KiB a second.
const sendTimeoutBytes = 512 << 10

// Begin begins a response with a body of size bytes and sets the deadline for sending it.
func (e *Exchange) Begin(status, size int) {
	e.extendDeadline(size)
	e.WriteHeader(status)
}

// extendDeadline sets the write deadline for the next size bytes.
func (e *Exchange) extendDeadline(size int) {
	if e.SendTimeout > 0 {
		allowed := e.SendTimeout * time.Duration(1+size/sendTimeoutBytes)
		// An error means that the writer has no deadlines, so no client can stall it.
		_ = http.NewResponseController(e.ResponseWriter).SetWriteDeadline(time.Now().Add(allowed))
	}
}

// Unwrap returns the underlying writer for http.ResponseController.
func (e *Exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// VariesBy adds a request header to Vary.
func (e *Exchange) VariesBy(name string) {
	if h := e.Header(); !slices.Contains(h["Vary"], name) {
		h.Add("Vary", name)
	}
}
