package decoder

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"tileserver/codec/jpeg"
)

// TestParts decodes fewer columns, rows or components than a stream holds, and compares them with
// the whole picture.
func TestParts(t *testing.T) {
	const width, height = 61, 45
	for _, factors := range [][][2]int{onePlane, full, halfBoth, halfWide, halfHigh, quarter, fourInks, mixed} {
		d := newDrawing(width, height, 8, factors, 3)
		for process, stream := range map[string][]byte{
			"sequential": d.sequential(0, d.all()), "progressive": d.progressive(0, d.fullScript()),
		} {
			for _, rgb := range []bool{false, true} {
				if rgb && len(factors) != 3 {
					continue
				}
				whole := decoded(t, stream, rgb)
				for _, size := range [][2]int{{1, 1}, {2, 40}, {16, 16}, {17, 15}, {32, 31}, {60, 45}, {61, 33}} {
					for wanted := 1; wanted < 1<<len(factors); wanted++ {
						name := fmt.Sprintf("%v %s rgb %v %v wanted %b", factors, process, rgb, size, wanted)
						p := Picture[uint8]{Width: size[0], Height: size[1], RGB: rgb}
						for i := range factors {
							if wanted>>i&1 == 1 {
								p.Planes[i] = make([]uint8, size[0]*size[1])
							}
						}
						comparePart(t, name, stream, &p, whole, width, height)
					}
				}
			}
		}
	}
}

func comparePart(t *testing.T, name string, stream []byte, p *Picture[uint8], whole []uint16, width, height int) {
	t.Helper()
	var d Decoder
	if _, err := d.Open(stream, nil); err != nil {
		t.Fatal(name, err)
	}
	if err := d.Decode8(p); err != nil {
		t.Fatal(name, err)
	}
	for i, plane := range p.Planes {
		for at, got := range plane {
			x, y := at%p.Width, at/p.Width
			if want := whole[(i*height+y)*width+x]; uint16(got) != want {
				t.Fatalf("%s: plane %d at %d,%d is %d, want %d", name, i, x, y, got, want)
			}
		}
	}
}

// TestDecoderIsReused decodes different streams, some of them bad, with one decoder.
func TestDecoderIsReused(t *testing.T) {
	var used Decoder
	for round := range 3 {
		for i, factors := range [][][2]int{halfBoth, onePlane, full, fourInks, halfHigh} {
			d := newDrawing(50-7*i, 20+9*i, 8, factors, uint64(i))
			good := d.sequential(round, d.all())
			if _, err := tryDecode(&used, good[:len(good)-40], false); err == nil {
				t.Error("a truncated stream is decoded")
			}
			for _, stream := range [][]byte{good, d.progressive(round, d.fullScript()), good} {
				got, err := tryDecode(&used, stream, false)
				if err != nil || !slices.Equal(slices.Concat(got...), decoded(t, stream, false)) {
					t.Errorf("round %d, %v: other samples than from a new decoder, or %v", round, factors, err)
				}
			}
		}
	}
}

// TestDecoderReleasesMemory checks which memory an idle decoder retains.
func TestDecoderReleasesMemory(t *testing.T) {
	d := newDrawing(50, 20, 8, halfBoth, 1)
	var decoder Decoder
	decoder.coefficients.reserve([]component{{storedWide: maxRetainedBlocks + 1, v: 1}}, 1)
	decoder.entropy.data = make([]byte, maxRetainedData+1)
	if _, err := tryDecode(&decoder, d.progressive(0, d.fullScript()), false); err != nil {
		t.Fatal(err)
	}
	if decoder.rest != nil || decoder.tables != (tables{}) {
		t.Error("the stream, or tables of others, are kept")
	}
	if decoder.coefficients.blocks != nil || decoder.entropy.data != nil {
		t.Error("the memory of a large picture is kept")
	}
	if err := decoder.Decode8(&Picture[uint8]{Width: 1, Height: 1}); err == nil {
		t.Error("a picture is decoded once more, without a stream")
	}
	if _, err := tryDecode(&decoder, d.sequential(0, d.all()), false); err != nil || decoder.coefficients.blocks == nil {
		t.Errorf("the memory of a small picture is not kept, or %v", err)
	}
}

