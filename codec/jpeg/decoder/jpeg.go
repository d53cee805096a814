// Package decoder decodes JPEG streams from a byte slice into sample planes that the caller owns. It
// decodes sequential, progressive and lossless streams of 2 to 16 bits. The samples equal those of
// libjpeg bit for bit.
//
// The decoders of containers such as decode/tiff call it. It knows nothing of the file that holds a
// stream. It returns an error for missing or damaged data, and says how many rows come before them.
//
// Words: a *unit* is a minimum coded unit, the blocks of all components that cover the same pixels.
// A *scan* is one run of entropy-coded data with its header.
package decoder

import (
	"errors"
	"fmt"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports a stream that is invalid or ends before its picture is complete.
	ErrCorrupt = decode.Corrupt("jpeg: corrupt stream")
	// ErrUnsupported reports a kind of JPEG that this package does not decode.
	ErrUnsupported = errors.New("jpeg: unsupported stream")
)

// Sample is the type of a decoded sample.
type Sample interface{ uint8 | uint16 }

// Picture selects what to decode from a stream, and holds the planes to write to.
type Picture[T Sample] struct {
	// Width and Height are the size of the planes. If the stream is larger, its upper left part is
	// decoded.
	Width, Height int

	// RGB means that the three components are YCbCr and are converted to red, green and blue
	// planes.
	RGB bool

	// Planes receive the components in the order of the frame, row by row. A component whose plane
	// is nil is skipped.
	Planes [maxComponents][]T

	// Sound is set by decoding to the number of rows, from the first one on, of which all samples
	// were decoded. It is Height unless decoding fails. Of a picture in several scans, it may be 0
	// although rows could be computed.
	Sound int
}

// Decoder decodes one stream after another and reuses its memory. The zero value is ready to use.
// It is not safe for concurrent use.
type Decoder struct {
	rest       []byte // unread part of the stream
	frame      Frame
	components [maxComponents]component
	scan       scan
	truncated  bool // the stream ended without an end marker
	tables     tables
	restarts   restarts
	own        tables              // memory for the tables that the stream defines
	nitf       [nitfLevels]*Tables // those that were needed so far

	entropy      entropyReader
	coefficients coefficients
	progress     progress
	samples      lossless
	narrow       renderer[uint8]
	wide         renderer[uint16]
}

// Open reads a stream up to its first scan, so that the caller can check the size of the picture
// before allocating memory for it. The stream may use the tables of shared, which may be nil; its
// own definitions override them.
func (d *Decoder) Open(stream []byte, shared *Tables) (Frame, error) {
	d.rest = stream
	d.frame, d.truncated = Frame{Transform: TransformUnknown}, false
	d.tables = tables{}
	if shared != nil {
		d.tables = shared.tables
	}
	if err := d.readHead(); err != nil {
		d.frame = Frame{} // an empty frame rejects a later Decode
		return Frame{}, err
	}
	d.frame.WorkBytes = d.workBytes()
	return d.frame, nil
}

func (d *Decoder) readHead() error {
	if err := d.readStart(); err != nil {
		return err
	}
	found, err := d.readToScan()
	if err == nil && !found {
		return fmt.Errorf("%w: no scan", ErrCorrupt)
	}
	return err
}

// Decode8 decodes the opened stream into 8-bit planes. Each call needs an Open before it. The
// samples must have at most 8 bits. If it fails, only the first Sound rows of the planes are written; if
// these are none, the content of the planes is undefined.
func (d *Decoder) Decode8(p *Picture[uint8]) error {
	defer d.Release()
	p.Sound = 0
	if err := p.check(&d.frame); err != nil {
		return err
	}
	if d.frame.Bits > 8 {
		return fmt.Errorf("%w: %d-bit samples need 16-bit planes", ErrUnsupported, d.frame.Bits)
	}
	if d.frame.Process == Lossless {
		return decodeLossless(d, p, rgbRow8)
	}
	return render(d, &d.narrow, p, kernels8())
}

// kernels8 returns the functions for samples of 8 bits.
func kernels8() kernels[uint8] {
	return kernels[uint8]{transformRow8, sumRows8, widenSums8, rgbRow8}
}

// Decode16 decodes the opened stream into 16-bit planes, like Decode8. It accepts lossless samples
// of any depth, and others of more than 8 bits.
func (d *Decoder) Decode16(p *Picture[uint16]) error {
	defer d.Release()
	p.Sound = 0
	if err := p.check(&d.frame); err != nil {
		return err
	}
	center := uint16(1) << (d.frame.Bits - 1)
	rgbRow := func(r, g, b, luma, cb, cr []uint16) { rgbRow16(r, g, b, luma, cb, cr, center) }
	if d.frame.Process == Lossless {
		return decodeLossless(d, p, rgbRow)
	}
	if d.frame.Bits <= 8 {
		return fmt.Errorf("%w: %d-bit samples need 8-bit planes", ErrUnsupported, d.frame.Bits)
	}
	return render(d, &d.wide, p, kernels[uint16]{transformRow12, sumRowsGo[uint16], widenSumsGo[uint16], rgbRow})
}

// check returns an error if the planes do not fit the frame.
func (p *Picture[T]) check(f *Frame) error {
	if p.Width <= 0 || p.Height <= 0 || p.Width > f.Width || p.Height > f.Height {
		return fmt.Errorf("%dx%d pixels requested of a %dx%d JPEG", p.Width, p.Height, f.Width, f.Height)
	}
	if p.RGB && f.Components != 3 {
		return fmt.Errorf("%w: YCbCr of %d components", ErrUnsupported, f.Components)
	}
	for i, plane := range p.Planes {
		if plane != nil && (i >= f.Components || len(plane) < p.Width*p.Height) {
			return fmt.Errorf("a plane of %d samples for component %d of %d", len(plane), i+1, f.Components)
		}
	}
	return nil
}

// needs reports whether the requested planes depend on a component.
func (p *Picture[T]) needs(component int) bool {
	if !p.RGB {
		return p.Planes[component] != nil
	}
	red, green, blue := p.Planes[0] != nil, p.Planes[1] != nil, p.Planes[2] != nil
	return [maxComponents]bool{red || green || blue, green || blue, red || green}[component]
}
