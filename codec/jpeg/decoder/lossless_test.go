package decoder

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/codec/jpeg"
)

// losslessDrawing holds samples to be written without a transform.
type losslessDrawing struct {
	width, height, bits int
	planes              [][]int
}

func newLosslessDrawing(width, height, bits, components int) *losslessDrawing {
	random := rand.New(rand.NewPCG(uint64(bits), uint64(components)))
	d := &losslessDrawing{width, height, bits, nil}
	for i := range components {
		plane := make([]int, width*height)
		for at := range plane {
			plane[at] = (at*(i+3) + random.IntN(1+1<<bits/8)) % (1 << bits)
			if random.IntN(30) == 0 {
				plane[at] = random.IntN(2) * (1<<bits - 1)
			}
		}
		d.planes = append(d.planes, plane)
	}
	return d
}

// predict returns the prediction of a sample from its decoded neighbors.
func (d *losslessDrawing) predict(plane []int, x, y, predictor, low, firstRow int) int {
	at := func(x, y int) int { return plane[y*d.width+x] >> low }
	switch {
	case x == 0 && y == firstRow:
		return 1 << (d.bits - low - 1)
	case y == firstRow:
		return at(x-1, y)
	case x == 0:
		return at(x, y-1)
	}
	a, b, c := at(x-1, y), at(x, y-1), at(x-1, y-1)
	return []int{0, a, b, c, a + b - c, a + (b-c)>>1, b + (a-c)>>1, (a + b) >> 1}[predictor]
}

// encode writes the samples without their low bits. rows is the number of rows between restarts, or
// 0 for none.
func (d *losslessDrawing) encode(predictor, low, rows int, scans ...[]int) []byte {
	s := &stream{}
	s.bareMarker(jpeg.MarkerStart)
	body := binary.BigEndian.AppendUint16([]byte{byte(d.bits)}, uint16(d.height))
	body = append(binary.BigEndian.AppendUint16(body, uint16(d.width)), byte(len(d.planes)))
	for i := range d.planes {
		body = append(body, byte(i+1), 0x11, 0)
	}
	s.segment(jpeg.MarkerFrame+3, body...)
	s.segment(jpeg.MarkerInterval, byte(rows*d.width>>8), byte(rows*d.width))
	for _, components := range scans {
		dc := []*codes{newCodes(0, 0), newCodes(0, 1)}
		var tokens []token
		firstRow := 0
		for y := range d.height {
			if rows > 0 && y > 0 && y%rows == 0 {
				tokens = append(tokens, token{isRestart: true})
				firstRow = y
			}
			for x := range d.width {
				for _, comp := range components {
					plane := d.planes[comp]
					v := int(int16(plane[y*d.width+x]>>low - d.predict(plane, x, y, predictor, low, firstRow)))
					size, bits := magnitude(v)
					t := token{table: dc[comp&1], symbol: byte(size), value: bits, bits: size}
					if size == 16 {
						t.value, t.bits = 0, 0
					}
					tokens = append(tokens, t)
				}
			}
		}
		s.scan(scanHeader(components, predictor, 0, 0, low), tokens)
	}
	s.bareMarker(jpeg.MarkerEnd)
	return s.bytes
}

func TestLossless(t *testing.T) {
	for _, bits := range []int{2, 7, 8, 12, 15, 16} {
		for _, components := range []int{1, 2, 3, 4} {
			d := newLosslessDrawing(23, 17, bits, components)
			var together []int
			var apart [][]int
			for i := range d.planes {
				together, apart = append(together, i), append(apart, []int{i})
			}
			backwards := slices.Clone(together)
			slices.Reverse(backwards)
			for predictor := 1; predictor <= 7; predictor++ {
				for low := range min(3, bits-1) {
					for way, stream := range map[string][]byte{
						"one scan":      d.encode(predictor, low, 0, together),
						"restarts":      d.encode(predictor, low, 4, together),
						"several scans": d.encode(predictor, low, 0, apart...),
						"backwards":     d.encode(predictor, low, 0, backwards),
					} {
						got := decoded(t, stream, false)
						for i, v := range slices.Concat(d.planes...) {
							if want := v >> low << low; int(got[i]) != want {
								t.Fatalf("%d bits, %d components, predictor %d, %d bits away, %s: sample %d is %d, want %d",
									bits, components, predictor, low, way, i, got[i], want)
							}
						}
					}
				}
			}
		}
	}
}

func TestLosslessOfBytes(t *testing.T) {
	d := newLosslessDrawing(31, 9, 8, 3)
	stream := d.encode(1, 0, 0, []int{0, 1, 2})
	var decoder Decoder
	if _, err := decoder.Open(stream, nil); err != nil {
		t.Fatal(err)
	}
	p := Picture[uint8]{Width: 20, Height: 5, RGB: true}
	for i := range 3 {
		p.Planes[i] = make([]uint8, 100)
	}
	if err := decoder.Decode8(&p); err != nil {
		t.Fatal(err)
	}
	for y := range 5 {
		for x := range 20 {
			at := y*31 + x
			r, g, b := make([]uint8, 1), make([]uint8, 1), make([]uint8, 1)
			rgbRow8Go(r, g, b, []uint8{uint8(d.planes[0][at])}, []uint8{uint8(d.planes[1][at])}, []uint8{uint8(d.planes[2][at])})
			for i, want := range []uint8{r[0], g[0], b[0]} {
				if got := p.Planes[i][y*20+x]; got != want {
					t.Fatalf("channel %d at %d,%d is %d, want %d", i, x, y, got, want)
				}
			}
		}
	}
}

func TestBadLossless(t *testing.T) {
	d := newLosslessDrawing(9, 7, 12, 2)
	whole := d.encode(4, 0, 2, []int{0, 1})
	for n := range len(whole) - 2 {
		if _, err := tryDecode(new(Decoder), whole[:n:n], false); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("cut to %d of %d bytes: got %v, want ErrCorrupt", n, len(whole), err)
		}
	}
	for name, stream := range map[string][]byte{
		"predictor 0":              d.encode(0, 0, 0, []int{0, 1}),
		"all bits away":            patched(whole, jpeg.MarkerScan, 7, 12),
		"a scan missing":           d.encode(1, 0, 0, []int{1}),
		"one component two times":  d.encode(1, 0, 0, []int{1}, []int{1}),
		"restarts within the rows": patched(d.encode(1, 0, 1, []int{0, 1}), jpeg.MarkerInterval, 1, 5),
	} {
		if _, err := tryDecode(new(Decoder), stream, false); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: got %v, want ErrCorrupt", name, err)
		}
	}
	subsampled := patched(whole, jpeg.MarkerFrame+3, 7, 0x21)
	if _, err := tryDecode(new(Decoder), subsampled, false); !errors.Is(err, ErrUnsupported) {
		t.Errorf("components of different sizes: got %v, want ErrUnsupported", err)
	}
}

// patched returns a copy of stream with one byte of a segment body changed.
func patched(stream []byte, m jpeg.Marker, at int, v byte) []byte {
	const headBytes = 4
	for i := 2; ; i += 2 + int(binary.BigEndian.Uint16(stream[i+2:])) {
		if jpeg.Marker(stream[i+1]) == m {
			changed := slices.Clone(stream)
			changed[i+headBytes+at] = v
			return changed
		}
		if jpeg.Marker(stream[i+1]) == jpeg.MarkerScan {
			panic(fmt.Sprintf("no marker %#x", m))
		}
	}
}
