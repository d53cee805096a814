package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"time"

	"tileserver/source"
	"tileserver/source/web/transport"
)

// headBytes is how much is read of an object when it is opened. The headers of most files lie in it.
const headBytes = source.HeadBytes

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
func (s *Store) readHead(ctx context.Context, path string, in *room) (*head, error) {
	u, err := s.config.Service.Locate(path)
	if err != nil {
		return nil, err
	}
	read, err := s.readBeginning(ctx, u, in)
	if err != nil {
		return nil, err
	}
	if read.version.isKnown() || read.isWhole || read.version.size <= int64(len(read.bytes)) {
		return read, nil
	}
	return s.readUnversioned(ctx, u, read, in)
}

// readBeginning reads the beginning of an object. Memory is reserved once it has a turn: those that wait for a slow
// server hold none.
func (s *Store) readBeginning(ctx context.Context, u *url.URL, in *room) (*head, error) {
	turn, err := s.enter(ctx, u)
	if err != nil {
		return nil, err
	}
	defer turn.Leave()
	if err := in.reserve(ctx, headBytes+besideHeadBytes); err != nil {
		return nil, err
	}
	read := &head{asked: time.Now()}
	asking := s.request(u, http.Header{"Range": {formatRange(source.Range{Length: headBytes})}})
	asking.MoreFollow = true // an object is opened to read its parts
	return read, turn.Fetch(ctx, func() transport.Request { return asking }, read.taker(ctx, in))
}

// readUnversioned reads an object whole whose server tells neither its tag nor its date: parts that are read one
// after the other could be of different versions.
func (s *Store) readUnversioned(ctx context.Context, u *url.URL, first *head, in *room) (*head, error) {
	if err := in.in.checkWhole(first.version.size); err != nil {
		return nil, fmt.Errorf("the server tells neither an ETag nor Last-Modified, and %w", err)
	}
	all := &head{asked: first.asked}
	if err := s.fetch(ctx, s.request(u, nil), all.taker(ctx, in)); err != nil {
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
	turn, err := s.enter(ctx, r.URL)
	if err != nil {
		return err
	}
	defer turn.Leave()
	return turn.Fetch(ctx, func() transport.Request { return r }, take)
}

// enter waits for a turn to ask a server.
func (s *Store) enter(ctx context.Context, u *url.URL) (*transport.Turn, error) {
	if err := source.Reach(ctx); err != nil {
		return nil, err
	}
	return s.config.Client.Enter(ctx, u)
}

// taker returns what takes the answer with the beginning of an object. What is larger than a beginning needs more room.
func (h *head) taker(ctx context.Context, in *room) func(*transport.Answer) error {
	return func(answer *transport.Answer) error {
		if answer.Status == http.StatusOK {
			return h.takeWhole(ctx, answer, in)
		}
		return h.take(answer)
	}
}

// take takes an answer that is not the whole object.
func (h *head) take(answer *transport.Answer) (err error) {
	switch answer.Status {
	case http.StatusPartialContent:
		return h.takePart(answer)
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
func (h *head) takeWhole(ctx context.Context, answer *transport.Answer, in *room) error {
	if !answer.IsDelimited {
		return fmt.Errorf("%w, and does not say where the object ends", ErrNoRanges)
	}
	size, most := answer.Length, in.in.maxWholeBytes()
	if size < 0 { // it is not known before its end
		size = most
	}
	err := in.in.checkWhole(size)
	if err == nil {
		err = in.reserve(ctx, size+besideHeadBytes)
	}
	if err != nil {
		return fmt.Errorf("%w, and %w", ErrNoRanges, err)
	}
	all, err := readWhole(answer, size)
	if err != nil {
		return err
	}
	h.version, h.bytes, h.isWhole = versionOf(answer.Header, int64(len(all))), all, true
	return nil
}

// checkWhole returns an error for an object that is too large to be read whole.
func (m *Memory) checkWhole(size int64) error {
	if most := m.maxWholeBytes(); size > most {
		return fmt.Errorf("the object has %d bytes: more than the %d that are read whole, a quarter of remote_memory", size, most)
	}
	return nil
}

// readWhole reads a body of size bytes, or of at most as many if its length is not known.
func readWhole(answer *transport.Answer, size int64) ([]byte, error) {
	all := make([]byte, size)
	if answer.Length >= 0 {
		return all, fill(all, answer)
	}
	n, err := io.ReadFull(answer.Body, all)
	switch {
	case err == nil && hasMore(answer.Body):
		return nil, fmt.Errorf("%w, and the object has more than the %d bytes that are read whole, a quarter of remote_memory", ErrNoRanges, size)
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF:
		return nil, err
	}
	return slices.Clone(all[:n]), nil
}

// hasMore reports whether a body goes on.
func hasMore(body io.Reader) bool {
	n, _ := io.ReadFull(body, make([]byte, 1))
	return n > 0
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
