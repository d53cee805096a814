package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"tileserver/source"
	"tileserver/source/web/transport"
)

// partReader reads a part of an object, in one or several answers.
type partReader struct {
	version version
	room    []byte // for what is left
	offset  int64  // of that

	avoidsWhole bool // whether an answer with the whole object is not read
	wasWhole    bool // whether there was one that was
}

// errWhole means that the server sent a whole object that is small enough to be read once for all.
var errWhole = errors.New("the server answered a request for a range with the whole object")

func (p *partReader) left() source.Range {
	return source.Range{Offset: p.offset, Length: int64(len(p.room))}
}

func (p *partReader) header() http.Header {
	header := http.Header{"Range": {formatRange(p.left())}}
	p.version.require(header)
	return header
}

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
		return transport.Wrong(err)
	}
	if size == unknownSize {
		size = p.version.size
	}
	if !versionOf(answer.Header, size).isSame(p.version) {
		return source.ErrChanged
	}
	if part != p.left() {
		return transport.Wrong(fmt.Errorf("the server sent bytes %v, asked for %v", part, p.left()))
	}
	return nil
}

// read reads a body from where the part begins.
func (p *partReader) read(answer *transport.Answer) error {
	wanted := len(p.room)
	n, err := io.ReadFull(answer.Body, p.room)
	p.room, p.offset = p.room[n:], p.offset+int64(n)
	if err == nil {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if isMuch := n*enoughShare >= wanted; isMuch {
		return transport.Advanced(err)
	}
	return transport.Broken(err)
}

// enoughShare is the part of what is left that a try must bring to count as progress.
const enoughShare = 16

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
	if p.avoidsWhole {
		return errWhole
	}
	if p.offset > maxSkippedBytes {
		return fmt.Errorf("%w at offset %d", ErrNoRanges, p.offset)
	}
	p.wasWhole = true
	if _, err := io.CopyN(io.Discard, answer.Body, p.offset); err != nil {
		return transport.Broken(err)
	}
	return p.read(answer)
}
