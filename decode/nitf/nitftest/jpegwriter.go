package nitftest

import "encoding/binary"

// Markers of JPEG.
const (
	markerFrame         = 0xC0
	markerExtendedFrame = 0xC1
	markerLosslessFrame = 0xC3
	markerHuffman       = 0xC4
	markerRestart       = 0xD0
	markerStart         = 0xD8
	markerEnd           = 0xD9
	markerScan          = 0xDA
	markerQuantizer     = 0xDB
	markerInterval      = 0xDD
	markerNITF          = 0xE6
)

// jpegWriter is a stream that is being written. All of its codes have the same length, and their
// value is their symbol.
type jpegWriter struct {
	bytes []byte
	bits  stuffedBits // of the scan that is being written
}

// newJPEG begins a stream with its frame. The factors are those of the bands: how many blocks a row
// and a column of a unit have.
func (m *Image) newJPEG(frame byte, factors []int) *jpegWriter {
	j := &jpegWriter{bytes: []byte{0xFF, markerStart}}
	j.segment(markerNITF, m.nitfMarker()...)
	body := binary.BigEndian.AppendUint16([]byte{byte(m.ActualBits)}, uint16(m.BlockHeight))
	body = binary.BigEndian.AppendUint16(body, uint16(m.BlockWidth))
	body = append(body, byte(len(factors)))
	for band, f := range factors {
		body = append(body, m.component(band, len(factors)), byte(f<<4|f), 0)
	}
	j.segment(frame, body...)
	return j
}

// component returns the name of a component. Some readers take three that are numbered for YCbCr.
func (m *Image) component(band, bands int) byte {
	if bands == 3 && m.Representation != "YCbCr601" {
		return "RGB"[band]
	}
	return byte(band + 1)
}

// nitfMarker returns the application segment of NITF.
func (m *Image) nitfMarker() []byte {
	body := append([]byte("NITF\x00\x02\x00"), m.Mode[0])
	body = binary.BigEndian.AppendUint16(body, uint16(m.columns()))
	body = binary.BigEndian.AppendUint16(body, uint16(m.rows()))
	// Gray, bits, general purpose, baseline, own tables; then the stream's color and bits, and rest.
	return append(body, 0, byte(m.ActualBits), 0, 1, 0, 0, byte(m.ActualBits), 1, 1, 0, 0)
}

func (j *jpegWriter) segment(marker byte, body ...byte) {
	j.bytes = append(j.bytes, 0xFF, marker)
	j.bytes = binary.BigEndian.AppendUint16(j.bytes, uint16(len(body)+2))
	j.bytes = append(j.bytes, body...)
}

const (
	codeBits   = 9   // length of all codes
	maxSymbols = 255 // as many as a table can have of one length
)

// codes writes a table of the symbols below count.
func (j *jpegWriter) codes(class byte, count int) {
	counts := make([]byte, 16)
	counts[codeBits-1] = byte(count)
	body := append([]byte{class}, counts...)
	for symbol := range count {
		body = append(body, byte(symbol))
	}
	j.segment(markerHuffman, body...)
}

// beginScan writes the header of a scan of some of the bands.
func (m *Image) beginScan(j *jpegWriter, scan []int, bands int, parameters ...byte) {
	body := []byte{byte(len(scan))}
	for _, band := range scan {
		body = append(body, m.component(band, bands), 0)
	}
	j.segment(markerScan, append(body, parameters...)...)
}

// interval writes the number of units between restart markers.
func (j *jpegWriter) interval(units int) {
	j.segment(markerInterval, byte(units>>8), byte(units))
}

// restart writes a restart marker by its number in the scan.
func (j *jpegWriter) restart(number int) {
	j.bits.end()
	j.bits.bytes = append(j.bits.bytes, 0xFF, byte(markerRestart+number%8))
}

// endScan writes the data of a scan.
func (j *jpegWriter) endScan() {
	j.bits.end()
	j.bytes = append(j.bytes, j.bits.bytes...)
	j.bits = stuffedBits{}
}

// end returns the stream.
func (j *jpegWriter) end() []byte { return append(j.bytes, 0xFF, markerEnd) }

// value writes a run of zeros and a value, modulo 16 bits.
func (j *jpegWriter) value(zeros, v int) {
	v = int(int16(v))
	size := 0
	for max(v, -v)>>size > 0 {
		size++
	}
	j.bits.put(zeros<<4|size, codeBits)
	if size == 16 {
		return // half the range has no bits of its own
	}
	if v < 0 {
		v += 1<<size - 1
	}
	j.bits.put(v, size)
}

// stuffedBits writes bits, and a zero byte behind each byte of ones.
type stuffedBits struct {
	bytes []byte
	last  byte
	count int // bits in last
}

func (w *stuffedBits) put(value, bits int) {
	for i := bits - 1; i >= 0; i-- {
		w.last = w.last<<1 | byte(value>>i&1)
		if w.count++; w.count < 8 {
			continue
		}
		if w.bytes = append(w.bytes, w.last); w.last == 0xFF {
			w.bytes = append(w.bytes, 0)
		}
		w.last, w.count = 0, 0
	}
}

// end fills the last byte with ones.
func (w *stuffedBits) end() {
	for w.count > 0 {
		w.put(1, 1)
	}
}
