package decoder

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"tileserver/codec/jpeg"
	"tileserver/integration/realfiles"
)

// indexed returns the index of a stream that comes in pieces.
func indexed(stream []byte, size int) *jpeg.RowIndex {
	var x jpeg.RowIndex
	for piece := range slices.Chunk(stream, size) {
		x.Add(piece)
	}
	x.Close()
	return &x
}

// divisible are streams with parts, and the rows of a part.
func divisible() map[string]struct {
	stream   []byte
	partRows int
} {
	high, quarter := newDrawing(43, 61, 8, halfBoth, 1), newDrawing(43, 75, 8, quarter, 1)
	odd := newDrawing(43, 75, 8, mixed, 1)
	gray, color, wide := newDrawing(43, 61, 8, onePlane, 1), newDrawing(43, 61, 12, full, 2), newDrawing(43, 61, 8, halfWide, 1)
	lossless := newLosslessDrawing(17, 29, 12, 2)
	return map[string]struct {
		stream   []byte
		partRows int
	}{
		"gray, a row of units":      {gray.sequential(6, gray.all()), 8},
		"gray, three rows of units": {gray.sequential(18, gray.all()), 24},
		"gray, a third of a row":    {gray.sequential(2, gray.all()), 8},
		"12 bits, color":            {color.sequential(6, color.all()), 8},
		"4:2:2":                     {wide.sequential(3, wide.all()), 8},
		"4:2:0":                     {high.sequential(3, high.all()), 16},
		"mixed":                     {odd.sequential(2, odd.all()), 16},
		"4:1:1":                     {quarter.sequential(2, quarter.all()), 8},
		"lossless, a row":           {lossless.encode(4, 0, 1, []int{0, 1}), 1},
		"lossless, three rows":      {lossless.encode(7, 1, 3, []int{0, 1}), 3},
	}
}

func TestPartsEqualTheWhole(t *testing.T) {
	for name, test := range divisible() {
		t.Run(name, func(t *testing.T) {
			var d Decoder
			frame, err := d.Open(test.stream, nil)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := tryDecode(&d, test.stream, false)
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{1, 7, 100, len(test.stream)} {
				x := indexed(test.stream, size)
				if !x.IsRead() || x.PartRows() != test.partRows {
					t.Fatalf("pieces of %d: parts of %d rows, want %d", size, x.PartRows(), test.partRows)
				}
				parts := (frame.Height + test.partRows - 1) / test.partRows
				for first := range parts {
					for count := 1; first+count <= parts; count++ {
						checkParts(t, x, test.stream, first, count, whole, frame)
					}
				}
				if e, known := x.Parts(parts, 1); known {
					t.Errorf("a part behind the last one lies at %v", e)
				}
			}
		})
	}
}

// checkParts decodes some parts alone and compares them with the whole picture.
func checkParts(t *testing.T, x *jpeg.RowIndex, stream []byte, first, count int, whole [][]uint16, f Frame) {
	t.Helper()
	above := min(first, x.Neighbors())
	all := min(above+count+x.Neighbors(), (f.Height+x.PartRows()-1)/x.PartRows()-first+above)
	e, known := x.Parts(first-above, all)
	if !known {
		t.Fatalf("parts %d to %d are not known", first, first+count)
	}
	part, err := tryDecode(new(Decoder), x.Stream(stream[e.Offset:][:e.Length], first-above, all), false)
	if err != nil {
		t.Fatalf("parts %d to %d: %v", first, first+count, err)
	}
	for i, plane := range part {
		want := whole[i][first*x.PartRows()*f.Width : min((first+count)*x.PartRows(), f.Height)*f.Width]
		if !slices.Equal(plane[above*x.PartRows()*f.Width:][:len(want)], want) {
			t.Fatalf("parts %d to %d: the samples of component %d differ", first, first+count, i)
		}
	}
}

func TestStreamsWithoutParts(t *testing.T) {
	gray := newDrawing(43, 61, 8, onePlane, 1)
	apart := newDrawing(43, 61, 8, full, 1)
	for name, stream := range map[string][]byte{
		"nothing":              nil,
		"only a start":         {0xFF, byte(jpeg.MarkerStart)},
		"no restarts":          gray.sequential(0, gray.all()),
		"restarts within rows": gray.sequential(4, gray.all()),
		"progressive":          gray.progressive(6, gray.fullScript()),
		"several scans":        apart.sequential(6, []int{0}, []int{1}, []int{2}),
		"no scan":              patched(gray.sequential(6, gray.all()), jpeg.MarkerFrame, 5, 2)[:40],
	} {
		x := indexed(stream, 50)
		if _, known := x.Parts(0, 1); !x.IsRead() || x.PartRows() != 0 || known {
			t.Errorf("%s: parts of %d rows", name, x.PartRows())
		}
	}
}

