// Package jpeg decodes JPEG streams, from a slice into planes of samples that the caller owns: sequential, progressive and
// lossless ones, of 2 to 16 bits, to the very bits that libjpeg makes of them. It must never know what file a stream lay in;
// it takes nothing that is missing or damaged for a picture.
package jpeg

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt reports a stream that no encoder writes, or that ends before its picture does.
	ErrCorrupt = errors.New("jpeg: corrupt stream")
	// ErrUnsupported reports a kind of JPEG that this package does not decode.
	ErrUnsupported = errors.New("jpeg: unsupported stream")
)

// Sample is what a decoded sample is stored in.
type Sample interface{ uint8 | uint16 }

// Picture says what of a stream is wanted, and where it goes.
type Picture[T Sample] struct {
	// Width and Height are those of the planes. They take the upper left part of a stream that holds more.
	Width, Height int

	// RGB says that the three components are YCbCr, and that the planes take red, green and blue.
	RGB bool

	// Planes take the components, in the order of the frame, row after row. One that is nil is not wanted.
	Planes [maxComponents][]T
}

// Decoder decodes one stream after another and keeps its memory from one to the next. The zero value is ready; one
// goroutine at a time may use it.
type Decoder struct {
	rest     []byte // of the stream, behind the segment that was read last
	frame    Frame
	parts    [maxComponents]component
	scan     scan
	cutOff   bool // the stream ended without saying so
	tables   tables
	restarts restarts
	own      tables // the memory of those that the stream itself defines

	entropy      entropyReader
	coefficients coefficients
	progress     progress
	samples      lossless
	narrow       renderer[uint8]
	wide         renderer[uint16]
}

// Open reads a stream up to its first scan, so that the caller can look at the size of the picture before anything is
// allocated for it. The shared tables, which may be nil, hold where the stream has none of its own.
func (d *Decoder) Open(stream []byte, shared *Tables) (Frame, error) {
	d.rest = stream
	d.frame, d.cutOff = Frame{Transform: TransformUnknown}, false
	d.tables = tables{}
	if shared != nil {
		d.tables = shared.tables
	}
	if err := d.readHead(); err != nil {
		d.frame = Frame{} // of which nothing can be asked
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

// Decode8 decodes the stream that was opened, if its samples have up to 8 bits. Open comes first, each time. The planes
// hold anything when it fails.
func (d *Decoder) Decode8(p *Picture[uint8]) error {
	defer d.release()
	if err := p.check(&d.frame); err != nil {
		return err
	}
	if d.frame.Bits > 8 {
		return fmt.Errorf("%w: %d bits do not fit into a byte", ErrUnsupported, d.frame.Bits)
	}
	if d.frame.Process == Lossless {
		return decodeLossless(d, p, rgbRow8)
	}
	return render(d, &d.narrow, p, kernels[uint8]{transformRow8, sumRows8, widenSums8, rgbRow8})
}

// Decode16 is Decode8 for samples of any number of bits, of 9 or more if they are not lossless.
func (d *Decoder) Decode16(p *Picture[uint16]) error {
	defer d.release()
	if err := p.check(&d.frame); err != nil {
		return err
	}
	center := uint16(1) << (d.frame.Bits - 1)
	rgbRow := func(r, g, b, luma, cb, cr []uint16) { rgbRow16(r, g, b, luma, cb, cr, center) }
	if d.frame.Process == Lossless {
		return decodeLossless(d, p, rgbRow)
	}
	if d.frame.Bits <= 8 {
		return fmt.Errorf("%w: %d bits in 16", ErrUnsupported, d.frame.Bits)
	}
	return render(d, &d.wide, p, kernels[uint16]{transformRow12, sumRowsGo[uint16], widenSumsGo[uint16], rgbRow})
}

// check holds a picture against the frame.
func (p *Picture[T]) check(f *Frame) error {
	if p.Width <= 0 || p.Height <= 0 || p.Width > f.Width || p.Height > f.Height {
		return fmt.Errorf("%dx%d pixels asked of a JPEG of %dx%d", p.Width, p.Height, f.Width, f.Height)
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

// wants tells whether a component has to be decoded for the planes that are wanted.
func (p *Picture[T]) wants(component int) bool {
	if !p.RGB {
		return p.Planes[component] != nil
	}
	red, green, blue := p.Planes[0] != nil, p.Planes[1] != nil, p.Planes[2] != nil
	return [maxComponents]bool{red || green || blue, green || blue, red || green}[component]
}
