package http

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// exchange is a request with its response. It records what the log and the metrics report.
type exchange struct {
	http.ResponseWriter
	id     string
	route  string // the pattern, not the path
	layer  string // the layer id as the client wrote it
	status int    // 0 until the response begins
	bytes  int64
	err    error // why the response is an error

	sendTimeout time.Duration // see Config.SendTimeout; 0 or less is unlimited
	releaseSlot func()        // releases the slot of limitRequests; nil without a slot
}

// exchangeOf returns the exchange that observer created, or a new one.
func exchangeOf(w http.ResponseWriter) *exchange {
	if e, ok := w.(*exchange); ok {
		return e
	}
	return &exchange{ResponseWriter: w}
}

// WriteHeader begins the response.
func (e *exchange) WriteHeader(status int) {
	if e.status == 0 {
		e.status = status
	}
	e.ResponseWriter.WriteHeader(status)
}

// Write writes a part of the response body.
func (e *exchange) Write(p []byte) (int, error) {
	if e.status == 0 {
		e.status = http.StatusOK
	}
	n, err := e.ResponseWriter.Write(p)
	e.bytes += int64(n)
	return n, err
}

// sendTimeoutBytes is the size of a response that a client may take Config.SendTimeout to read.
// The default timeout requires 17 KiB a second.
const sendTimeoutBytes = 512 << 10

// begin begins a response with a body of size bytes and sets the deadline for sending it.
func (e *exchange) begin(status, size int) {
	e.extendDeadline(size)
	e.WriteHeader(status)
}

// extendDeadline sets the write deadline for the next size bytes.
func (e *exchange) extendDeadline(size int) {
	if e.sendTimeout > 0 {
		allowed := e.sendTimeout * time.Duration(1+size/sendTimeoutBytes)
		// An error means that the writer has no deadlines, so no client can stall it.
		_ = http.NewResponseController(e.ResponseWriter).SetWriteDeadline(time.Now().Add(allowed))
	}
}

// Unwrap returns the underlying writer for http.ResponseController.
func (e *exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// content is a complete response body with the values of its headers.
type content struct {
	body         []byte
	mime         string
	etag         string // quoted; empty without a validator
	cacheControl string
	cached       bool // also held by the server, so that sending it slowly costs no memory

	modified  time.Time // the body has not changed since; zero is unknown
	hasRanges bool      // byte ranges of the body may be requested

	compressed func() []byte // returns the cached gzip form of body; nil compresses body for each response
}

// send answers with c, or with 304 if the client has it. It compresses text for clients that
// accept gzip.
func (e *exchange) send(r *http.Request, status int, c content) {
	compressed := false
	if c.isCompressible() {
		e.variesBy("Accept-Encoding")
		compressed = acceptsGzip(r)
	}
	if compressed && c.etag != "" {
		c.etag = etagOfCompressed(c.etag)
	}
	if c.etag != "" {
		if e.notModified(r, c) {
			return
		}
	}
	e.setValidators(c)
	if compressed {
		c = c.compress()
		e.Header().Set("Content-Encoding", "gzip")
	}
	e.sendBody(r, status, c)
}

// setValidators sets the headers that identify the version of c and announce byte ranges.
func (e *exchange) setValidators(c content) {
	h := e.Header()
	if c.etag != "" {
		h.Set("ETag", c.etag)
	}
	if !c.modified.IsZero() {
		h.Set("Last-Modified", c.modified.UTC().Format(http.TimeFormat))
	}
	if c.hasRanges {
		h.Set("Accept-Ranges", "bytes")
	}
}

// variesBy adds a request header to Vary.
func (e *exchange) variesBy(name string) {
	if h := e.Header(); !slices.Contains(h["Vary"], name) {
		h.Add("Vary", name)
	}
}

// sendBody answers with c without evaluating conditions or encodings.
func (e *exchange) sendBody(r *http.Request, status int, c content) {
	h := e.Header()
	h.Set("Cache-Control", c.cacheControl)
	h.Set("Content-Type", c.mime)
	h.Set("Content-Length", strconv.Itoa(len(c.body)))
	e.begin(status, len(c.body))
	if r.Method == http.MethodHead {
		return
	}
	e.releaseSlotFor(c)
	e.Write(c.body) // an error means that the client has disconnected
}

// releaseSlotFor releases the request slot if c is cached: sending it needs no memory of its own.
func (e *exchange) releaseSlotFor(c content) {
	if c.cached && e.releaseSlot != nil {
		e.releaseSlot()
	}
}

// sendDocument answers with a text that a client may cache but must revalidate.
func (e *exchange) sendDocument(r *http.Request, mime string, body []byte) {
	e.send(r, http.StatusOK, content{body: body, mime: mime, etag: etagAs(mime, digest(body)), cacheControl: "no-cache"})
}
