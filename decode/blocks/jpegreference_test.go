package blocks

import (
	"bytes"
	"image"
	"image/jpeg"
	"testing"
)

// referenceRGB converts the planes of the standard library's decoder to RGB in floating point. A
// chroma sample lies in the middle of its luma pixels, and chroma is interpolated linearly between
// two samples.
func referenceRGB(t *testing.T, stream []byte) func(x, y int) [3]float64 {
	t.Helper()
	decoded, err := jpeg.Decode(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	p := decoded.(*image.YCbCr)
	return func(x, y int) [3]float64 {
		luma := float64(p.Y[p.YOffset(x, y)])
		return toRGB(luma, interpolated(p, p.Cb, x, y), interpolated(p, p.Cr, x, y))
	}
}

func toRGB(y, cb, cr float64) [3]float64 {
	clamp := func(v float64) float64 { return min(max(v, 0), 255) }
	return [3]float64{
		clamp(y + 1.402*(cr-128)), clamp(y - 0.344136*(cb-128) - 0.714136*(cr-128)), clamp(y + 1.772*(cb-128)),
	}
}

func interpolated(p *image.YCbCr, plane []byte, x, y int) float64 {
	steps := map[image.YCbCrSubsampleRatio][2]int{
		image.YCbCrSubsampleRatio444: {1, 1}, image.YCbCrSubsampleRatio422: {2, 1},
		image.YCbCrSubsampleRatio420: {2, 2}, image.YCbCrSubsampleRatio440: {1, 2},
	}[p.SubsampleRatio]
	width, height := (p.Rect.Dx()+steps[0]-1)/steps[0], (p.Rect.Dy()+steps[1]-1)/steps[1]
	fx := min(max((float64(x)+0.5)/float64(steps[0])-0.5, 0), float64(width-1))
	fy := min(max((float64(y)+0.5)/float64(steps[1])-0.5, 0), float64(height-1))
	x0, y0 := int(fx), int(fy)
	x1, y1 := min(x0+1, width-1), min(y0+1, height-1)
	at := func(x, y int) float64 { return float64(plane[y*p.CStride+x]) }
	top := at(x0, y0) + (fx-float64(x0))*(at(x1, y0)-at(x0, y0))
	bottom := at(x0, y1) + (fx-float64(x0))*(at(x1, y1)-at(x0, y1))
	return top + (fy-float64(y0))*(bottom-top)
}
