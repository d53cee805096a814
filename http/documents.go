package http

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
	"strconv"

	"github.com/klauspost/compress/gzip"
)

// Documents of all layers grow with the number of layers, in size and in time to write. So each is
// written once for all requests and cached as gzip, which almost all clients accept: a megabyte
// for some thousand layers instead of ten or twenty. It is decompressed in chunks for the others.

// sendCachedDocument answers with a document of all layers, which clients must revalidate. The key
// must contain everything that the document depends on, except for the configuration.
func (s *server) sendCachedDocument(e *exchange, r *http.Request, mime, key string, write func(io.Writer) error) error {
	packed, err := s.Catalog.Document(r.Context(), s.configDigest+key, func() ([]byte, error) { return gzipOf(write) })
	if err != nil {
		return err
	}
	c := content{body: packed.Bytes, mime: mime, etag: etagAs(mime, packed.ETag), cacheControl: "no-cache"}
	if uncompressedSize(c.body) < minCompressedBytes {
		return e.sendShort(r, c)
	}
	e.variesBy("Accept-Encoding")
	for _, etag := range []string{c.etag, etagOfCompressed(c.etag)} {
		if e.notModified(r, content{etag: etag, cacheControl: c.cacheControl}) {
			return nil
		}
	}
	if !acceptsGzip(r) {
		e.Header().Set("ETag", c.etag)
		return e.sendDecompressed(r, c)
	}
	e.Header().Set("ETag", etagOfCompressed(c.etag))
	e.Header().Set("Content-Encoding", "gzip")
	e.sendBody(r, http.StatusOK, c)
	return nil
}

// sendShort sends c, whose body is gzip, uncompressed: it is too short to be worth compressing.
func (e *exchange) sendShort(r *http.Request, c content) error {
	unpacked, err := gzip.NewReader(bytes.NewReader(c.body))
	if err != nil {
		return err
	}
	if c.body, err = io.ReadAll(unpacked); err != nil {
		return err
	}
	e.send(r, http.StatusOK, c)
	return nil
}

// gzipOf returns the output of write compressed.
func gzipOf(write func(io.Writer) error) ([]byte, error) {
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
type chunkWriter struct{ e *exchange }

func (w chunkWriter) Write(chunk []byte) (int, error) {
	w.e.extendDeadline(len(chunk))
	return w.e.Write(chunk)
}

// sendDecompressed sends c, whose body is gzip, to a client that does not accept gzip.
func (e *exchange) sendDecompressed(r *http.Request, c content) error {
	unpacked, err := gzip.NewReader(bytes.NewReader(c.body))
	if err != nil {
		return err
	}
	h := e.Header()
	h.Set("Cache-Control", c.cacheControl)
	h.Set("Content-Type", c.mime)
	h.Set("Content-Length", strconv.Itoa(uncompressedSize(c.body)))
	e.begin(http.StatusOK, chunkBytes)
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
