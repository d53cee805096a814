package http

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"tileserver/http/wmts"
)

// sendWMTSDocument answers with a document of any length. Its validator follows from what it is made of, so that whoever has
// it is told so before anything is written.
func (s *server) sendWMTSDocument(e *exchange, r *http.Request, mime string, d *wmts.Document) error {
	etag := digest([]byte(strings.Join([]string{d.UpdateSequence, d.Self, mime, r.URL.RawQuery}, "\n")))
	to := &longAnswer{e: e, r: r, content: content{mime: mime, etag: etag, cacheControl: "no-cache"}}
	e.variesBy("Accept-Encoding")
	for _, candidate := range []string{etag, etagOfCompressed(etag)} {
		if e.notModified(r, candidate, to.cacheControl) {
			return nil
		}
	}
	layers := d.Layers
	d.Layers = func(yield func(*wmts.Layer) bool) {
		layers(func(l *wmts.Layer) bool { return to.err == nil && yield(l) })
	}
	if err := d.Write(to); err != nil {
		return nil // the client has left, or has what it asked for
	}
	to.end()
	return nil
}

// maxHeldBytes is how much of an answer is held back. A shorter one is sent as all others are.
const maxHeldBytes = 256 << 10

// errHeadersOnly ends an answer to a client that wants no more than its headers.
var errHeadersOnly = errors.New("the request wants the headers only")

// longAnswer sends an answer whose length nobody knows piece by piece, so that it takes no more memory than one piece.
type longAnswer struct {
	e *exchange
	r *http.Request
	content
	held       []byte
	compressed *gzip.Writer // nil: it is not
	begun      bool
	err        error // why there is no more to be written
}

// Write holds p back until there is enough for a piece.
func (a *longAnswer) Write(p []byte) (int, error) {
	if len(a.held)+len(p) > maxHeldBytes {
		a.flush()
	}
	if a.err != nil {
		return 0, a.err
	}
	a.held = append(a.held, p...)
	return len(p), nil
}

// flush sends the piece, and gives the client time to take it.
func (a *longAnswer) flush() {
	if !a.begun {
		a.begin()
	}
	if a.err != nil {
		return
	}
	if a.e.sendTimeout > 0 {
		// An error means that nothing here could stall.
		_ = http.NewResponseController(a.e.ResponseWriter).SetWriteDeadline(time.Now().Add(a.e.sendTimeout))
	}
	if a.compressed != nil {
		_, a.err = a.compressed.Write(a.held)
	} else {
		_, a.err = a.e.Write(a.held)
	}
	a.held = a.held[:0]
}

func (a *longAnswer) begin() {
	a.begun = true
	h := a.e.Header()
	if acceptsGzip(a.r) {
		h.Set("Content-Encoding", "gzip")
		a.etag = etagOfCompressed(a.etag)
		a.compressed, a.err = gzip.NewWriterLevel(a.e, gzip.StatelessCompression)
	}
	h.Set("ETag", a.etag)
	h.Set("Cache-Control", a.cacheControl)
	h.Set("Content-Type", a.mime)
	a.e.begin(http.StatusOK, maxHeldBytes)
	if a.r.Method == http.MethodHead {
		a.err = errHeadersOnly
	}
}

// end sends what is held back.
func (a *longAnswer) end() {
	if !a.begun {
		a.body = a.held
		a.e.send(a.r, http.StatusOK, a.content)
		return
	}
	a.flush()
	if a.compressed != nil && a.err == nil {
		a.compressed.Close()
	}
}
