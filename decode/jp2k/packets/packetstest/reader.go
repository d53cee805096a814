package packetstest

// Reader reads from memory. It returns no more bytes than asked for, and counts them.
type Reader struct {
	Bytes []byte
	Peeks int
	Read  int64 // number of bytes returned
	Fail  error // returned by Peek if set
}

// Size returns the number of bytes.
func (r *Reader) Size() int64 { return int64(len(r.Bytes)) }

// Peek returns a copy, which the next call overwrites.
func (r *Reader) Peek(offset int64, minLength int) ([]byte, error) {
	if r.Fail != nil {
		return nil, r.Fail
	}
	given := append([]byte(nil), r.Bytes[offset:min(offset+int64(minLength), int64(len(r.Bytes)))]...)
	r.Peeks++
	r.Read += int64(len(given))
	return given, nil
}
