package http

import (
	"net/http"
	"strconv"
	"strings"
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

// Unwrap is for http.ResponseController.
func (e *exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// content is a whole answer.
type content struct {
	body         []byte
	mime         string
	etag         string // as HTTP writes it; empty: it has none
	cacheControl string
}

// send answers with c, or with 304 if the client has it.
func (e *exchange) send(r *http.Request, status int, c content) {
	if c.etag != "" {
		if e.notModified(r, c.etag, c.cacheControl) {
			return
		}
		e.Header().Set("ETag", c.etag)
	}
	h := e.Header()
	h.Set("Cache-Control", c.cacheControl)
	h.Set("Content-Type", c.mime)
	h.Set("Content-Length", strconv.Itoa(len(c.body)))
	e.WriteHeader(status)
	if r.Method != http.MethodHead {
		e.Write(c.body) // an error means that the client has left
	}
}

// notModified answers with 304 and is true if the client has what etag names.
func (e *exchange) notModified(r *http.Request, etag, cacheControl string) bool {
	if !matches(r.Header.Values("If-None-Match"), etag) {
		return false
	}
	e.Header().Set("ETag", etag)
	e.Header().Set("Cache-Control", cacheControl)
	e.WriteHeader(http.StatusNotModified)
	return true
}

// matches tells whether the lists of an If-None-Match name etag. The comparison
// is weak, as it is to be for that header: a proxy that compresses an answer
// makes its validator weak.
func matches(lists []string, etag string) bool {
	for _, list := range lists {
		for list != "" {
			var candidate string
			candidate, list = nextETag(list)
			if candidate == etag || candidate == "*" {
				return true
			}
		}
	}
	return false
}

// nextETag cuts the first validator, without the mark of a weak one, off a list.
// A comma between its quotes is part of it.
func nextETag(list string) (etag, rest string) {
	list = strings.TrimPrefix(strings.TrimLeft(list, " \t,"), "W/")
	end := strings.IndexByte(list, ',')
	if strings.HasPrefix(list, `"`) {
		if closing := strings.IndexByte(list[1:], '"'); closing >= 0 {
			end = closing + 2
		}
	}
	if end < 0 {
		end = len(list)
	}
	return strings.TrimSpace(list[:end]), list[end:]
}
