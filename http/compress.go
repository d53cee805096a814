package http

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"

	"tileserver/http/accept"
)

// leastCompressed is how many bytes an answer must have to be worth compressing: less fits
// into a packet or two anyhow.
const leastCompressed = 1400

// isCompressible tells whether c is text, of a size that is worth it. Pictures are
// compressed as they are.
func (c *content) isCompressible() bool {
	return len(c.body) >= leastCompressed && isText(c.mime)
}

func isText(mime string) bool {
	mime, _, _ = strings.Cut(mime, ";")
	switch {
	case strings.HasPrefix(mime, "text/"), strings.HasSuffix(mime, "+json"), strings.HasSuffix(mime, "+xml"):
		return true
	}
	switch mime {
	case "application/json", "application/xml", "application/javascript":
		return true
	}
	return false
}

// acceptsGzip tells whether a client takes what is compressed by gzip. It is not taken for
// granted of those who say nothing.
func acceptsGzip(r *http.Request) bool {
	return accept.Parse(r.Header.Values("Accept-Encoding")).Take("gzip")
}

// compress is c as gzip has it. The way that keeps no state is less thorough by a tenth or
// two, and takes no memory that many requests at a time would have to share.
func (c content) compress() content {
	if c.compressed != nil {
		c.body = c.compressed()
		return c
	}
	c.body, c.kept = gzipped(c.body, gzip.StatelessCompression), false
	return c
}

// gzipped is body as gzip has it.
func gzipped(body []byte, level int) []byte {
	var file bytes.Buffer
	w, err := gzip.NewWriterLevel(&file, level)
	if err != nil {
		panic(err) // there is such a level
	}
	w.Write(body) // into memory, which does not fail
	w.Close()
	return bytes.Clone(file.Bytes())
}

// etagOfCompressed is the validator of what is compressed: other bytes than those of etag.
func etagOfCompressed(etag string) string { return strings.TrimSuffix(etag, `"`) + `-gzip"` }
