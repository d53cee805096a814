package decoder

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"tileserver/codec/jpeg"
)

// unwritten fills planes before they are decoded.
const unwritten = 0xAA

// decodeSound decodes a stream that may be damaged into 16-bit planes.
func decodeSound(stream []byte, rgb bool) (planes [][]uint16, sound int, err error) {
	var d Decoder
	f, err := d.Open(stream, nil)
	if err != nil {
		return nil, 0, err
	}
	if f.Bits > 8 {
		return soundPlanes(d.Decode16, f, rgb)
	}
	return soundPlanes(d.Decode8, f, rgb)
}

func soundPlanes[T Sample](decode func(*Picture[T]) error, f Frame, rgb bool) ([][]uint16, int, error) {
	p := Picture[T]{Width: f.Width, Height: f.Height, RGB: rgb, Sound: -1}
	for i := range f.Components {
		p.Planes[i] = make([]T, f.Width*f.Height)
		for at := range p.Planes[i] {
			p.Planes[i][at] = unwritten
		}
	}
	err := decode(&p)
	var planes [][]uint16
	for _, plane := range p.Planes[:f.Components] {
		wide := make([]uint16, len(plane))
		for i, v := range plane {
			wide[i] = uint16(v)
		}
		planes = append(planes, wide)
	}
	return planes, p.Sound, err
}

// checkSound compares the sound rows of a damaged stream with the whole picture.
func checkSound(t *testing.T, name string, damaged []byte, rgb bool, width int, want [][]uint16) (sound int) {
	t.Helper()
	planes, sound, err := decodeSound(damaged, rgb)
	if !errors.Is(err, ErrCorrupt) {
		t.Fatalf("%s: got %v, want ErrCorrupt", name, err)
	}
	for i, plane := range planes {
		if !slices.Equal(plane[:sound*width], want[i][:sound*width]) {
			t.Fatalf("%s: other samples in the first %d rows of component %d", name, sound, i)
		}
		for _, v := range plane[sound*width:] {
			if sound > 0 && v != unwritten {
				t.Fatalf("%s: rows of component %d are written behind the first %d", name, i, sound)
			}
		}
	}
	return sound
}

// TestSoundRows cuts streams off everywhere. All rows before the end are those of the whole picture,
// also where chroma is interpolated between rows.
func TestSoundRows(t *testing.T) {
	const width, height = 61, 83
	for _, factors := range [][][2]int{onePlane, full, halfBoth, halfHigh, halfWide, mixed} {
		for _, bits := range []int{8, 12} {
			for _, interval := range []int{0, 3} {
				rgb := len(factors) == 3
				d := newDrawing(width, height, bits, factors, 3)
				stream := d.sequential(interval, d.all())
				want, all, err := decodeSound(stream, rgb)
				if err != nil || all != height {
					t.Fatalf("%v: %d rows, %v", factors, all, err)
				}
				name := fmt.Sprintf("%v, %d bits, restarts %d", factors, bits, interval)
				before := 0
				for n := bytes.Index(stream, []byte{0xFF, byte(jpeg.MarkerScan)}) + 16; n < len(stream)-2; n += 7 {
					sound := checkSound(t, fmt.Sprintf("%s, cut to %d bytes", name, n), stream[:n:n], rgb, width, want)
					if sound < before {
						t.Fatalf("%s: %d rows of %d bytes, but %d of fewer", name, sound, n, before)
					}
					before = sound
				}
				const twoUnits = 4 * jpeg.BlockSide
				if before < height-twoUnits {
					t.Errorf("%s: only %d rows of nearly all bytes", name, before)
				}
			}
		}
	}
}

// TestSoundRowsBeforeDamage has a restart marker that is another one, in the third row of units.
func TestSoundRowsBeforeDamage(t *testing.T) {
	const width, height, unitsWide = 40, 64, 5
	d := newDrawing(width, height, 8, full, 3)
	stream := d.sequential(unitsWide, d.all())
	want, _, err := decodeSound(stream, false)
	if err != nil {
		t.Fatal(err)
	}
	second := bytes.Index(stream, []byte{0xFF, byte(jpeg.MarkerRestart + 1)})
	damaged := slices.Clone(stream)
	damaged[second+1] = byte(jpeg.MarkerRestart + 5)
	if sound := checkSound(t, "another restart", damaged, false, width, want); sound != 2*jpeg.BlockSide {
		t.Errorf("%d rows are sound, want 2 of units", sound)
	}
}

// TestSoundRowsOfLossless cuts lossless streams off. Those of one scan have sound rows.
func TestSoundRowsOfLossless(t *testing.T) {
	d := newLosslessDrawing(30, 20, 12, 2)
	for _, test := range []struct {
		name   string
		stream []byte
		rows   int // at least
	}{
		{"one scan", d.encode(4, 0, 0, []int{0, 1}), 13},
		{"two scans", d.encode(4, 0, 0, []int{0}, []int{1}), 0},
	} {
		want, _, err := decodeSound(test.stream, false)
		if err != nil {
			t.Fatal(err)
		}
		cut := test.stream[:len(test.stream)*3/4]
		sound := checkSound(t, test.name, cut, false, d.width, want)
		if sound < test.rows || sound == d.height || test.rows == 0 && sound > 0 {
			t.Errorf("%s: %d rows are sound", test.name, sound)
		}
	}
}

// TestPicturesInSeveralScansHaveNoSoundRows has streams that cannot be decoded row by row.
func TestPicturesInSeveralScansHaveNoSoundRows(t *testing.T) {
	d := newDrawing(41, 23, 8, halfBoth, 5)
	for name, whole := range map[string][]byte{
		"several scans": d.sequential(0, []int{0}, []int{1, 2}), "progressive": d.progressive(0, d.fullScript()),
	} {
		if _, sound, err := decodeSound(whole[:len(whole)*3/4], true); sound != 0 || !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %d rows are sound, and %v", name, sound, err)
		}
	}
}
