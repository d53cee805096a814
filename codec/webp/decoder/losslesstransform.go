package decoder

import (
	"fmt"

	"tileserver/codec/webp/vp8l"
)

// transform holds the parameters to undo one transform.
type transform struct {
	kind  int
	width int // of the image before the transform
	// Log2 of the side of a cell; for color indexing, log2 of the indexes per pixel.
	bits      int
	elements  []uint32 // one per cell, or the color table
	cellsWide int
}

// readTransforms reads all transforms, and returns the width of the transformed image.
func (d *losslessDecoder) readTransforms(width, height int) (int, error) {
	r := &d.bits
	var seen [vp8l.Transforms]bool
	for r.uint(1) == 1 {
		t := transform{kind: r.uint(2), width: width}
		if seen[t.kind] {
			return 0, fmt.Errorf("duplicate transform %d: %w", t.kind, ErrCorrupt)
		}
		seen[t.kind] = true
		var err error
		switch t.kind {
		case vp8l.PredictorTransform, vp8l.CrossColorTransform:
			err = d.readElements(&t, height)
		case vp8l.ColorIndexTransform:
			err = d.readColors(&t)
			width = cells(width, t.bits)
		}
		if err != nil {
			return 0, fmt.Errorf("transform %d: %w", t.kind, err)
		}
		d.transforms = append(d.transforms, t)
	}
	return width, nil
}

func (d *losslessDecoder) readElements(t *transform, height int) error {
	t.bits = d.bits.uint(3) + 2
	t.cellsWide = cells(t.width, t.bits)
	t.elements = make([]uint32, t.cellsWide*cells(height, t.bits))
	return d.readImage(t.elements, t.cellsWide, false)
}

// readColors reads the color table. With few colors, one pixel packs several indexes.
func (d *losslessDecoder) readColors(t *transform) error {
	t.elements = make([]uint32, d.bits.uint(8)+1)
	if err := d.readImage(t.elements, len(t.elements), false); err != nil {
		return err
	}
	for i := 1; i < len(t.elements); i++ {
		t.elements[i] = add(t.elements[i], t.elements[i-1])
	}
	switch n := len(t.elements); {
	case n <= 2:
		t.bits = 3
	case n <= 4:
		t.bits = 2
	case n <= 16:
		t.bits = 1
	}
	return nil
}

// undo reverses the transform in place.
func (t *transform) undo(pixels []uint32, height int) {
	switch t.kind {
	case vp8l.PredictorTransform:
		t.undoPrediction(pixels[:t.width*height])
	case vp8l.CrossColorTransform:
		t.undoCrossColor(pixels[:t.width*height])
	case vp8l.SubtractGreenTransform:
		for i, p := range pixels[:t.width*height] {
			green := p >> 8 & 0xff
			pixels[i] = p&0xff00ff00 | (p&0x00ff00ff+(green<<16|green))&0x00ff00ff
		}
	default:
		t.undoColors(pixels, height)
	}
}

// undoCrossColor adds the decorrelated shares back to red and blue. Each share is a signed factor
// in 32nds times a signed sample.
func (t *transform) undoCrossColor(pixels []uint32) {
	for y := 0; len(pixels) > 0; y++ {
		row := pixels[:t.width]
		pixels = pixels[t.width:]
		elements := t.elements[y>>t.bits*t.cellsWide:]
		for len(row) > 0 {
			n := min(1<<t.bits, len(row))
			undoProportions(row[:n], elements[0])
			row, elements = row[n:], elements[1:]
		}
	}
}

// undoProportions processes a run of pixels with the same factors.
func undoProportions(run []uint32, factors uint32) {
	redByGreen, blueByGreen, blueByRed := int32(int8(factors)), int32(int8(factors>>8)), int32(int8(factors>>16))
	for i, p := range run {
		green := int32(int8(p >> 8))
		red := p>>16 + uint32(redByGreen*green>>5)
		blue := p + uint32(blueByGreen*green>>5) + uint32(blueByRed*int32(int8(red))>>5)
		run[i] = p&0xff00ff00 | red&0xff<<16 | blue&0xff
	}
}

// undoColors replaces indexes by colors. Rows become wider, so it works backward from the last row.
func (t *transform) undoColors(pixels []uint32, height int) {
	stored := cells(t.width, t.bits)
	bits := 8 >> t.bits // bits per index
	for y := height - 1; y >= 0; y-- {
		from, to := pixels[y*stored:][:stored], pixels[y*t.width:][:t.width]
		for x := t.width - 1; x >= 0; x-- {
			packed := from[x>>t.bits] >> 8
			number := packed >> (x & (1<<t.bits - 1) * bits) & (1<<bits - 1)
			color := uint32(0) // transparent black for indexes beyond the table
			if int(number) < len(t.elements) {
				color = t.elements[number]
			}
			to[x] = color
		}
	}
}
