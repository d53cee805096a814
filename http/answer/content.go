package answer

import (
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
)

// Content is a complete response body with the values of its headers.
type Content struct {
	Body         []byte
	MIME         string
	ETag         string // quoted; empty without a validator
	CacheControl string

	Modified  time.Time // the body has not changed since; zero is unknown
	HasRanges bool      // byte ranges of the body may be requested

	compressed func() []byte // returns the cached gzip form of Body; nil compresses it for each response
}

// CacheImmutable caches what never changes at its address: a year, without revalidation.
const CacheImmutable = "public, max-age=31536000, immutable"

// Fixed returns content that the server holds and that never changes. Its gzip form is computed
// when a client first accepts it.
func Fixed(body []byte, mime, cacheControl string) Content {
	return Content{
		Body: body, MIME: mime, ETag: ETagOf(body), CacheControl: cacheControl,
		compressed: sync.OnceValue(func() []byte { return gzipped(body, gzip.BestCompression) }),
	}
}

// Send answers with c, or with 304 if the client has it. It compresses text for clients that
// accept gzip.
func (e *Exchange) Send(r *http.Request, status int, c Content) {
	compressed := false
	if c.isCompressible() {
		e.VariesBy("Accept-Encoding")
		compressed = acceptsGzip(r)
	}
	if compressed && c.ETag != "" {
		c.ETag = etagOfCompressed(c.ETag)
	}
	if c.ETag != "" {
		if e.NotModified(r, c) {
			return
		}
	}
	if compressed {
		c = c.compress()
	}
	if !e.Hold(c.Body) {
		e.Fail(r, errSendingFull())
		return
	}
	e.setValidators(c)
	if compressed {
		e.Header().Set("Content-Encoding", "gzip")
	}
	e.sendBody(r, status, c)
}

// setValidators sets the headers that identify the version of c and announce byte ranges.
func (e *Exchange) setValidators(c Content) {
	h := e.Header()
	if c.ETag != "" {
		h.Set("ETag", c.ETag)
	}
	if !c.Modified.IsZero() {
		h.Set("Last-Modified", c.Modified.UTC().Format(http.TimeFormat))
	}
	if c.HasRanges {
		h.Set("Accept-Ranges", "bytes")
	}
}

// sendBody answers with c, which the exchange holds, without evaluating conditions or encodings.
func (e *Exchange) sendBody(r *http.Request, status int, c Content) {
	h := e.Header()
	h.Set("Cache-Control", c.CacheControl)
	h.Set("Content-Type", c.MIME)
	h.Set("Content-Length", strconv.Itoa(len(c.Body)))
	if to := e.beginBody(r, status); to != nil {
		to.Write(c.Body) // an error means that the client has left or is cut off
	}
}

// beginBody begins a response and returns the writer of its body, or nil for a request that wants
// none. Sending needs no slot: what it costs is bounded by itself.
func (e *Exchange) beginBody(r *http.Request, status int) io.Writer {
	e.Begin(status)
	if r.Method == http.MethodHead {
		return nil
	}
	if e.ReleaseSlot != nil {
		e.ReleaseSlot()
	}
	return (*pacedBody)(e)
}

// SendDocument answers with a text that a client may cache but must revalidate.
func (e *Exchange) SendDocument(r *http.Request, mime string, body []byte) {
	e.Send(r, http.StatusOK, Content{Body: body, MIME: mime, ETag: etagAs(mime, ETagOf(body)), CacheControl: "no-cache"})
}
