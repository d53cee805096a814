package decoder

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gen2brain/webp"
	other "golang.org/x/image/webp"
)

// pictures returns pictures of many sizes and kinds: smooth, noisy, with few colors, with and
// without alpha.
func pictures() map[string]*image.NRGBA {
	all := make(map[string]*image.NRGBA)
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {2, 3}, {16, 16}, {17, 15}, {33, 64}, {100, 7}, {151, 149}} {
		for name, at := range map[string]func(x, y int) color.NRGBA{
			"smooth": func(x, y int) color.NRGBA {
				return color.NRGBA{uint8(128 + 100*math.Sin(float64(x)/9)), uint8(x + y), uint8(255 - 2*y), 255}
			},
			"noise": func(x, y int) color.NRGBA {
				return color.NRGBA{uint8(random.Int()), uint8(random.Int()), uint8(random.Int()), 255}
			},
			"few colors": func(x, y int) color.NRGBA {
				return [...]color.NRGBA{{10, 20, 30, 255}, {250, 0, 0, 255}, {0, 0, 77, 255}}[(x/5+y/3)%3]
			},
			"opacity": func(x, y int) color.NRGBA {
				return color.NRGBA{uint8(3 * x), uint8(5 * y), uint8(x * y), uint8(x*7 + y*2)}
			},
		} {
			m := image.NewNRGBA(image.Rect(0, 0, size[0], size[1]))
			for y := range size[1] {
				for x := range size[0] {
					m.SetNRGBA(x, y, at(x, y))
				}
			}
			all[fmt.Sprintf("%s %dx%d", name, size[0], size[1])] = m
		}
	}
	return all
}

