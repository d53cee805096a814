package pam

import (
	"fmt"
	"io"
)

// maxTagBytes bounds the length of an XML tag. The decoder holds all attributes of a tag at a time,
// and they take many times the memory of the text.
const maxTagBytes = 64 << 10

// boundedText provides a text byte by byte, so that the decoder reads no further than the current
// token.
type boundedText struct {
	text   []byte
	at     int
	tagEnd int // end of the longest tag that may start here
}

var _ io.ByteReader = (*boundedText)(nil)

// beginToken sets the start of the next token. Only tags are bounded; character data, comments and
// processing instructions are not.
func (t *boundedText) beginToken(at int) {
	t.tagEnd = len(t.text)
	if at+1 < len(t.text) && t.text[at] == '<' && t.text[at+1] != '!' && t.text[at+1] != '?' {
		t.tagEnd = min(at+maxTagBytes, len(t.text))
	}
}

// ReadByte returns the next byte. It fails within a tag that is too long.
func (t *boundedText) ReadByte() (byte, error) {
	switch t.at {
	case len(t.text):
		return 0, io.EOF
	case t.tagEnd:
		return 0, fmt.Errorf("a tag of more than %d bytes: %w", maxTagBytes, ErrLimit)
	}
	t.at++
	return t.text[t.at-1], nil
}

// Read implements io.Reader. The decoder calls only ReadByte.
func (t *boundedText) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := t.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}