// TestWorkBytes compares Frame.WorkBytes with what a new decoder allocates.
func TestWorkBytes(t *testing.T) {
	for _, factors := range [][][2]int{halfBoth, onePlane, full, fourInks, halfHigh} {
		d := newDrawing(300, 200, 8, factors, 1)
		for name, stream := range map[string][]byte{"sequential": d.sequential(7, d.all()), "progressive": d.progressive(0, d.fullScript())} {
			var decoder Decoder
			frame, err := decoder.Open(stream, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := Picture[uint8]{Width: 300, Height: 200}
			for i := range frame.Components {
				p.Planes[i] = make([]uint8, 300*200)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err = decoder.Decode8(&p)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			grown := int64(after.TotalAlloc-before.TotalAlloc) - int64(len(stream))
			const rowsAndRounding = 48 << 10
			if grown > frame.WorkBytes+rowsAndRounding || grown < frame.WorkBytes-rowsAndRounding {
				t.Errorf("%s of %v: %d bytes were allocated beside the data, WorkBytes is %d", name, factors, grown, frame.WorkBytes)
			}
		}
	}
}

func TestDecoderDoesNotAllocate(t *testing.T) {
	d := newDrawing(200, 120, 8, halfBoth, 1)
	for name, stream := range map[string][]byte{"sequential": d.sequential(7, d.all()), "progressive": d.progressive(0, d.fullScript())} {
		var decoder Decoder
		p := Picture[uint8]{Width: 200, Height: 120, RGB: true}
		for i := range 3 {
			p.Planes[i] = make([]uint8, 200*120)
		}
		decode := func() {
			if _, err := decoder.Open(stream, nil); err != nil {
				t.Fatal(err)
			}
			if err := decoder.Decode8(&p); err != nil {
				t.Fatal(err)
			}
		}
		if n := testing.AllocsPerRun(20, decode); n > 0 {
			t.Errorf("%s: %v allocations for a stream", name, n)
		}
	}
}

// TestSharedTables decodes streams without tables, using the tables of another stream.
func TestSharedTables(t *testing.T) {
	d := newDrawing(33, 21, 8, full, 2)
	whole := d.sequential(0, d.all())
	tables, rest := whole[:2:2], whole[:2:2]
	for at := whole[2:]; ; {
		m, _, after, err := nextSegment(at)
		if err != nil {
			t.Fatal(err)
		}
		segment := at[:len(at)-len(after)]
		if m == jpeg.MarkerScan {
			rest = append(rest, at...)
			break
		}
		if m == jpeg.MarkerFrame {
			rest = append(rest, segment...)
		} else {
			tables = append(tables, segment...)
		}
		at = after
	}
	shared, err := ParseTables(tables)
	if err != nil {
		t.Fatal(err)
	}
	want := decoded(t, whole, false)
	var decoder Decoder
	for _, stream := range [][]byte{rest, newDrawing(33, 21, 8, full, 9).sequential(0, d.all()), rest} {
		f, err := decoder.Open(stream, shared)
		if err != nil {
			t.Fatal(err)
		}
		p := Picture[uint8]{Width: f.Width, Height: f.Height, Planes: [4][]uint8{make([]uint8, 33*21)}}
		if err := decoder.Decode8(&p); err != nil {
			t.Fatal(err)
		}
		for i, got := range p.Planes[0] {
			if len(stream) == len(rest) && uint16(got) != want[i] {
				t.Fatalf("sample %d is %d, want %d", i, got, want[i])
			}
		}
	}
	if _, err := tryDecode(&decoder, rest, false); !errors.Is(err, ErrCorrupt) {
		t.Errorf("without the tables: got %v, want ErrCorrupt", err)
	}
	for n := range len(tables) {
		if _, err := ParseTables(tables[:n]); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("tables cut to %d bytes: %v", n, err)
		}
	}
}

// TestWrongPictures requests what the stream cannot provide.
func TestWrongPictures(t *testing.T) {
	gray, wide := newDrawing(20, 10, 8, onePlane, 1), newDrawing(20, 10, 12, onePlane, 1)
	plane := make([]uint8, 200)
	for name, p := range map[string]Picture[uint8]{
		"too wide":          {Width: 21, Height: 1, Planes: [4][]uint8{plane}},
		"too high":          {Width: 1, Height: 11, Planes: [4][]uint8{plane}},
		"nothing":           {Planes: [4][]uint8{plane}},
		"too small a plane": {Width: 20, Height: 10, Planes: [4][]uint8{plane[:199]}},
		"too many planes":   {Width: 20, Height: 10, Planes: [4][]uint8{plane, plane}},
		"colours of one":    {Width: 20, Height: 10, RGB: true, Planes: [4][]uint8{plane}},
	} {
		var d Decoder
		if _, err := d.Open(gray.sequential(0, []int{0}), nil); err != nil {
			t.Fatal(err)
		}
		if err := d.Decode8(&p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	var d Decoder
	if _, err := d.Open(wide.sequential(0, []int{0}), nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Decode8(&Picture[uint8]{Width: 20, Height: 10, Planes: [4][]uint8{plane}}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("12 bits in bytes: got %v, want ErrUnsupported", err)
	}
	if _, err := d.Open(gray.sequential(0, []int{0}), nil); err != nil {
		t.Fatal(err)
	}
	words := [4][]uint16{make([]uint16, 200)}
	if err := d.Decode16(&Picture[uint16]{Width: 20, Height: 10, Planes: words}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("8 bits in words: got %v, want ErrUnsupported", err)
	}
}
