package decoder

import (
	"tileserver/codec/jpeg"
	"tileserver/internal/reuse"
)

// renderer converts rows of blocks to rows of the picture.
type renderer[T Sample] struct {
	planes  [maxComponents]plane[T]
	picture *Picture[T]
	kernels kernels[T]
	lag     int // rows that wait for the rows below them
	done    int // rows written to the picture
	unused  []T // receives colors that are not requested
}

// render decodes a picture that is coded with a transform. If one scan holds the whole picture, it
// decodes row by row and stops after the last requested row, so that it needs little memory.
func render[T Sample](d *Decoder, r *renderer[T], p *Picture[T], k kernels[T]) error {
	r.begin(d, p, k)
	defer r.end()
	for i := range d.frame.Components {
		if p.needs(i) {
			r.planes[i].reserve()
		}
	}
	if d.isStreamable() {
		return r.stream(d)
	}
	if err := d.checkLength(); err != nil {
		return err
	}
	_, high := d.frame.units()
	d.coefficients.reserve(d.components[:d.frame.Components], high)
	if err := d.decodeScans(); err != nil {
		return err
	}
	for unitRow := 0; r.done < p.Height; unitRow++ {
		r.makeRow(d, unitRow, unitRow)
		r.emit(&d.frame, unitRow)
	}
	return nil
}

// stream decodes and renders one row of units after the other.
func (r *renderer[T]) stream(d *Decoder) error {
	decode, err := d.beginScan()
	if err != nil {
		return err
	}
	d.coefficients.reserve(d.components[:d.frame.Components], 1)
	for unitRow := 0; r.done < r.picture.Height; unitRow++ {
		const stored = 0
		if err := d.decodeRow(stored, decode); err != nil {
			return err
		}
		r.makeRow(d, stored, unitRow)
		r.emit(&d.frame, unitRow)
	}
	return nil
}

// begin prepares the planes for a picture.
func (r *renderer[T]) begin(d *Decoder, p *Picture[T], k kernels[T]) {
	r.picture, r.kernels, r.done, r.lag = p, k, 0, 0
	for i := range d.frame.Components {
		if !p.needs(i) {
			continue
		}
		r.planes[i].begin(&d.components[i], &d.frame, p.Width)
		if r.planes[i].needsNext() {
			r.lag = 1
		}
	}
	r.unused = reuse.Slice(r.unused, p.Width)
}

// end says how many rows are written, and drops the references to the caller's memory.
func (r *renderer[T]) end() {
	r.picture.Sound = r.done
	r.picture, r.kernels = nil, kernels[T]{}
	for i := range r.planes {
		r.planes[i].samples = nil
	}
}

// makeRow computes the samples of a row of units. It clears the blocks of components that are not
// requested, since the next row needs zeroed blocks.
func (r *renderer[T]) makeRow(d *Decoder, stored, unitRow int) {
	for i := range d.frame.Components {
		comp := &d.components[i]
		if r.picture.needs(i) {
			r.planes[i].transformBlocks(&d.coefficients, stored, unitRow, &r.kernels)
			continue
		}
		for v := range comp.v {
			blocks, _ := d.coefficients.row(comp, stored*comp.v+v)
			clear(blocks)
		}
	}
}

// emit writes those rows of the picture that are complete.
func (r *renderer[T]) emit(f *Frame, unitRow int) {
	ready := (unitRow+1)*jpeg.BlockSide*f.maxV - r.lag
	if _, high := f.units(); unitRow == high-1 {
		ready = r.picture.Height
	}
	r.emitBefore(min(ready, r.picture.Height))
}

// emitBefore writes the rows of the picture before one.
func (r *renderer[T]) emitBefore(row int) {
	for ; r.done < row; r.done++ {
		if r.picture.RGB {
			r.emitColors(r.done)
		} else {
			r.emitComponents(r.done)
		}
	}
}

func (r *renderer[T]) emitComponents(y int) {
	for i, plane := range r.picture.Planes {
		if plane != nil {
			copy(plane[y*r.picture.Width:], r.planes[i].line(y, &r.kernels))
		}
	}
}

func (r *renderer[T]) emitColors(y int) {
	p := r.picture
	var rows, lines [3][]T
	for i := range rows {
		rows[i] = r.unused
		if p.Planes[i] != nil {
			rows[i] = p.Planes[i][y*p.Width:][:p.Width]
		}
		lines[i] = r.unused
		if p.needs(i) {
			lines[i] = r.planes[i].line(y, &r.kernels)
		}
	}
	r.kernels.rgb(rows[0], rows[1], rows[2], lines[0], lines[1], lines[2])
}