// A damaged stream is found up to the damage, and no part is shown for another one.
func TestPartsOfADamagedStream(t *testing.T) {
	gray := newDrawing(43, 61, 8, onePlane, 1)
	stream := gray.sequential(6, gray.all())
	e, _ := indexed(stream, 99).Parts(3, 1)
	lost := slices.Clone(stream)
	lost[e.Offset-1] = byte(jpeg.MarkerRestart) + 5 // in place of 2
	for name, damaged := range map[string][]byte{"another marker": lost, "cut": stream[:e.Offset-1]} {
		x := indexed(damaged, 99)
		for part := range 8 {
			at, known := x.Parts(part, 1)
			if known != (part < 3) {
				t.Fatalf("%s: part %d is known: %v", name, part, known)
			}
			if known {
				if _, err := tryDecode(new(Decoder), x.Stream(damaged[at.Offset:][:at.Length], part, 1), false); err != nil {
					t.Errorf("%s: part %d: %v", name, part, err)
				}
			}
		}
		at, _ := x.Parts(2, 2)
		if _, err := tryDecode(new(Decoder), x.Stream(damaged[at.Offset:][:at.Length], 2, 2), false); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: the lost part decodes with %v", name, err)
		}
	}
}

func TestPartsOfRealFiles(t *testing.T) {
	folder := realfiles.Folder(t, "EXPECTED.jsonl")
	for name, rows := range map[string]int{"ns3321a.nsf": 8, "ns3010a.nsf": 8, "i_3309a.ntf": 8} {
		stream := streamsOf(t, filepath.Join(folder, "nitf/imaging-nitf", name))[0]
		x := indexed(stream, 1<<16)
		if x.PartRows() != rows {
			t.Errorf("%s: parts of %d rows, want %d", name, x.PartRows(), rows)
			continue
		}
		var d Decoder
		frame, err := d.Open(stream, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := tryDecode(&d, stream, false)
		if err != nil {
			t.Fatal(err)
		}
		checkParts(t, x, stream, 5, 9, whole, frame)
		checkParts(t, x, stream, 0, (frame.Height+rows-1)/rows, whole, frame)
	}
}

// FuzzRowIndex looks for parts in arbitrary data. Parts that it finds lie in the data, in order, and
// do not depend on the pieces.
func FuzzRowIndex(f *testing.F) {
	for _, seed := range divisible() {
		f.Add(seed.stream, uint16(9))
	}
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		whole, pieces := indexed(data, len(data)+1), indexed(data, int(size)+1)
		if whole.PartRows() != pieces.PartRows() {
			t.Fatalf("parts of %d rows, in pieces %d", whole.PartRows(), pieces.PartRows())
		}
		behind := int64(0)
		for first := range 100 {
			for _, count := range []int{1, 2, 99} {
				e, known := whole.Parts(first, count)
				if again, known2 := pieces.Parts(first, count); again != e || known != known2 {
					t.Fatalf("parts %d to %d lie at %v, in pieces %v", first, first+count, e, again)
				}
				if !known {
					continue
				}
				if e.Offset < behind || e.Length < 0 || e.Offset+e.Length > int64(len(data)) {
					t.Fatalf("parts %d to %d lie at %v of %d bytes", first, first+count, e, len(data))
				}
				whole.Stream(data[e.Offset:][:e.Length], first, count)
			}
			if e, known := whole.Parts(first, 1); known {
				behind = e.Offset + e.Length
			}
		}
	})
}

func BenchmarkRowIndex(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	gray := newDrawing(512, 512, 8, onePlane, 1)
	stream := gray.sequential(64, gray.all())
	b.SetBytes(int64(len(stream)))
	b.Run(fmt.Sprintf("%d bytes", len(stream)), func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		for b.Loop() {
			x := indexed(stream, 1<<16)
			if _, known := x.Parts(random.IntN(64), 1); !known {
				b.Fatal("a part is not known")
			}
		}
	})
}
