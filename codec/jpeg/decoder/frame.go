package decoder

import (
	"encoding/binary"
	"fmt"

	"tileserver/codec/jpeg"
)

const (
	maxComponents = 4
)

// Process identifies how samples are coded.
type Process uint8

// Processes that this package decodes.
const (
	Sequential  Process = iota + 1 // baseline and extended
	Progressive                    // several scans refine each other
	Lossless                       // differences from neighbors, without a transform
)

// String returns the name of p in lower case.
func (p Process) String() string {
	return [...]string{"unknown", "sequential", "progressive", "lossless"}[p]
}

// TransformUnknown is the Transform of a frame without color information.
const TransformUnknown = -1

// Frame describes the picture of a stream, as its header declares it.
type Frame struct {
	Width, Height int
	Bits          int // per sample
	Components    int
	Process       Process

	// WorkBytes is the memory that decoding needs in addition to the planes: rows of samples, and
	// the coefficients of one row of units or, if several scans contribute, of the whole picture.
	WorkBytes int64

	// Transform is the color transform that the Adobe marker declares: 0 for none, 1 for YCbCr, 2
	// for YCCK. It is TransformUnknown without that marker.
	Transform int

	maxH, maxV int // largest sampling factors
}

// component describes one component of a frame and its state during decoding.
type component struct {
	number        int // index in the frame
	id            byte
	h, v          int // sampling factors
	width, height int // in samples
	blocksWide    int // blocks that hold samples
	blocksHigh    int
	storedWide    int // blocks per row, padded to whole units of an interleaved scan
	firstBlock    int // index of the first stored block

	quantizer     int // table number
	quantizers    quantizer
	hasQuantizers bool // set when its first scan begins; later tables do not change it

	// state of its scans
	scanned          bool
	dcTable, acTable int
	prediction       int32
}

// processOf returns the process of a frame jpeg.Marker. It returns false for a process that is not
// decoded.
func processOf(m jpeg.Marker) (p Process, known bool) {
	switch m {
	case jpeg.MarkerFrame, jpeg.MarkerFrame + 1:
		return Sequential, true
	case jpeg.MarkerFrame + 2:
		return Progressive, true
	case jpeg.MarkerFrame + 3:
		return Lossless, true
	}
	return 0, false
}

// processName returns the name of the undecoded process of a frame jpeg.Marker, for error messages.
func processName(m jpeg.Marker) string {
	names := [...]string{
		5: "hierarchical", 6: "hierarchical progressive", 7: "hierarchical lossless", 9: "arithmetic coding",
		10: "progressive arithmetic coding", 11: "lossless arithmetic coding", 13: "hierarchical arithmetic coding",
		14: "hierarchical progressive arithmetic coding", 15: "hierarchical lossless arithmetic coding",
	}
	return names[m-jpeg.MarkerFrame]
}

// readFrameHeader reads the frame header and computes the sizes of the components.
func (d *Decoder) readFrameHeader(m jpeg.Marker, body []byte) error {
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
		d.frame.Height = heightFromLines(d.rest)
	}
	for i := range d.frame.Components {
		c := body[fixedBytes+componentBytes*i:]
		d.components[i] = component{number: i, id: c[0], h: int(c[1] >> 4), v: int(c[1] & 15), quantizer: int(c[2])}
	}
	if err := d.frame.check(m); err != nil {
		return err
	}
	return d.measureComponents()
}

// check returns an error for sizes and depths that are invalid or not decoded.
func (f *Frame) check(m jpeg.Marker) error {
	switch {
	case f.Width == 0 || f.Height == 0:
		return fmt.Errorf("%w: %dx%d pixels", ErrCorrupt, f.Width, f.Height)
	case f.Process == Lossless && (f.Bits < 2 || f.Bits > 16):
		return fmt.Errorf("%w: lossless of %d bits", ErrCorrupt, f.Bits)
	case f.Process != Lossless && f.Bits != 8 && (f.Bits != 12 || m == jpeg.MarkerFrame):
		return fmt.Errorf("%w: %v of %d bits", ErrUnsupported, f.Process, f.Bits)
	}
	return nil
}

// heightFromLines returns the height from the DNL marker behind the first scan, or 0. It serves
// frames that leave their height open.
func heightFromLines(stream []byte) int {
	for {
		m, body, after, err := nextSegment(stream)
		switch {
		case err != nil || m == jpeg.MarkerEnd || m == jpeg.MarkerNone:
			return 0
		case m == jpeg.MarkerLines && len(body) == 2:
			return int(binary.BigEndian.Uint16(body))
		}
		stream = after
	}
}

// measureComponents computes the samples and blocks of each component. The sampling factors of a
// single component have no effect.
func (d *Decoder) measureComponents() error {
	f := &d.frame
	components := d.components[:f.Components]
	for i := range components {
		c := &components[i]
		if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 {
			return fmt.Errorf("%w: sampling factors %dx%d", ErrCorrupt, c.h, c.v)
		}
		if len(components) == 1 {
			c.h, c.v = 1, 1
		}
		f.maxH, f.maxV = max(f.maxH, c.h), max(f.maxV, c.v)
	}
	unitsWide, _ := f.units()
	for i := range components {
		c := &components[i]
		c.width, c.height = ceilDivide(f.Width*c.h, f.maxH), ceilDivide(f.Height*c.v, f.maxV)
		c.blocksWide, c.blocksHigh = ceilDivide(c.width, jpeg.BlockSide), ceilDivide(c.height, jpeg.BlockSide)
		c.storedWide = unitsWide * c.h
	}
	return nil
}

// units returns the number of minimum coded units per row and per column in a scan of all
// components.
func (f *Frame) units() (wide, high int) {
	return ceilDivide(f.Width, jpeg.BlockSide*f.maxH), ceilDivide(f.Height, jpeg.BlockSide*f.maxV)
}

// readAdobe reads the color transform from an Adobe marker.
func (d *Decoder) readAdobe(body []byte) {
	const transformAt = 11
	if len(body) > transformAt && string(body[:5]) == "Adobe" {
		d.frame.Transform = int(body[transformAt])
	}
}

func ceilDivide(a, b int) int { return (a + b - 1) / b }
