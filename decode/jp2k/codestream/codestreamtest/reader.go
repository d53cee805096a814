package codestreamtest

import "tileserver/decode/jp2k/codestream"

// Reader returns the bytes of a codestream and counts its reads.
type Reader struct {
	Data  []byte
	Piece int   // minimum bytes of a read; 0 means all
	Reads int   // so far
	Error error // returned by every read, if set
}

var _ codestream.Reader = (*Reader)(nil)

// NewReader returns a reader that returns all bytes at once.
func NewReader(data []byte) *Reader { return &Reader{Data: data} }

// Size returns the number of bytes.
func (r *Reader) Size() int64 { return int64(len(r.Data)) }

// Peek returns a piece.
func (r *Reader) Peek(offset int64, minLength int) ([]byte, error) {
	r.Reads++
	if r.Error != nil {
		return nil, r.Error
	}
	if offset >= int64(len(r.Data)) {
		return nil, nil
	}
	rest := r.Data[offset:]
	if r.Piece > 0 {
		rest = rest[:min(len(rest), max(r.Piece, minLength))]
	}
	return rest, nil
}
