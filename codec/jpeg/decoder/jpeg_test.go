package decoder

import (
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"testing"
)

// samples computes the planes of a component at its own size, by the definition of the transform.
func (l *layer) samples(d *drawing) [][]float64 {
	rows := make([][]float64, 8*l.high)
	for y := range rows {
		rows[y] = make([]float64, 8*l.wide)
	}
	center, maxSample := float64(int(1)<<(d.bits-1)), float64(int(1)<<d.bits-1)
	for i := range l.coefficients {
		var frequencies [8][8]float64
		for k, index := range naturalOrder() {
			frequencies[index/8][index%8] = float64(l.coefficients[i][k] * int(d.quantizers[k]))
		}
		for y := range 8 {
			for x := range 8 {
				v := math.Round(inverse(&frequencies, x, y)) + center
				rows[i/l.wide*8+y][i%l.wide*8+x] = min(max(v, 0), maxSample)
			}
		}
	}
	return rows
}

func inverse(frequencies *[8][8]float64, x, y int) (sum float64) {
	basis := func(k, at int) float64 {
		c := math.Cos(float64(2*at+1) * float64(k) * math.Pi / 16)
		if k == 0 {
			c /= math.Sqrt2
		}
		return c / 2
	}
	for v := range 8 {
		for u := range 8 {
			if f := frequencies[v][u]; f != 0 {
				sum += f * basis(u, x) * basis(v, y)
			}
		}
	}
	return sum
}

// naturalOrder lists 8*row + column of the coefficients in zigzag order, as the standard does.
func naturalOrder() []int {
	return []int{
		0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
		35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
	}
}

// at returns a sample of a component scaled to the picture. Components of half size are
// interpolated unless they are very narrow; others are repeated.
func (l *layer) at(rows [][]float64, maxH, maxV, x, y int) float64 {
	nearX, nearY := x*l.h/maxH, y*l.v/maxV
	halfWide, halfHigh := 2*l.h == maxH, 2*l.v == maxV
	if !halfWide && l.h != maxH || !halfHigh && l.v != maxV || halfWide && l.w < 3 {
		return rows[nearY][nearX]
	}
	farX, farY := nearX, nearY
	if halfWide {
		farX = min(max(nearX-1+x%2*2, 0), l.w-1)
	}
	if halfHigh {
		farY = min(max(nearY-1+y%2*2, 0), l.hgt-1)
	}
	near := 0.75*rows[nearY][nearX] + 0.25*rows[nearY][farX]
	far := 0.75*rows[farY][nearX] + 0.25*rows[farY][farX]
	return 0.75*near + 0.25*far
}

// decoded returns all planes of a stream, one after the other.
func decoded(t testing.TB, stream []byte, rgb bool) []uint16 {
	t.Helper()
	planes, err := tryDecode(new(Decoder), stream, rgb)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(planes...)
}

// tryDecode decodes all planes of a stream of any depth.
func tryDecode(decoder *Decoder, stream []byte, rgb bool) ([][]uint16, error) {
	f, err := decoder.Open(stream, nil)
	if err != nil {
		return nil, err
	}
	var planes [][]uint16
	if f.Bits > 8 || f.Process == Lossless {
		p := Picture[uint16]{Width: f.Width, Height: f.Height, RGB: rgb}
		for i := range f.Components {
			p.Planes[i] = make([]uint16, f.Width*f.Height)
			planes = append(planes, p.Planes[i])
		}
		return planes, decoder.Decode16(&p)
	}
	p := Picture[uint8]{Width: f.Width, Height: f.Height, RGB: rgb}
	for i := range f.Components {
		p.Planes[i] = make([]uint8, f.Width*f.Height)
	}
	err = decoder.Decode8(&p)
	for _, plane := range p.Planes[:f.Components] {
		wide := make([]uint16, len(plane))
		for i, v := range plane {
			wide[i] = uint16(v)
		}
		planes = append(planes, wide)
	}
	return planes, err
}

