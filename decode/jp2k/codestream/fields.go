package codestream

import "encoding/binary"

// fields reads numbers from a marker's body. Past its end it reads zeros and sets short.
type fields struct {
	rest  []byte
	short bool
}

func (f *fields) take(length int) []byte {
	if len(f.rest) < length {
		f.short = true
		f.rest = nil
		return make([]byte, length)
	}
	taken := f.rest[:length]
	f.rest = f.rest[length:]
	return taken
}

func (f *fields) byte() int  { return int(f.take(1)[0]) }
func (f *fields) two() int   { return int(binary.BigEndian.Uint16(f.take(2))) }
func (f *fields) four() int  { return int(binary.BigEndian.Uint32(f.take(4))) }
func (f *fields) done() bool { return len(f.rest) == 0 }

// number reads one or two bytes. Component numbers have two bytes if the image has many components.
func (f *fields) number(wide bool) int {
	if wide {
		return f.two()
	}
	return f.byte()
}
