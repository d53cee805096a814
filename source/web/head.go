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
	err = s.fetch(ctx, s.request(u, header), read.take)
	if err != nil {
		return nil, err
	}
	return read, nil
}

// request returns a request of the store.
func (s *Store) request(u *url.URL, header http.Header) transport.Request {
	return transport.Request{URL: u, Header: header, Signer: s.config.Service, IsTrusted: s.config.IsTrusted}
}

// fetch waits for a turn and sends a request.
func (s *Store) fetch(ctx context.Context, r transport.Request, take func(*transport.Answer) error) error {
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
		return transport.Broken(err)
	}
	if size == unknownSize || part != (source.Range{Length: min(headBytes, size)}) {
		return transport.Broken(fmt.Errorf("the server sent bytes %v of %d, asked for the first %d", part, size, headBytes))
	}
	h.version, h.bytes = versionOf(answer.Header, size), make([]byte, part.Length)
	return fill(h.bytes, answer)
}

// takeWhole takes a whole object from a server that answers no ranges.
func (h *head) takeWhole(answer *transport.Answer) error {
	if answer.Length > maxWholeBytes {
		return fmt.Errorf("%w, and the object has %d bytes: more than the %d that are read whole", ErrNoRanges, answer.Length, maxWholeBytes)
	}
	all, err := io.ReadAll(io.LimitReader(answer.Body, maxWholeBytes+1))
	switch {
	case err != nil:
		return err
	case len(all) > maxWholeBytes:
		return fmt.Errorf("%w, and the object has more than the %d bytes that are read whole", ErrNoRanges, maxWholeBytes)
	}
	h.version, h.bytes, h.isWhole = versionOf(answer.Header, int64(len(all))), all, true
	return nil
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
