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

// Documents of all layers take longer and are longer the more layers there are. So they are
// made once for all who ask, and kept as gzip has them, which is what nearly all clients take:
// of some thousand layers that is a megabyte, and ten or twenty without. For the others
// they are unpacked on the way, piece by piece.

// sendLong answers with a document of all layers, of which all that it depends on is in the
// key, beside what the operator says. A client may keep it but must ask about it.
func (s *server) sendLong(e *exchange, r *http.Request, mime, key string, write func(io.Writer) error) error {
	packed, err := s.Catalog.Document(r.Context(), s.edition+key, func() ([]byte, error) { return packedBy(write) })
	if err != nil {
		return err
	}
	c := content{body: packed.Bytes, mime: mime, etag: etagAs(mime, packed.ETag), cacheControl: "no-cache"}
	if unpackedBytes(c.body) < leastCompressed {
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
		return e.sendUnpacked(r, c)
	}
	e.Header().Set("ETag", etagOfCompressed(c.etag))
	e.Header().Set("Content-Encoding", "gzip")
	e.sendBody(r, http.StatusOK, c)
	return nil
}

// sendShort sends c, which gzip has packed, as all other texts are sent that are not worth it.
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

// packedBy is what write writes as gzip has it.
func packedBy(write func(io.Writer) error) ([]byte, error) {
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

// pieceBytes is how much of what is unpacked is sent at a time.
const pieceBytes = 256 << 10

// pieces gives the client time to take each piece, and not to stall for as long as all of them
// may take.
type pieces struct{ e *exchange }

func (p pieces) Write(piece []byte) (int, error) {
	p.e.allow(len(piece))
	return p.e.Write(piece)
}

// sendUnpacked sends c without gzip, in whose form it is.
func (e *exchange) sendUnpacked(r *http.Request, c content) error {
	unpacked, err := gzip.NewReader(bytes.NewReader(c.body))
	if err != nil {
		return err
	}
	h := e.Header()
	h.Set("Cache-Control", c.cacheControl)
	h.Set("Content-Type", c.mime)
	h.Set("Content-Length", strconv.Itoa(unpackedBytes(c.body)))
	e.begin(http.StatusOK, pieceBytes)
	if r.Method == http.MethodHead {
		return nil
	}
	to := bufio.NewWriterSize(pieces{e}, pieceBytes)
	if _, err := io.Copy(to, unpacked); err == nil {
		to.Flush() // an error means that the client has left
	}
	return nil
}

// unpackedBytes is how long that is which gzip has as a file: it ends with that.
func unpackedBytes(packed []byte) int {
	return int(binary.LittleEndian.Uint32(packed[len(packed)-4:]))
}
