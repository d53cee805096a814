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
		return e.sendDecompressed(r, c)
	}
	if !e.Hold(c.Body) {
		return errSendingFull()
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

// chunkBytes is the size of the chunks in which decompressed documents are sent, and unpackingBytes
// the memory for it besides the document.
const (
	chunkBytes     = 32 << 10
	unpackingBytes = chunkBytes + 48<<10
)

// sendDecompressed sends c, whose body is gzip, to a client that does not accept gzip.
func (e *Exchange) sendDecompressed(r *http.Request, c Content) error {
	unpacked, err := gzip.NewReader(bytes.NewReader(c.Body))
	if err != nil {
		return err
	}
	if !e.holdWith(c.Body, unpackingBytes) {
		return errSendingFull()
	}
	h := e.Header()
	h.Set("ETag", c.ETag)
	h.Set("Cache-Control", c.CacheControl)
	h.Set("Content-Type", c.MIME)
	h.Set("Content-Length", strconv.Itoa(uncompressedSize(c.Body)))
	body := e.beginBody(r, http.StatusOK)
	if body == nil {
		return nil
	}
	to := bufio.NewWriterSize(body, chunkBytes)
	if _, err := io.Copy(to, unpacked); err == nil {
		to.Flush() // an error means that the client has left or is cut off
	}
	return nil
}

// uncompressedSize returns the length of the content of a gzip file, which its last four bytes
// hold.
func uncompressedSize(packed []byte) int {
	return int(binary.LittleEndian.Uint32(packed[len(packed)-4:]))
}
