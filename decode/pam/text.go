package pam

import (
	"fmt"
	"io"
)

// mostTagBytes bounds what stands between angle brackets. The decoder keeps all
// attributes of an element at a time, each in many times the bytes that it is
// written in.
const mostTagBytes = 64 << 10

// boundedText gives a text byte by byte, so that no more of it is read than the
// token that is wanted takes.
type boundedText struct {
	text   []byte
	at     int
	tagEnd int // behind the longest tag that may begin here
}

var _ io.ByteReader = (*boundedText)(nil)

// beginToken says where the next token begins. Texts between tags, comments and the
// like may be of any length.
func (t *boundedText) beginToken(at int) {
	t.tagEnd = len(t.text)
	if at+1 < len(t.text) && t.text[at] == '<' && t.text[at+1] != '!' && t.text[at+1] != '?' {
		t.tagEnd = min(at+mostTagBytes, len(t.text))
	}
}

// ReadByte ends within a tag that is too long.
func (t *boundedText) ReadByte() (byte, error) {
	switch t.at {
	case len(t.text):
		return 0, io.EOF
	case t.tagEnd:
		return 0, fmt.Errorf("a tag of more than %d bytes: %w", mostTagBytes, ErrLimit)
	}
	t.at++
	return t.text[t.at-1], nil
}

// Read is for the decoder, which reads bytes.
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