var (
	onePlane  = [][2]int{{1, 1}}
	twoPlanes = [][2]int{{1, 1}, {1, 1}}
	full      = [][2]int{{1, 1}, {1, 1}, {1, 1}}
	halfBoth  = [][2]int{{2, 2}, {1, 1}, {1, 1}}
	halfWide  = [][2]int{{2, 1}, {1, 1}, {1, 1}}
	halfHigh  = [][2]int{{1, 2}, {1, 1}, {1, 1}}
	quarter   = [][2]int{{4, 1}, {1, 1}, {1, 1}}
	fourInks  = [][2]int{{2, 1}, {1, 1}, {1, 1}, {2, 1}}
	mixed     = [][2]int{{3, 2}, {1, 2}, {1, 1}}
)

// TestProcesses codes the same coefficients with every process. All results must be equal, and must
// match the definition of the transform.
func TestProcesses(t *testing.T) {
	for _, factors := range [][][2]int{onePlane, twoPlanes, full, halfBoth, halfWide, halfHigh, quarter, fourInks, mixed} {
		for _, size := range [][2]int{{1, 1}, {3, 17}, {16, 16}, {61, 39}, {97, 34}} {
			for _, bits := range []int{8, 12} {
				d := newDrawing(size[0], size[1], bits, factors, uint64(size[0]))
				name := fmt.Sprintf("%v %v %d bits", factors, size, bits)
				want := decoded(t, d.sequential(0, d.all()), false)
				d.compare(t, name, want)
				var apart [][]int
				for _, comp := range d.all() {
					apart = append(apart, []int{comp})
				}
				for way, stream := range map[string][]byte{
					"restarts":             d.sequential(3, d.all()),
					"several scans":        d.sequential(0, apart...),
					"both":                 d.sequential(2, apart...),
					"progressive":          d.progressive(0, d.fullScript()),
					"progressive restarts": d.progressive(5, d.fullScript()),
				} {
					if got := decoded(t, stream, false); !slices.Equal(got, want) {
						t.Errorf("%s, %s: other samples than in one scan", name, way)
					}
				}
			}
		}
	}
}

// compare compares samples with the definition. It tolerates an error of 1 from the transform, and
// another half from interpolation.
func (d *drawing) compare(t *testing.T, name string, got []uint16) {
	t.Helper()
	maxH, maxV := 1, 1
	for _, l := range d.layers {
		maxH, maxV = max(maxH, l.h), max(maxV, l.v)
	}
	for i := range d.layers {
		l := &d.layers[i]
		rows := l.samples(d)
		for y := range d.height {
			for x := range d.width {
				want := l.at(rows, maxH, maxV, x, y)
				if g := float64(got[(i*d.height+y)*d.width+x]); math.Abs(g-want) > 1.6 {
					t.Fatalf("%s: component %d at %d,%d is %v, want %.2f", name, i, x, y, g, want)
				}
			}
		}
	}
}

// TestSamplesOfLibjpeg compares checksums with those of libjpeg-turbo 2.1.5, and of libjpeg 6b for
// 12-bit streams.
func TestSamplesOfLibjpeg(t *testing.T) {
	for _, test := range []struct {
		name    string
		factors [][2]int
		bits    int
		rgb     bool
		want    uint32
	}{
		{"gray", onePlane, 8, false, 0x89ca1ded},
		{"full", full, 8, true, 0xa4f2d6b5},
		{"half both", halfBoth, 8, true, 0x10391919},
		{"half wide", halfWide, 8, true, 0x7012f53d},
		{"half high", halfHigh, 8, true, 0x40fc434b},
		{"quarter", quarter, 8, true, 0xba1250ad},
		{"four inks", fourInks, 8, false, 0xebb0c677},
		{"12 bits", halfBoth, 12, true, 0x8511b2f5},
	} {
		d := newDrawing(85, 59, test.bits, test.factors, 7)
		sum := crc32.NewIEEE()
		for _, v := range decoded(t, d.sequential(0, d.all()), test.rgb) {
			sum.Write([]byte{byte(v), byte(v >> 8)})
		}
		if got := sum.Sum32(); got != test.want {
			t.Errorf("%s: checksum %#x, want %#x", test.name, got, test.want)
		}
	}
}
