package encoder

import "encoding/binary"

const (
	minRun  = 5 // shorter runs are stored with the bytes around them
	maxRun  = 32767
	maskEnd = 0x8000
)

// appendMask appends the validity of pixels, unless all or none are valid.
func (e *Encoder) appendMask(out []byte, img *Image) []byte {
	pixels := img.Width * img.Height
	sizeAt := len(out)
	out = binary.LittleEndian.AppendUint32(out, 0)
	if e.valid == 0 || e.valid == pixels {
		return out
	}
	bits := make([]byte, (pixels+7)/8)
	for i, v := range img.Valid {
		if v != 0 {
			bits[i/8] |= 0x80 >> (i % 8)
		}
	}
	out = appendRuns(out, bits)
	binary.LittleEndian.PutUint32(out[sizeAt:], uint32(len(out)-sizeAt-4))
	return out
}

// appendRuns appends bytes as runs: a negative count and the byte that is repeated, or a positive count
// and so many bytes.
func appendRuns(out, bytes []byte) []byte {
	literals := 0
	for at := 0; at < len(bytes); {
		run := runAt(bytes[at:])
		if run < minRun {
			at += run
			continue
		}
		out = appendLiterals(out, bytes[literals:at])
		out = append(binary.LittleEndian.AppendUint16(out, uint16(-run)), bytes[at])
		at += run
		literals = at
	}
	out = appendLiterals(out, bytes[literals:])
	return binary.LittleEndian.AppendUint16(out, maskEnd)
}

func runAt(bytes []byte) int {
	n := 1
	for n < len(bytes) && n < maxRun && bytes[n] == bytes[0] {
		n++
	}
	return n
}

func appendLiterals(out, bytes []byte) []byte {
	for len(bytes) > 0 {
		n := min(len(bytes), maxRun)
		out = append(binary.LittleEndian.AppendUint16(out, uint16(n)), bytes[:n]...)
		bytes = bytes[n:]
	}
	return out
}
