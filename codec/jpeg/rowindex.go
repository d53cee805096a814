package jpeg

import (
	"bytes"
	"encoding/binary"
)

// RowIndex finds parts of a stream that can be decoded alone: whole rows between restart markers.
// The stream comes in pieces of any size, from its start marker on. The zero value is ready to use.
//
// Only a stream of one scan has parts.
type RowIndex struct {
	head     []byte // up to and with the header of the scan
	isRead   bool   // head is complete, or the stream has no parts
	frame    frame
	partRows int
	perPart  int // restart markers from one part to the next

	at       int64   // where the next piece begins
	isMarker bool    // the last byte was 0xFF
	restarts int     // found so far
	starts   []int64 // where the data of each part begin
	end      int64   // of the data; 0 if it is not known yet
}

// Add continues with the next piece of the stream.
func (x *RowIndex) Add(piece []byte) {
	begin := x.at
	x.at += int64(len(piece))
	if !x.isRead {
		x.head = append(x.head, piece...)
		x.readHead()
		if x.partRows == 0 {
			if x.isRead {
				x.head = nil
			}
			return
		}
		begin = int64(len(x.head))
		piece = piece[len(piece)-int(x.at-begin):]
	}
	if x.partRows > 0 {
		x.addData(piece, begin)
	}
}

// Close says that the stream has no more bytes.
func (x *RowIndex) Close() {
	x.isRead = true
	if x.end == 0 {
		x.end = x.at
	}
}

// IsRead reports whether the headers have been read, so that PartRows is known.
func (x *RowIndex) IsRead() bool { return x.isRead }

// PartRows returns the number of rows in each part but the last, or 0 if the stream has no parts.
func (x *RowIndex) PartRows() int { return x.partRows }

// Neighbors returns how many parts above and below others belong to a stream of them, because their
// samples are needed too: chroma of less height than luma is interpolated between rows.
func (x *RowIndex) Neighbors() int {
	if x.frame.isMixed {
		return 1
	}
	return 0
}

// Parts returns where the data of some parts are. It returns false if that is not known yet, or if
// the stream ends before them.
func (x *RowIndex) Parts(first, count int) (e Extent, known bool) {
	behind := first + count
	switch {
	case first < 0 || count < 1 || first >= len(x.starts):
		return Extent{}, false
	case behind < len(x.starts):
		const markerBytes = 2
		return Extent{x.starts[first], x.starts[behind] - markerBytes - x.starts[first]}, true
	case x.end > 0:
		return Extent{x.starts[first], x.end - x.starts[first]}, true
	}
	return Extent{}, false
}

// Stream returns a stream of some parts alone, whose data Parts has found.
func (x *RowIndex) Stream(data []byte, first, count int) []byte {
	const markerBytes = 2
	out := make([]byte, 0, len(x.head)+len(data)+markerBytes)
	out = append(append(out, x.head...), data...)
	rows := min((first+count)*x.partRows, x.frame.height) - first*x.partRows
	binary.BigEndian.PutUint16(out[x.frame.heightAt:], uint16(rows))
	renumber(out[len(x.head):])
	return append(out, 0xFF, byte(MarkerEnd))
}

// renumber counts the restart markers in the data of a scan from its beginning.
func renumber(data []byte) {
	for number := 0; ; {
		next := bytes.IndexByte(data, 0xFF)
		if next < 0 || next+1 == len(data) {
			return
		}
		if data = data[next+1:]; Marker(data[0]).IsRestart() {
			data[0] = byte(restart(number))
			number++
		}
	}
}

// restart returns a restart marker by its number in a scan.
func restart(number int) Marker { return MarkerRestart + Marker(number%8) }

// addData looks through the data of the scan, from an offset in the stream.
func (x *RowIndex) addData(piece []byte, begin int64) {
	for i := 0; i < len(piece) && x.end == 0; i++ {
		if !x.isMarker {
			next := bytes.IndexByte(piece[i:], 0xFF)
			if next < 0 {
				return
			}
			x.isMarker, i = true, i+next
			continue
		}
		m := Marker(piece[i])
		if x.isMarker = m == fillByte; !x.isMarker && m != MarkerNone {
			x.addMarker(m, begin+int64(i)+1)
		}
	}
}

