package jpeg

import (
	"encoding/binary"
	"fmt"
)

const (
	maxComponents = 4
	blockSide     = 8
)

// Process is how samples are coded.
type Process uint8

// The processes that are decoded.
const (
	Sequential  Process = iota + 1 // baseline and extended
	Progressive                    // scans that refine each other
	Lossless                       // differences from neighbours, without a transform
)

// String is the name of p, in lower case.
func (p Process) String() string {
	return [...]string{"unknown", "sequential", "progressive", "lossless"}[p]
}

// TransformUnknown is the Transform of a frame that says nothing of its colours.
const TransformUnknown = -1

// Frame is what a stream says of its picture.
type Frame struct {
	Width, Height int
	Bits          int // of a sample
	Components    int
	Process       Process

	// WorkBytes is what decoding takes beside the planes: rows of samples, and the coefficients of a row of units, or of the
	// whole picture where its scans add to each other.
	WorkBytes int64

	// Transform is what the marker of Adobe's programs says of the colours: 0 as they are, 1 to YCbCr, 2 to YCCK. It is
	// TransformUnknown without that marker.
	Transform int

	maxH, maxV int // the largest sampling factors
}

// component is one of a frame, with what its scans say of it.
type component struct {
	number        int // in the frame
	id            byte
	h, v          int // sampling factors
	width, height int // samples
	blocksWide    int // that hold samples
	blocksHigh    int
	storedWide    int // blocks, up to whole units of a scan of several components
	firstBlock    int // that is stored

	quantizer     int // its number
	quantizers    quantizer
	hasQuantizers bool // those that held when its first scan began

	// of its scans
	scanned          bool
	dcTable, acTable int
	prediction       int32
}

// processOf is the process that a frame's marker stands for, if it is decoded.
func processOf(m marker) (p Process, known bool) {
	switch m {
	case markerFrame, markerFrame + 1:
		return Sequential, true
	case markerFrame + 2:
		return Progressive, true
	case markerFrame + 3:
		return Lossless, true
	}
	return 0, false
}

// processName is what a frame's marker stands for.
func processName(m marker) string {
	names := [...]string{
		5: "hierarchical", 6: "hierarchical progressive", 7: "hierarchical lossless", 9: "arithmetic coding",
		10: "progressive arithmetic coding", 11: "lossless arithmetic coding", 13: "hierarchical arithmetic coding",
		14: "hierarchical progressive arithmetic coding", 15: "hierarchical lossless arithmetic coding",
	}
	return names[m-markerFrame]
}

// readFrameHeader reads the frame and the sizes of its components.
func (d *Decoder) readFrameHeader(m marker, body []byte) error {
	const fixedBytes, componentBytes = 6, 3
	process, known := processOf(m)
	switch {
	case !known:
		return fmt.Errorf("%w: %s", ErrUnsupported, processName(m))
	case d.frame.Components != 0:
		return fmt.Errorf("%w: a second frame", ErrCorrupt)
	case len(body) < fixedBytes || body[5] == 0 || len(body) != fixedBytes+componentBytes*int(body[5]):
		return fmt.Errorf("%w: a frame header of %d bytes", ErrCorrupt, len(body))
	case body[5] > maxComponents:
		return fmt.Errorf("%w: %d components", ErrUnsupported, body[5])
	}
	d.frame = Frame{
		Width: int(binary.BigEndian.Uint16(body[3:])), Height: int(binary.BigEndian.Uint16(body[1:])),
		Bits: int(body[0]), Components: int(body[5]), Process: process,
		Transform: d.frame.Transform, maxH: 1, maxV: 1,
	}
	if d.frame.Height == 0 {
		d.frame.Height = linesBehind(d.rest)
	}
	for i := range d.frame.Components {
		c := body[fixedBytes+componentBytes*i:]
		d.parts[i] = component{number: i, id: c[0], h: int(c[1] >> 4), v: int(c[1] & 15), quantizer: int(c[2])}
	}
	if err := d.frame.check(m); err != nil {
		return err
	}
	return d.measureComponents()
}

// check tells whether there are such frames.
func (f *Frame) check(m marker) error {
	switch {
	case f.Width == 0 || f.Height == 0:
		return fmt.Errorf("%w: %dx%d pixels", ErrCorrupt, f.Width, f.Height)
	case f.Process == Lossless && (f.Bits < 2 || f.Bits > 16):
		return fmt.Errorf("%w: lossless of %d bits", ErrCorrupt, f.Bits)
	case f.Process != Lossless && f.Bits != 8 && (f.Bits != 12 || m == markerFrame):
		return fmt.Errorf("%w: %v of %d bits", ErrUnsupported, f.Process, f.Bits)
	}
	return nil
}

// linesBehind is the height that a marker behind the first scan gives, for a frame that leaves it open, or 0.
func linesBehind(stream []byte) int {
	for {
		m, body, after, err := nextSegment(stream)
		switch {
		case err != nil || m == markerEnd || m == markerNone:
			return 0
		case m == markerLines && len(body) == 2:
			return int(binary.BigEndian.Uint16(body))
		}
		stream = after
	}
}

// measureComponents counts the samples and blocks of each component. The factors of an only one are of no matter.
func (d *Decoder) measureComponents() error {
	f := &d.frame
	parts := d.parts[:f.Components]
	for i := range parts {
		c := &parts[i]
		if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 {
			return fmt.Errorf("%w: sampling factors %dx%d", ErrCorrupt, c.h, c.v)
		}
		if len(parts) == 1 {
			c.h, c.v = 1, 1
		}
		f.maxH, f.maxV = max(f.maxH, c.h), max(f.maxV, c.v)
	}
	unitsWide, _ := f.units()
	for i := range parts {
		c := &parts[i]
		c.width, c.height = ceilDivide(f.Width*c.h, f.maxH), ceilDivide(f.Height*c.v, f.maxV)
		c.blocksWide, c.blocksHigh = ceilDivide(c.width, blockSide), ceilDivide(c.height, blockSide)
		c.storedWide = unitsWide * c.h
	}
	return nil
}

// units is how many minimum coded units a scan of all components has in a row, and rows of them.
func (f *Frame) units() (wide, high int) {
	return ceilDivide(f.Width, blockSide*f.maxH), ceilDivide(f.Height, blockSide*f.maxV)
}

// readAdobe reads what Adobe's programs say of the colours.
func (d *Decoder) readAdobe(body []byte) {
	const transformAt = 11
	if len(body) > transformAt && string(body[:5]) == "Adobe" {
		d.frame.Transform = int(body[transformAt])
	}
}

func ceilDivide(a, b int) int { return (a + b - 1) / b }
