package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"time"

	"tileserver/source"
	"tileserver/source/web/transport"
)

const (
	// headBytes is how much is read of an object when it is opened. The headers of most files lie in it.
	headBytes = source.HeadBytes

	// maxWholeBytes bounds the objects that are read whole because their server answers no ranges.
	maxWholeBytes = 16 << 20
)

// head is the version of an object, with its beginning.
type head struct {
	version version
	bytes   []byte
	isWhole bool // whether the server answers no ranges; then bytes are all
	asked   time.Time
}

// ErrNoRanges means that a server sends only whole objects, and this one is too large for that.
var ErrNoRanges = errors.New("the server does not answer requests for byte ranges")

// readHead asks for the beginning of an object.
func (s *Store) readHead(ctx context.Context, path string) (*head, error) {
	u, err := s.config.Service.Locate(path)
	if err != nil {
		return nil, err
	}
	read := &head{asked: time.Now()}
	header := http.Header{"Range": {formatRange(source.Range{Length: headBytes})}}
	if err = s.fetch(ctx, s.request(u, header), read.take); err != nil {
		return nil, err
	}
	if read.version.isKnown() || read.isWhole || read.version.size <= int64(len(read.bytes)) {
		return read, nil
	}
	return s.readUnversioned(ctx, u, read)
}

// readUnversioned reads an object whole whose server tells neither its tag nor its date: parts that are read one
// after the other could be of different versions.
func (s *Store) readUnversioned(ctx context.Context, u *url.URL, first *head) (*head, error) {
	if first.version.size > maxWholeBytes {
		return nil, fmt.Errorf("the server tells neither an ETag nor Last-Modified, and the object has %d bytes: more than the %d that are read whole", first.version.size, maxWholeBytes)
	}
	all := &head{asked: first.asked}
	if err := s.fetch(ctx, s.request(u, nil), all.take); err != nil {
		return nil, err
	}
	return all, nil
}

// request returns a request of the store.
func (s *Store) request(u *url.URL, header http.Header) transport.Request {
	return transport.Request{URL: u, Header: header, Signer: s.config.Service, IsTrusted: s.config.IsTrusted}
}

// fetch waits for a turn and sends a request.
func (s *Store) fetch(ctx context.Context, r transport.Request, take func(*transport.Answer) error) error {
	if err := source.Reach(ctx); err != nil {
		return err
	}
	turn, err := s.config.Client.Enter(ctx, r.URL)
	if err != nil {
		return err
	}
	defer turn.Leave()
	return turn.Fetch(ctx, func() transport.Request { return r }, take)
}

// take takes the answer with the beginning of an object.
func (h *head) take(answer *transport.Answer) (err error) {
	switch answer.Status {
	case http.StatusPartialContent:
		return h.takePart(answer)
	case http.StatusOK:
		return h.takeWhole(answer)
	case http.StatusNotFound, http.StatusGone:
		return fs.ErrNotExist
	case http.StatusRequestedRangeNotSatisfiable: // nothing can be asked of an empty object
		if _, size, err := parseContentRange(answer.Header.Get("Content-Range")); err == nil && size == 0 {
			h.version, h.bytes = versionOf(answer.Header, 0), []byte{}
			return nil
		}
	}
	return unexpected(answer)
}

func (h *head) takePart(answer *transport.Answer) error {
	part, size, err := parseContentRange(answer.Header.Get("Content-Range"))
	if err != nil {
		return transport.Wrong(err)
	}
	if size == unknownSize || part != (source.Range{Length: min(headBytes, size)}) {
		return transport.Wrong(fmt.Errorf("the server sent bytes %v of %d, asked for the first %d", part, size, headBytes))
	}
	h.version, h.bytes = versionOf(answer.Header, size), make([]byte, part.Length)
	return fill(h.bytes, answer)
}

// takeWhole takes a whole object from a server that answers no ranges.
func (h *head) takeWhole(answer *transport.Answer) error {
	switch {
	case !answer.IsDelimited:
		return fmt.Errorf("%w, and does not say where the object ends", ErrNoRanges)
	case answer.Length > maxWholeBytes:
		return fmt.Errorf("%w, and the object has %d bytes: more than the %d that are read whole", ErrNoRanges, answer.Length, maxWholeBytes)
	}
	all, err := readWhole(answer)
	switch {
	case err != nil:
		return err
	case len(all) > maxWholeBytes:
		return fmt.Errorf("%w, and the object has more than the %d bytes that are read whole", ErrNoRanges, maxWholeBytes)
	}
	h.version, h.bytes, h.isWhole = versionOf(answer.Header, int64(len(all))), all, true
	return nil
}

// readWhole reads a body, of which at most a byte more than maxWholeBytes.
func readWhole(answer *transport.Answer) ([]byte, error) {
	if answer.Length < 0 {
		return io.ReadAll(io.LimitReader(answer.Body, maxWholeBytes+1))
	}
	all := make([]byte, answer.Length)
	return all, fill(all, answer)
}

// fill reads a body that has as many bytes as there is room for.
func fill(room []byte, answer *transport.Answer) error {
	_, err := io.ReadFull(answer.Body, room)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = transport.Broken(io.ErrUnexpectedEOF)
	}
	return err
}

func unexpected(answer *transport.Answer) error {
	return fmt.Errorf("the server answered %d %s to a request for a range", answer.Status, http.StatusText(answer.Status))
}
