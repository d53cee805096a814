package http

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// exchange is one request and its answer, as the log and the metrics see them.
type exchange struct {
	http.ResponseWriter
	id     string
	route  string // the pattern, not what the client wrote
	layer  string // what the client wrote
	status int    // 0 until the answer begins
	bytes  int64
	err    error // why the answer is a failure

	sendTimeout time.Duration // as of Config; 0 and below are none
	leave       func()        // gives back the place among all requests; nil: it has none
}

// exchangeOf is the exchange that an observer made.
func exchangeOf(w http.ResponseWriter) *exchange {
	if e, ok := w.(*exchange); ok {
		return e
	}
	return &exchange{ResponseWriter: w}
}

// WriteHeader begins the answer.
func (e *exchange) WriteHeader(status int) {
	if e.status == 0 {
		e.status = status
	}
	e.ResponseWriter.WriteHeader(status)
}

// Write goes on with the answer.
func (e *exchange) Write(p []byte) (int, error) {
	if e.status == 0 {
		e.status = http.StatusOK
	}
	n, err := e.ResponseWriter.Write(p)
	e.bytes += int64(n)
	return n, err
}

// sendTimeoutBytes is how much of an answer a client may take Config.SendTimeout
// for: with the default, 17 KiB must get through a second.
const sendTimeoutBytes = 512 << 10

// begin begins an answer whose body has size bytes, and gives the client time to
// take it.
func (e *exchange) begin(status, size int) {
	e.allow(size)
	e.WriteHeader(status)
}

// allow gives the client time to take so many bytes from now on.
func (e *exchange) allow(size int) {
	if e.sendTimeout > 0 {
		allowed := e.sendTimeout * time.Duration(1+size/sendTimeoutBytes)
		// An error means that nothing here could stall.
		_ = http.NewResponseController(e.ResponseWriter).SetWriteDeadline(time.Now().Add(allowed))
	}
}

// Unwrap is for http.ResponseController.
func (e *exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// content is a whole answer.
type content struct {
	body         []byte
	mime         string
	etag         string // as HTTP writes it; empty: it has none
	cacheControl string
	kept         bool // by the server as well, so that waiting to send it takes no memory

	modified time.Time // nothing that the body depends on has changed since then; zero: unknown
	inParts  bool      // byte ranges of the body may be asked for

	compressed func() []byte // the body as gzip has it, which is kept like it; nil: it is made for each who asks
}

// send answers with c, or with 304 if the client has it. Text is compressed for those who
// take that.
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
	e.identify(c)
	if compressed {
		c = c.compress()
		e.Header().Set("Content-Encoding", "gzip")
	}
	e.sendBody(r, status, c)
}

// identify tells which version of an answer c is, and whether parts of it may be asked for.
func (e *exchange) identify(c content) {
	h := e.Header()
	if c.etag != "" {
		h.Set("ETag", c.etag)
	}
	if !c.modified.IsZero() {
		h.Set("Last-Modified", c.modified.UTC().Format(http.TimeFormat))
	}
	if c.inParts {
		h.Set("Accept-Ranges", "bytes")
	}
}

// variesBy notes that the answer depends on a header of the request.
func (e *exchange) variesBy(name string) {
	if h := e.Header(); !slices.Contains(h["Vary"], name) {
		h.Add("Vary", name)
	}
}

// sendBody sends c as it is.
func (e *exchange) sendBody(r *http.Request, status int, c content) {
	h := e.Header()
	h.Set("Cache-Control", c.cacheControl)
	h.Set("Content-Type", c.mime)
	h.Set("Content-Length", strconv.Itoa(len(c.body)))
	e.begin(status, len(c.body))
	if r.Method == http.MethodHead {
		return
	}
	e.leaveFor(c)
	e.Write(c.body) // an error means that the client has left
}

// leaveFor gives back the place among all requests if all that is left to do is to send c, and it is kept anyhow.
func (e *exchange) leaveFor(c content) {
	if c.kept && e.leave != nil {
		e.leave()
	}
}

// sendDocument answers with a text, which a client may keep but must ask about.
func (e *exchange) sendDocument(r *http.Request, mime string, body []byte) {
	e.send(r, http.StatusOK, content{body: body, mime: mime, etag: etagAs(mime, digest(body)), cacheControl: "no-cache"})
}