func encoded(t testing.TB, m image.Image, o webp.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := webp.Encode(&b, m, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLossyMatchesXImage compares the planes of lossy pictures with those of golang.org/x/image.
// Tests with real files cover the conversion of planes to colors.
func TestLossyMatchesXImage(t *testing.T) {
	var d Decoder // shared, so that leftovers of one picture would show in the next
	for name, m := range pictures() {
		for _, o := range []webp.Options{{Quality: 1}, {Quality: 40, Method: 2}, {Quality: 75, Method: 4}, {Quality: 100, Method: 6}} {
			src := encoded(t, m, o)
			picture, err := other.Decode(bytes.NewReader(src))
			if err != nil {
				t.Fatal(err)
			}
			var want *image.YCbCr
			var alphaPlane []uint8
			switch p := picture.(type) {
			case *image.YCbCr:
				want = p
			case *image.NYCbCrA:
				want, alphaPlane = &p.YCbCr, p.A
			}
			width, height := m.Rect.Dx(), m.Rect.Dy()
			got := make([]byte, 4*width*height)
			if err := d.Decode(got, src, width, height, 4); err != nil {
				t.Errorf("%s, %+v: %v", name, o, err)
				continue
			}
			f := &d.lossy.current
			for y := range height {
				for x := range width {
					is := [4]uint8{f.y.samples[f.y.at(x, y)], f.u.samples[f.u.at(x/2, y/2)], f.v.samples[f.v.at(x/2, y/2)], got[4*(y*width+x)+3]}
					c := want.COffset(x, y)
					be := [4]uint8{want.Y[want.YOffset(x, y)], want.Cb[c], want.Cr[c], 255}
					if alphaPlane != nil {
						be[3] = alphaPlane[y*width+x]
					}
					if is != be {
						t.Fatalf("%s, %+v: at %d,%d got %v, want %v", name, o, x, y, is, be)
					}
				}
			}
		}
	}
}

// TestColorsOfPlanes checks the conversion of luma and chroma. Gray stays gray next to any
// neighbors, and a uniform color matches the formula.
func TestColorsOfPlanes(t *testing.T) {
	for _, c := range []struct {
		y, u, v uint8
		want    [3]uint8
	}{
		{16, 128, 128, [3]uint8{0, 0, 0}},
		{235, 128, 128, [3]uint8{255, 255, 255}},
		{126, 128, 128, [3]uint8{128, 128, 128}},
		{81, 90, 240, [3]uint8{254, 0, 0}},
		{145, 54, 34, [3]uint8{0, 255, 1}},
		{41, 240, 110, [3]uint8{0, 0, 255}},
	} {
		var f frame
		for p, v := range map[*plane]uint8{&f.y: c.y, &f.u: c.u, &f.v: c.v} {
			p.reset(16, 16)
			fill(p.samples, v)
		}
		got := make([]byte, 7*5*3)
		f.writeRGB(got, 7, 5, 3)
		for i := range 7 * 5 {
			if [3]uint8(got[3*i:]) != c.want {
				t.Fatalf("luma %d, chroma %d and %d: pixel %d is %v, want %v", c.y, c.u, c.v, i, got[3*i:][:3], c.want)
			}
		}
	}
}

// TestChromaIsInterpolated changes a single chroma sample in the middle of a picture.
func TestChromaIsInterpolated(t *testing.T) {
	var f frame
	f.y.reset(16, 16)
	f.u.reset(8, 8)
	f.v.reset(8, 8)
	fill(f.y.samples, 126)
	fill(f.u.samples, 128)
	fill(f.v.samples, 128)
	f.v.samples[f.v.at(1, 1)] = 128 + 64
	got := make([]byte, 5*5*3)
	f.writeRGB(got, 5, 5, 3)
	// The differences from 128, in 16ths of 64. The weights fall off as 9, 3, 3, 1.
	for y, cells := range [5][5]int{{0, 0, 0, 0, 0}, {0, 1, 3, 3, 1}, {0, 3, 9, 9, 3}, {0, 3, 9, 9, 3}, {0, 1, 3, 3, 1}} {
		for x, sixteenths := range cells {
			want := float64(128) + 1.596*64*float64(sixteenths)/16
			if red := float64(got[3*(5*y+x)]); math.Abs(red-want) > 1.5 {
				t.Errorf("pixel %d,%d is %v red, want about %v", x, y, red, want)
			}
		}
	}
}

func firstDifference(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

func TestLosslessIsExact(t *testing.T) {
	var d Decoder
	for name, m := range pictures() {
		src := encoded(t, m, webp.Options{Lossless: true, Method: 4, Exact: true})
		got := make([]byte, len(m.Pix))
		if err := d.Decode(got, src, m.Rect.Dx(), m.Rect.Dy(), 4); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if i := firstDifference(got, m.Pix); i >= 0 {
			t.Errorf("%s: sample %d is %d, want %d", name, i, got[i], m.Pix[i])
		}
	}
}

// TestTruncationIsDetected truncates files at every length. A truncated picture must never decode.
func TestTruncationIsDetected(t *testing.T) {
	m := pictures()["opacity 33x64"]
	for _, o := range []webp.Options{{Quality: 60, Method: 4}, {Lossless: true, Method: 4}} {
		src := encoded(t, m, o)
		var d Decoder
		dst := make([]byte, len(m.Pix))
		for n := range len(src) - 1 { // the last byte may be padding
			cut := bytes.Clone(src[:n])
			if err := d.Decode(dst, cut, 33, 64, 4); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%+v: of %d bytes, %d gave %v", o, len(src), n, err)
			}
		}
	}
}

func TestOtherSizesAreRejected(t *testing.T) {
	src := encoded(t, pictures()["smooth 17x15"], webp.Options{Quality: 75})
	var d Decoder
	if err := d.Decode(make([]byte, 1000), src, 15, 17, 3); !errors.Is(err, ErrCorrupt) {
		t.Errorf("got %v", err)
	}
	if err := d.Decode(make([]byte, 17*15*3-1), src, 17, 15, 3); err == nil {
		t.Error("a picture was written to where it does not fit")
	}
	h, err := ReadHeader(src)
	if err != nil || h.Width != 17 || h.Height != 15 || h.Lossless || h.HasAlpha {
		t.Errorf("got header %+v, %v", h, err)
	}
}

func TestSteadyStateAllocatesLittle(t *testing.T) {
	src := encoded(t, pictures()["smooth 151x149"], webp.Options{Quality: 75, Method: 4})
	var d Decoder
	dst := make([]byte, 151*149*3)
	allocations := testing.AllocsPerRun(20, func() {
		if err := d.Decode(dst, src, 151, 149, 3); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > 1 {
		t.Errorf("%v allocations a picture", allocations)
	}
}

func FuzzDecode(f *testing.F) {
	for _, name := range []string{"opacity 17x15", "few colors 33x64", "smooth 16x16"} {
		m := pictures()[name]
		for _, o := range []webp.Options{{Quality: 50, Method: 4}, {Lossless: true, Method: 4}} {
			f.Add(encoded(f, m, o))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		h, err := ReadHeader(src)
		if err != nil || h.Width*h.Height > 1<<20 {
			return
		}
		var d Decoder
		const guard = 0xa5
		dst := bytes.Repeat([]byte{guard}, h.Width*h.Height*4+16)
		err = d.Decode(dst, src, h.Width, h.Height, 4)
		if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("an error of no kind: %v", err)
		}
		for _, v := range dst[h.Width*h.Height*4:] {
			if v != guard {
				t.Fatal("written past the end")
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	m := photo(512)
	for name, o := range map[string]webp.Options{"lossy": {Quality: 75, Method: 4}, "lossless": {Lossless: true, Method: 4}} {
		b.Run(name, func(b *testing.B) {
			src := encoded(b, m, o)
			var d Decoder
			dst := make([]byte, 512*512*3)
			b.SetBytes(int64(len(dst)))
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Decode(dst, src, 512, 512, 3); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// photo generates a picture with edges, slopes and noise at many scales.
func photo(side int) *image.NRGBA {
	random := rand.New(rand.NewPCG(3, 4))
	m := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			base := 120 + 60*math.Sin(float64(x)/40)*math.Cos(float64(y)/31) + 30*math.Sin(float64(x*y)/900) + 8*random.NormFloat64()
			if (x/37+y/53)%5 == 0 {
				base += 40
			}
			v := uint8(min(max(base, 0), 255))
			m.SetNRGBA(x, y, color.NRGBA{v, uint8(min(int(v)+20, 255)), v / 2, 255})
		}
	}
	return m
}
