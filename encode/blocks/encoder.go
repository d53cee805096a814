package blocks

import (
	"fmt"
	"sync"
)

// Encoder encodes blocks of one shape. It is safe for concurrent use.
type Encoder struct {
	shape   Shape
	coding  Coding
	workers sync.Pool // of *worker
}

// NewEncoder returns an encoder for blocks of a shape.
func NewEncoder(shape Shape, coding Coding) (*Encoder, error) {
	coding, err := coding.resolve(&shape)
	if err != nil {
		return nil, err
	}
	return &Encoder{shape: shape, coding: coding}, nil
}

// Coding returns the coding, with what its defaults stand for.
func (e *Encoder) Coding() Coding { return e.coding }

// Append appends an encoded block to dst. If it fails, it returns dst unchanged.
func (e *Encoder) Append(dst []byte, pixels Pixels) ([]byte, error) {
	if err := e.check(&pixels); err != nil {
		return dst, err
	}
	w, err := e.worker()
	if err != nil {
		return dst, err
	}
	defer e.workers.Put(w)
	w.gather(&e.shape, &pixels)
	w.predict(&e.shape, e.coding.Predictor)
	out, err := w.compressor.append(dst, w.block)
	if err != nil {
		return dst, fmt.Errorf("%s: %w", e.coding.Compression, err)
	}
	return out, nil
}

func (e *Encoder) check(p *Pixels) error {
	s := &e.shape
	if p.Width < 1 || p.Height < 1 || p.Width > s.Width || p.Height > s.Height || len(p.Planes) != s.Samples {
		return fmt.Errorf("%dx%d pixels of %d samples for a block of %dx%d of %d",
			p.Width, p.Height, len(p.Planes), s.Width, s.Height, s.Samples)
	}
	for band, plane := range p.Planes {
		if want := p.Width * p.Height * s.Type.Size(); len(plane) != want {
			return fmt.Errorf("sample %d: %d bytes for %d", band+1, len(plane), want)
		}
	}
	return nil
}

// compressor compresses the interleaved samples of a whole block, one block at a time. It may change
// them.
type compressor interface {
	append(dst, block []byte) ([]byte, error)
}

// uncompressed stores samples as they are.
type uncompressed struct{}

var _ compressor = uncompressed{}

func (uncompressed) append(dst, block []byte) ([]byte, error) { return append(dst, block...), nil }

// worker has the memory that encoding one block takes.
type worker struct {
	block      []byte
	row        []byte // scratch
	compressor compressor
}

func (e *Encoder) worker() (*worker, error) {
	if w, ok := e.workers.Get().(*worker); ok {
		return w, nil
	}
	compressor, err := newCompressor(&e.shape, &e.coding)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.coding.Compression, err)
	}
	return &worker{
		block: make([]byte, e.shape.blockBytes()), row: make([]byte, e.shape.rowBytes()), compressor: compressor,
	}, nil
}

func newCompressor(s *Shape, c *Coding) (compressor, error) {
	switch c.Compression {
	case LZW:
		return new(lzwCompressor), nil
	case Deflate:
		if c.Effort == leastEffort {
			return new(quickDeflate), nil
		}
		return newDeflate(c.Effort)
	case ZSTD:
		return newZSTD(s, c.Effort)
	case LERC:
		return newLERC(s, c)
	case JPEG:
		return newJPEG(s, c), nil
	case WebP:
		return newWebP(s, c), nil
	}
	return uncompressed{}, nil
}
