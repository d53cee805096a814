package codestreamtest

import "tileserver/decode/jp2k/codestream"

// Reader gives the bytes of a codestream, and counts how often it is asked.
type Reader struct {
	Data  []byte
	Piece int   // how much it gives at least; 0 is all
	Reads int   // so far
	Error error // of every read, if there is one
}

var _ codestream.Reader = (*Reader)(nil)

// NewReader gives all bytes at once.
func NewReader(data []byte) *Reader { return &Reader{Data: data} }

// Size is how many bytes there are.
func (r *Reader) Size() int64 { return int64(len(r.Data)) }

// Peek returns a piece.
func (r *Reader) Peek(offset int64, least int) ([]byte, error) {
	r.Reads++
	if r.Error != nil {
		return nil, r.Error
	}
	if offset >= int64(len(r.Data)) {
		return nil, nil
	}
	rest := r.Data[offset:]
	if r.Piece > 0 {
		rest = rest[:min(len(rest), max(r.Piece, least))]
	}
	return rest, nil
}
