package answer

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"strconv"

	"github.com/klauspost/compress/gzip"
)

// SendPacked answers with a document that is compressed by gzip and that clients must revalidate.
// The ETag is that of the packed body. For the few clients that do not accept gzip, it is
// decompressed in chunks, since documents of all layers are large.
func (e *Exchange) SendPacked(r *http.Request, mime string, packed []byte, etag string) error {
	c := Content{Body: packed, MIME: mime, ETag: etagAs(mime, etag), CacheControl: "no-cache"}
	if uncompressedSize(c.Body) < minCompressedBytes {
		return e.sendShort(r, c)
	}
	e.VariesBy("Accept-Encoding")
	for _, etag := range []string{c.ETag, etagOfCompressed(c.ETag)} {
		if e.NotModified(r, Content{ETag: etag, CacheControl: c.CacheControl}) {
			return nil
		}
	}
	if !acceptsGzip(r) {
		e.Header().Set("ETag", c.ETag)
		return e.sendDecompressed(r, c)
	}
	e.Header().Set("ETag", etagOfCompressed(c.ETag))
	e.Header().Set("Content-Encoding", "gzip")
	e.sendBody(r, http.StatusOK, c)
	return nil
}

// sendShort sends c, whose body is gzip, uncompressed: it is too short to be worth compressing.
func (e *Exchange) sendShort(r *http.Request, c Content) error {
	unpacked, err := gzip.NewReader(bytes.NewReader(c.Body))
	if err != nil {
		return err
	}
	if c.Body, err = io.ReadAll(unpacked); err != nil {
		return err
	}
	e.Send(r, http.StatusOK, c)
	return nil
}

// Pack returns the output of write compressed by gzip.
func Pack(write func(io.Writer) error) ([]byte, error) {
	var file bytes.Buffer
	w := gzip.NewWriter(&file)
	if err := write(w); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return bytes.Clone(file.Bytes()), nil
}

// chunkBytes is the size of the chunks in which decompressed documents are sent.
const chunkBytes = 256 << 10

// chunkWriter sets the write deadline for each chunk, so that a client cannot stall for the time
// that the whole document may take.
type chunkWriter struct{ e *Exchange }

func (w chunkWriter) Write(chunk []byte) (int, error) {
	w.e.extendDeadline(len(chunk))
	return w.e.Write(chunk)
}

// sendDecompressed sends c, whose body is gzip, to a client that does not accept gzip.
func (e *Exchange) sendDecompressed(r *http.Request, c Content) error {
	unpacked, err := gzip.NewReader(bytes.NewReader(c.Body))
	if err != nil {
		return err
	}
	h := e.Header()
	h.Set("Cache-Control", c.CacheControl)
	h.Set("Content-Type", c.MIME)
	h.Set("Content-Length", strconv.Itoa(uncompressedSize(c.Body)))
	e.Begin(http.StatusOK, chunkBytes)
	if r.Method == http.MethodHead {
		return nil
	}
	to := bufio.NewWriterSize(chunkWriter{e}, chunkBytes)
	if _, err := io.Copy(to, unpacked); err == nil {
		to.Flush() // an error means that the client has disconnected
	}
	return nil
}

// uncompressedSize returns the length of the content of a gzip file, which its last four bytes
// hold.
func uncompressedSize(packed []byte) int {
	return int(binary.LittleEndian.Uint32(packed[len(packed)-4:]))
}
