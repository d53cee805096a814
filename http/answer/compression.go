package answer

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"

	"tileserver/http/accept"
)

// minCompressedBytes is the size from which compressing is worth it. A smaller response fits into
// one or two packets.
const minCompressedBytes = 1400

// isCompressible reports whether c is text that is long enough. Pictures are compressed already.
func (c *Content) isCompressible() bool {
	return len(c.Body) >= minCompressedBytes && isText(c.MIME)
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

// acceptsGzip reports whether a request accepts gzip. Without the header it does not.
func acceptsGzip(r *http.Request) bool {
	return accept.Parse(r.Header.Values("Accept-Encoding")).Accepts("gzip")
}

// compress returns c with its body compressed. The stateless level compresses 10 to 20 percent
// worse but needs no memory that concurrent requests would compete for.
func (c Content) compress() Content {
	if c.compressed != nil {
		c.Body = c.compressed()
		return c
	}
	c.Body = gzipped(c.Body, gzip.StatelessCompression)
	return c
}

// gzipped returns body compressed.
func gzipped(body []byte, level int) []byte {
	var file bytes.Buffer
	w, err := gzip.NewWriterLevel(&file, level)
	if err != nil {
		panic(err) // the level is valid
	}
	w.Write(body) // writes to memory cannot fail
	w.Close()
	return bytes.Clone(file.Bytes())
}

// etagOfCompressed returns the ETag of the gzip form of the body with etag.
func etagOfCompressed(etag string) string { return strings.TrimSuffix(etag, `"`) + `-gzip"` }
