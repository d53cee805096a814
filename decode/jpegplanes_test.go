package decode

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/raster"
)

// referenceRGB makes colours of the planes of the standard library's decoder, in
// floating point: chroma lies in the middle of its pixels of luma, and between
// two of it lies a straight line.
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

// TestUpsampling is about all the ways in which chroma is subsampled.
func TestUpsampling(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{
		image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio440,
	} {
		for _, size := range [][2]int{{40, 30}, {41, 31}, {6, 5}, {5, 6}} {
			p := image.NewYCbCr(image.Rect(0, 0, size[0], size[1]), ratio)
			random := rand.New(rand.NewPCG(3, 4))
			for i := range p.Cb {
				p.Cb[i], p.Cr[i] = byte(random.Uint32()), byte(random.Uint32())
			}
			u, err := newUpsampler(p)
			if err != nil {
				t.Fatal(err)
			}
			for y := range size[1] {
				cb, cr := u.row(y)
				for x := range size[0] {
					wantCb, wantCr := interpolated(p, p.Cb, x, y), interpolated(p, p.Cr, x, y)
					if math.Abs(float64(cb[x])-wantCb) > 0.51 || math.Abs(float64(cr[x])-wantCr) > 0.51 {
						t.Fatalf("%v %v: at %d,%d got %d and %d, want %.2f and %.2f", ratio, size, x, y, cb[x], cr[x], wantCb, wantCr)
					}
				}
			}
		}
	}
}

func TestYCbCrToRGB(t *testing.T) {
	var luma, cb, cr, r, g, b [256]byte
	for i := range luma {
		luma[i] = byte(i)
	}
	for u := 0; u < 256; u += 5 {
		for v := 0; v < 256; v += 5 {
			for i := range luma {
				cb[i], cr[i] = byte(u), byte(v)
			}
			rgbRow(r[:], g[:], b[:], luma[:], cb[:], cr[:])
			for y := range 256 {
				want := toRGB(float64(y), float64(u), float64(v))
				for i, got := range [3]byte{r[y], g[y], b[y]} {
					if math.Abs(float64(got)-want[i]) > 0.51 {
						t.Fatalf("YCbCr %d,%d,%d: channel %d is %d, want %.2f", y, u, v, i, got, want[i])
					}
				}
			}
		}
	}
}

// TestRowsDoNotDependOnTheirLength is about the code that does several samples at
// a time: what it makes of them must be what is made of them one by one.
func TestRowsDoNotDependOnTheirLength(t *testing.T) {
	const width = 16*1024 + 5
	random := rand.New(rand.NewPCG(5, 6))
	row := func() []byte {
		samples := make([]byte, width)
		for i := range samples {
			samples[i] = byte(random.Uint32())
		}
		return samples
	}
	luma, cb, cr := row(), row(), row()
	whole := [3][]byte{row(), row(), row()}
	pieces := [3][]byte{row(), row(), row()}
	sums, sumPieces := make([]uint16, width), make([]uint16, width)
	rgbRow(whole[0], whole[1], whole[2], luma, cb, cr)
	sumRows(sums, cb, cr)
	for x := 0; x < width; x += 5 {
		to := min(x+5, width)
		rgbRow(pieces[0][x:to], pieces[1][x:to], pieces[2][x:to], luma[x:to], cb[x:to], cr[x:to])
		sumRows(sumPieces[x:to], cb[x:to], cr[x:to])
	}
	for i := range whole {
		if !bytes.Equal(whole[i], pieces[i]) {
			t.Errorf("channel %d differs", i)
		}
	}
	if !slices.Equal(sums, sumPieces) {
		t.Error("sums of rows differ")
	}
	wide, pair := make([]byte, 2*width), make([]byte, 4)
	widenSums(wide, sums)
	for x := range width - 1 {
		widenSums(pair, sums[x:x+2])
		if !bytes.Equal(wide[2*x+1:2*x+3], pair[1:3]) {
			t.Fatalf("between sums %d and %d there are %v, want %v", x, x+1, wide[2*x+1:2*x+3], pair[1:3])
		}
	}
}

func BenchmarkJPEGColors(b *testing.B) {
	decoded, err := jpeg.Decode(bytes.NewReader(encodeJPEG(b, photo(512, 512), 85)))
	if err != nil {
		b.Fatal(err)
	}
	job := &Job{Layout: yCbCrLayout(512), Rows: 512, Target: raster.NewBuffer(raster.Uint8, 512, 512, 3), Samples: []int{0, 1, 2}}
	b.SetBytes(512 * 512 * 3)
	for b.Loop() {
		if err := writeJPEG(decoded, job); err != nil {
			b.Fatal(err)
		}
	}
}
