package packetstest

// Reader gives bytes in memory, no more of them than asked for, and counts.
type Reader struct {
	Bytes []byte
	Peeks int
	Read  int64 // bytes given
	Fail  error // if set, what Peek returns
}

// Size is how many bytes there are.
func (r *Reader) Size() int64 { return int64(len(r.Bytes)) }

// Peek returns a copy, which the next call spoils.
func (r *Reader) Peek(offset int64, least int) ([]byte, error) {
	if r.Fail != nil {
		return nil, r.Fail
	}
	given := append([]byte(nil), r.Bytes[offset:min(offset+int64(least), int64(len(r.Bytes)))]...)
	r.Peeks++
	r.Read += int64(len(given))
	return given, nil
}