// addMarker notes a restart marker. Any other one ends the data. after is the offset behind it.
func (x *RowIndex) addMarker(m Marker, after int64) {
	parts := (x.frame.height + x.partRows - 1) / x.partRows
	if m != restart(x.restarts) || x.restarts+1 == parts*x.perPart {
		const markerBytes = 2
		x.end = after - markerBytes
		return
	}
	if x.restarts++; x.restarts%x.perPart == 0 {
		x.starts = append(x.starts, after)
	}
}

// readHead reads the headers once they are complete.
func (x *RowIndex) readHead() {
	const (
		maxBytes   = 1 << 20
		startBytes = 2
		headBytes  = 4 // of a segment
	)
	interval := 0
	for at := startBytes; ; {
		if len(x.head) < at+headBytes {
			x.isRead = len(x.head) > maxBytes
			return
		}
		if x.head[at] != 0xFF || x.head[at+1] == byte(fillByte) {
			at++
			continue
		}
		m, length := Marker(x.head[at+1]), int(binary.BigEndian.Uint16(x.head[at+2:]))
		next := at + startBytes + length
		if m.HasNoBody() || length < 2 || len(x.head) > maxBytes {
			x.isRead = true
			return
		}
		if len(x.head) < next {
			return
		}
		switch body := x.head[at+headBytes : next]; {
		case m.IsFrame():
			x.frame = readFrame(m, body, at+headBytes)
		case m == MarkerInterval && len(body) == 2:
			interval = int(binary.BigEndian.Uint16(body))
		case m == MarkerScan:
			x.beginData(body, interval, next)
			return
		}
		at = next
	}
}

// beginData completes the headers with that of the scan.
func (x *RowIndex) beginData(scan []byte, interval, end int) {
	x.isRead = true
	f := &x.frame
	if interval == 0 || f.unitsWide == 0 || len(scan) == 0 || int(scan[0]) != f.components {
		return
	}
	switch {
	case interval%f.unitsWide == 0:
		x.partRows, x.perPart = interval/f.unitsWide*f.unitHeight, 1
	case f.unitsWide%interval == 0:
		x.partRows, x.perPart = f.unitHeight, f.unitsWide/interval
	default:
		return
	}
	x.head = bytes.Clone(x.head[:end])
	x.starts = []int64{int64(end)}
}

// frame is what the rows of a stream depend on.
type frame struct {
	height     int
	heightAt   int // offset in the stream
	components int
	unitsWide  int  // 0 if rows cannot be decoded alone
	unitHeight int  // in rows
	isMixed    bool // components differ in height
}

// readFrame reads a frame header at an offset in the stream.
func readFrame(m Marker, body []byte, at int) frame {
	const fixedBytes, componentBytes, lossless = 6, 3, MarkerFrame + 3
	if len(body) < fixedBytes || body[5] == 0 || len(body) != fixedBytes+componentBytes*int(body[5]) {
		return frame{}
	}
	f := frame{height: int(binary.BigEndian.Uint16(body[1:])), heightAt: at + 1, components: int(body[5])}
	width := int(binary.BigEndian.Uint16(body[3:]))
	h, v, least := 1, 1, 1
	if f.components > 1 {
		least = int(body[fixedBytes+1] & 15)
		for i := range f.components {
			factors := body[fixedBytes+componentBytes*i+1]
			h, v, least = max(h, int(factors>>4)), max(v, int(factors&15)), min(least, int(factors&15))
		}
	}
	f.isMixed = least < v
	switch {
	case f.height == 0:
	case m == lossless && h*v == 1:
		f.unitsWide, f.unitHeight = width, 1
	case m == MarkerFrame || m == MarkerFrame+1:
		f.unitsWide, f.unitHeight = (width+BlockSide*h-1)/(BlockSide*h), BlockSide*v
	}
	return f
}
