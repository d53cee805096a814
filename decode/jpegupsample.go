package decode

import (
	"fmt"
	"image"
)

// upsampler makes rows of chroma as wide as those of luma. Halved chroma is
// interpolated with the weights 3 and 1, and rounded, as libjpeg does it unless
// it is told not to: the same file then looks the same elsewhere. Quartered
// chroma is repeated, also like there.
type upsampler struct {
	picture       *image.YCbCr
	stepX, stepY  int // pixels of luma to one of chroma
	width, height int // of chroma
	cb, cr        []byte
	sums          []uint16
}

func newUpsampler(p *image.YCbCr) (*upsampler, error) {
	u := &upsampler{picture: p}
	switch p.SubsampleRatio {
	case image.YCbCrSubsampleRatio444:
		u.stepX, u.stepY = 1, 1
	case image.YCbCrSubsampleRatio422:
		u.stepX, u.stepY = 2, 1
	case image.YCbCrSubsampleRatio420:
		u.stepX, u.stepY = 2, 2
	case image.YCbCrSubsampleRatio440:
		u.stepX, u.stepY = 1, 2
	case image.YCbCrSubsampleRatio411:
		u.stepX, u.stepY = 4, 1
	case image.YCbCrSubsampleRatio410:
		u.stepX, u.stepY = 4, 2
	default:
		return nil, fmt.Errorf("chroma subsampled as %v: %w", p.SubsampleRatio, ErrUnsupported)
	}
	u.width = (p.Rect.Dx() + u.stepX - 1) / u.stepX
	u.height = (p.Rect.Dy() + u.stepY - 1) / u.stepY
	room := make([]byte, 2*u.stepX*u.width)
	u.cb, u.cr = room[:len(room)/2], room[len(room)/2:]
	u.sums = make([]uint16, u.width)
	return u, nil
}

// row is the chroma of row y, good until the next call.
func (u *upsampler) row(y int) (cb, cr []byte) {
	near := min(y/u.stepY, u.height-1)
	if u.stepX == 1 && u.stepY == 1 {
		return u.stored(u.picture.Cb, near), u.stored(u.picture.Cr, near)
	}
	far := near
	if u.stepY == 2 {
		far = min(max(near-1+y%2*2, 0), u.height-1)
	}
	u.interpolate(u.cb, u.picture.Cb, near, far, y)
	u.interpolate(u.cr, u.picture.Cr, near, far, y)
	return u.cb, u.cr
}

func (u *upsampler) stored(plane []byte, row int) []byte {
	return plane[row*u.picture.CStride:][:u.width]
}

func (u *upsampler) interpolate(out, plane []byte, near, far, y int) {
	a, b := u.stored(plane, near), u.stored(plane, far)
	switch {
	case u.stepX == 4 || u.stepX == 2 && u.width <= 2:
		repeat(out, a, u.stepX)
	case u.stepX == 1:
		blendRows(out, a, b, uint16(1+y%2))
	case u.stepY == 1:
		widen(out, a)
	default:
		sumRows(u.sums, a, b)
		widenSums(out, u.sums)
	}
}

func repeat(out, row []byte, times int) {
	for x := range out {
		out[x] = row[x/times]
	}
}

// blendRows rounds down in the upper of two rows and up in the lower, so that
// there is no drift.
func blendRows(out, near, far []byte, bias uint16) {
	near, far = near[:len(out)], far[:len(out)]
	for x := range out {
		out[x] = byte((3*uint16(near[x]) + uint16(far[x]) + bias) >> 2)
	}
}

// widen makes two samples of each in a row of at least two.
func widen(out, row []byte) {
	n := len(row)
	out = out[:2*n]
	out[0] = row[0]
	for x := range row[1:] {
		a, b := uint16(row[x]), uint16(row[x+1])
		pair := out[2*x+1:][:2]
		pair[0] = byte((3*a + b + 2) >> 2)
		pair[1] = byte((3*b + a + 1) >> 2)
	}
	out[2*n-1] = row[n-1]
}

func sumRows(sums []uint16, near, far []byte) {
	near, far = near[:len(sums)], far[:len(sums)]
	for x := sumRowsStart(sums, near, far); x < len(sums); x++ {
		sums[x] = 3*uint16(near[x]) + uint16(far[x])
	}
}

// widenSums is widen for sums of 4 samples.
func widenSums(out []byte, sums []uint16) {
	n := len(sums)
	out[0] = byte((4*sums[0] + 8) >> 4)
	between := out[1 : 2*n-1]
	for x := widenBetween(between, sums); x < n-1; x++ {
		a, b := sums[x], sums[x+1]
		between[2*x] = byte((3*a + b + 7) >> 4)
		between[2*x+1] = byte((3*b + a + 8) >> 4)
	}
	out[2*n-1] = byte((4*sums[n-1] + 7) >> 4)
}
