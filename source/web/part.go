package web

import (
	"fmt"
	"io"
	"net/http"

	"tileserver/source"
	"tileserver/source/web/transport"
)

// take takes an answer with what is left. Nothing of another version is taken.
func (p *partReader) take(answer *transport.Answer) error {
	switch answer.Status {
	case http.StatusPartialContent:
		if err := p.checkPart(answer); err != nil {
			return err
		}
		return p.read(answer)
	case http.StatusOK:
		return p.takeFromWhole(answer)
	case http.StatusPreconditionFailed, http.StatusRequestedRangeNotSatisfiable, http.StatusNotFound, http.StatusGone:
		return source.ErrChanged
	}
	return unexpected(answer)
}

// checkPart compares what an answer says of itself with what was asked for.
func (p *partReader) checkPart(answer *transport.Answer) error {
	part, size, err := parseContentRange(answer.Header.Get("Content-Range"))
	if err != nil {
		return transport.Broken(err)
	}
	if size == unknownSize {
		size = p.version.size
	}
	if !versionOf(answer.Header, size).isSame(p.version) {
		return source.ErrChanged
	}
	if part != p.left() {
		return transport.Broken(fmt.Errorf("the server sent bytes %v, asked for %v", part, p.left()))
	}
	return nil
}

// read reads a body from where the part begins.
func (p *partReader) read(answer *transport.Answer) error {
	n, err := io.ReadFull(answer.Body, p.room)
	p.room, p.offset = p.room[n:], p.offset+int64(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = transport.Broken(io.ErrUnexpectedEOF)
	}
	return err
}

// maxSkippedBytes bounds what is read in vain of an answer with the whole object.
const maxSkippedBytes = 8 << 20

// takeFromWhole takes what is left from an answer with the whole object: the server answers no ranges, or not
// always.
func (p *partReader) takeFromWhole(answer *transport.Answer) error {
	size := answer.Length
	if size < 0 {
		size = p.version.size
	}
	if !versionOf(answer.Header, size).isSame(p.version) {
		return source.ErrChanged
	}
	if p.offset > maxSkippedBytes {
		return fmt.Errorf("%w at offset %d", ErrNoRanges, p.offset)
	}
	if _, err := io.CopyN(io.Discard, answer.Body, p.offset); err != nil {
		return transport.Broken(err)
	}
	return p.read(answer)
}
