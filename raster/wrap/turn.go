package wrap

import (
	"math"

	"tileserver/raster"
)

// turn is the transformation from the stored to the display orientation: mirroring in either or
// both directions, and then swapping rows and columns.
type turn struct{ mirroredX, mirroredY, swapped bool }

// turnOf returns the turn of an orientation of TIFF and Exif. 1 to 4 name the corner where the
// first row begins; 5 to 8 do the same for images with rows and columns swapped.
func turnOf(orientation uint8) turn {
	switch orientation {
	case 2:
		return turn{mirroredX: true}
	case 3:
		return turn{mirroredX: true, mirroredY: true}
	case 4:
		return turn{mirroredY: true}
	case 5:
		return turn{swapped: true}
	case 6:
		return turn{swapped: true, mirroredY: true}
	case 7:
		return turn{swapped: true, mirroredX: true, mirroredY: true}
	case 8:
		return turn{swapped: true, mirroredX: true}
	}
	return turn{}
}

// level returns the turned version of a stored level. finest is the finest stored level.
func (t turn) level(l, finest raster.Level) raster.Level {
	if t.mirroredX {
		l.OffsetX = mirroredOffset(l.OffsetX, l.ScaleX, l.Width, finest.Width)
	}
	if t.mirroredY {
		l.OffsetY = mirroredOffset(l.OffsetY, l.ScaleY, l.Height, finest.Height)
	}
	if !t.swapped {
		return l
	}
	return raster.Level{
		Width: l.Height, Height: l.Width, BlockWidth: l.BlockHeight, BlockHeight: l.BlockWidth,
		ScaleX: l.ScaleY, ScaleY: l.ScaleX, OffsetX: l.OffsetY, OffsetY: l.OffsetX,
	}
}

// positionError is the rounding error of positions in a view, in pixels of the level: views round
// them to 1/2^20 pixel.
const positionError = 1.0 / (1 << 21)

// mirroredOffset returns the offset of a level from the other end of the image. It is exactly 0 for
// a level that ends there, whatever the rounding of its scale.
func mirroredOffset(offset, scale float64, pixels, finestPixels int) float64 {
	mirrored := float64(finestPixels) - (offset + float64(pixels)*scale)
	if math.Abs(mirrored/scale) < positionError {
		return 0
	}
	return mirrored
}

// shown returns the turned position of a stored rectangle.
func (t turn) shown(r raster.Rect, stored raster.Level) raster.Rect {
	r = t.mirrored(r, stored)
	if t.swapped {
		return transposed(r)
	}
	return r
}

// storedAt returns the stored position of a turned rectangle.
func (t turn) storedAt(r raster.Rect, stored raster.Level) raster.Rect {
	if t.swapped {
		r = transposed(r)
	}
	return t.mirrored(r, stored)
}

func (t turn) mirrored(r raster.Rect, l raster.Level) raster.Rect {
	if t.mirroredX {
		r.X0, r.X1 = l.Width-r.X1, l.Width-r.X0
	}
	if t.mirroredY {
		r.Y0, r.Y1 = l.Height-r.Y1, l.Height-r.Y0
	}
	return r
}

func transposed(r raster.Rect) raster.Rect {
	return raster.Rect{X0: r.Y0, Y0: r.X0, X1: r.Y1, Y1: r.X1}
}

// cut returns a part of a tile, turned.
func (t turn) cut(tile raster.Tile, part raster.Rect) raster.Tile {
	width, height := part.Width(), part.Height()
	if t.swapped {
		width, height = height, width
	}
	w := t.order(part, tile.Width())
	b := raster.NewBuffer(tile.Type(), width, height, tile.Bands())
	b.InheritDamage(tile)
	for band := range tile.Bands() {
		w.copyPlane(b.Plane(band), tile.Plane(band), width, tile.Type().Size())
	}
	if !tile.HasOwnValidity() {
		b.SetValidity(w.coverage(tile.Validity(0), width, height))
		return b.Freeze()
	}
	validity := make([][]uint8, tile.Bands())
	for band := range validity {
		validity[band] = w.coverage(tile.Validity(band), width, height)
	}
	return b.Freeze().WithBandValidity(validity)
}

// sampleOrder is the order in which the samples of a plane are read: a first index and the steps to
// the right and down.
type sampleOrder struct{ first, right, down int }

// order returns the sample order that begins at the upper left sample of the turned part.
func (t turn) order(part raster.Rect, stride int) sampleOrder {
	x, y, alongX, alongY := part.X0, part.Y0, 1, stride
	if t.mirroredX {
		x, alongX = part.X1-1, -1
	}
	if t.mirroredY {
		y, alongY = part.Y1-1, -stride
	}
	if t.swapped {
		alongX, alongY = alongY, alongX
	}
	return sampleOrder{y*stride + x, alongX, alongY}
}

// coverage returns the turned coverage. A nil coverage means all valid and stays nil.
func (w sampleOrder) coverage(from []uint8, width, height int) []uint8 {
	if from == nil {
		return nil
	}
	to := make([]uint8, width*height)
	w.copyPlane(to, from, width, 1)
	return to
}

// copyPlane fills a plane row by row.
func (w sampleOrder) copyPlane(to, from []byte, width, size int) {
	rowBytes := width * size
	for first := w.first; len(to) >= rowBytes; first += w.down {
		w.copyRow(to[:rowBytes], from, first, size)
		to = to[rowBytes:]
	}
}

// copyRow copies a row that begins at sample at.
func (w sampleOrder) copyRow(to, from []byte, at, size int) {
	if w.right == 1 {
		copy(to, from[at*size:])
		return
	}
	at, step := at*size, w.right*size
	switch size {
	case 1:
		for i := range to {
			to[i] = from[at]
			at += step
		}
	case 2:
		for ; len(to) >= 2; to, at = to[2:], at+step {
			*(*[2]byte)(to) = *(*[2]byte)(from[at:])
		}
	case 4:
		for ; len(to) >= 4; to, at = to[4:], at+step {
			*(*[4]byte)(to) = *(*[4]byte)(from[at:])
		}
	case 8:
		for ; len(to) >= 8; to, at = to[8:], at+step {
			*(*[8]byte)(to) = *(*[8]byte)(from[at:])
		}
	default:
		for ; len(to) >= size; to, at = to[size:], at+step {
			copy(to[:size], from[at:])
		}
	}
}
