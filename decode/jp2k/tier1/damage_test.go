package tier1_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
)

// decodeDamaged decodes a damaged block and returns the coefficients that remain.
func decodeDamaged(t *testing.T, b tier1.Block) []int64 {
	t.Helper()
	var d tier1.Decoder
	out := make([]int32, b.Width*b.Height)
	if err := d.Decode(&b, out); !errors.Is(err, tier1.ErrDamaged) {
		t.Fatalf("got %v, want %v", err, tier1.ErrDamaged)
	}
	wide := make([]int64, len(out))
	for i, v := range out {
		wide[i] = int64(v)
	}
	return wide
}

func TestWrongSegmentationSymbolDiscardsItsBitPlane(t *testing.T) {
	b := tier1test.Encode(tier1test.Coefficients(30*22, 300, 1), 30, 22, wavelet.HL, tier1.SegmentationSymbols|tier1.TerminateAll)
	at, seen := 0, 0
	for pass, s := range b.Segments {
		broken := b
		broken.Data = slices.Clone(b.Data)
		for i := range s.Length {
			broken.Data[at+i] ^= 0x55
		}
		at += s.Length
		if isCleanup := pass%3 == 0; !isCleanup || (&tier1.Decoder{}).Decode(&broken, make([]int32, 30*22)) == nil {
			continue // noise gives the right symbol now and then
		}
		seen++
		want := tier1test.Decode(tier1test.Cut(b, max(0, pass-2)))
		if !slices.Equal(decodeDamaged(t, broken), want) {
			t.Errorf("broken in pass %d: the sound bit-planes differ", pass)
		}
	}
	if seen < 5 {
		t.Fatalf("only %d wrong symbols", seen)
	}
}

func TestMissingSegmentsLeaveThoseBefore(t *testing.T) {
	for _, style := range []tier1.Style{tier1.TerminateAll, tier1.TerminateAll | tier1.Bypass} {
		b := tier1test.Encode(tier1test.Coefficients(17*40, 200, 2), 17, 40, wavelet.HH, style)
		end := 0
		for pass, s := range b.Segments {
			cut := b
			cut.Data = b.Data[:end]
			if !slices.Equal(decodeDamaged(t, cut), tier1test.Decode(tier1test.Cut(b, pass))) {
				t.Errorf("style %06b, cut after %d passes: the passes differ", style, pass)
			}
			end += s.Length
		}
	}
}

func TestMissingBytesCostLowerBitPlanes(t *testing.T) {
	values := tier1test.Coefficients(64*64, 100, 3)
	b := tier1test.Encode(values, 64, 64, wavelet.LL, 0)
	last := 1e9
	for _, percent := range []int{10, 30, 60, 90} {
		cut := b
		cut.Data = b.Data[:len(b.Data)*percent/100]
		difference := 0.0
		for i, v := range decodeDamaged(t, cut) {
			difference += max(float64(v-2*values[i]), float64(2*values[i]-v)) / 2
		}
		if difference >= last*0.7 {
			t.Errorf("with %d %% of the bytes the differences add up to %g, with less to %g", percent, difference, last)
		}
		last = difference
	}
	if mean := last / (64 * 64); mean > 2 {
		t.Errorf("with 90 %% of the bytes the mean difference is %g", mean)
	}
}

// mustDecode decodes a sound block.
func mustDecode(t *testing.T, b tier1.Block) []int32 {
	t.Helper()
	out := make([]int32, b.Width*b.Height)
	if err := new(tier1.Decoder).Decode(&b, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// A pass is decoded if at least one bit of the available bytes affects its first symbol.
func TestFirstByteIsEnoughForAPass(t *testing.T) {
	cut := tier1test.Encode(tier1test.Coefficients(64*64, 100, 6), 64, 64, wavelet.LL, 0)
	cut.Data = cut.Data[:1]
	got := decodeDamaged(t, cut)
	cut.Passes, cut.Segments = 1, []tier1.Segment{{Passes: 1, Length: 1}}
	want := mustDecode(t, cut)
	if !slices.ContainsFunc(want, func(v int32) bool { return v != 0 }) {
		t.Fatal("the first byte decodes to nothing")
	}
	for i, v := range want {
		if got[i] != int64(v) {
			t.Fatalf("coefficient %d is %d, want %d", i, got[i], v)
		}
	}
}

// Bytes that follow a marker are not code: the codeword ends at the marker.
func TestMarkersEndCodewords(t *testing.T) {
	for _, style := range []tier1.Style{0, tier1.Bypass | tier1.TerminateAll} {
		values := tier1test.Coefficients(64*64, 100, 7)
		// The last pass is raw if the style has raw passes.
		b := tier1test.Cut(tier1test.Encode(values, 64, 64, wavelet.LL, style), 15)
		last := &b.Segments[len(b.Segments)-1]
		last.Length /= 2
		end := 0
		for _, s := range b.Segments {
			end += s.Length
		}
		want := mustDecode(t, b)
		last.Length += 6
		for _, marker := range []byte{0x90, 0xC0, 0xFF} {
			b.Data = append(b.Data[:end:end], 0xFF, marker, 0, 0, 0, 0)
			if !slices.Equal(mustDecode(t, b), want) {
				t.Errorf("style %06b: bytes after FF%X are decoded", style, marker)
			}
		}
	}
}

func TestInconsistentBlocks(t *testing.T) {
	b := tier1test.Encode(tier1test.Coefficients(8*8, 3000, 4), 8, 8, wavelet.LL, 0)
	whole := tier1test.Decode(b)

	more := b
	more.Passes += 3
	more.Segments = []tier1.Segment{{Passes: more.Passes, Length: len(b.Data)}}
	if !slices.Equal(decodeDamaged(t, more), whole) {
		t.Error("passes below the lowest bit-plane: the others differ")
	}
	fewer := b
	fewer.Segments = []tier1.Segment{{Passes: 7, Length: len(b.Data)}}
	if !slices.Equal(decodeDamaged(t, fewer), tier1test.Decode(tier1test.Cut(b, 7))) {
		t.Error("fewer passes in segments than in the block: the present passes differ")
	}
	mixed := b
	mixed.Style = tier1.Bypass
	if !slices.Equal(decodeDamaged(t, mixed), tier1test.Decode(tier1test.Cut(b, 10))) {
		t.Error("raw and other passes in one codeword: the passes before differ")
	}
	short := b
	short.Data = b.Data[:len(b.Data)-1]
	for _, damaged := range []tier1.Block{more, fewer, mixed, short} {
		if err := damaged.Sound(); !errors.Is(err, tier1.ErrDamaged) {
			t.Errorf("%d passes in %v, %d bytes: got %v, want %v", damaged.Passes, damaged.Segments, len(damaged.Data), err, tier1.ErrDamaged)
		}
	}
	if err := b.Sound(); err != nil {
		t.Errorf("a sound block: %v", err)
	}
}

func TestInvalidBlocks(t *testing.T) {
	for name, b := range map[string]tier1.Block{
		"no width":         {Height: 1},
		"negative height":  {Width: 1, Height: -1},
		"too wide":         {Width: 1025, Height: 1},
		"too high":         {Width: 1, Height: 1025},
		"too large":        {Width: 65, Height: 64},
		"orientation":      {Width: 1, Height: 1, Orientation: 4},
		"bit-planes":       {Width: 1, Height: 1, BitPlanes: 31},
		"negative planes":  {Width: 1, Height: 1, BitPlanes: -1},
		"negative passes":  {Width: 1, Height: 1, Passes: -1},
		"negative length":  {Width: 1, Height: 1, Segments: []tier1.Segment{{Passes: 1, Length: -1}}},
		"negative segment": {Width: 1, Height: 1, Segments: []tier1.Segment{{Passes: -1, Length: 1}}},
	} {
		var d tier1.Decoder
		if err := d.Decode(&b, make([]int32, 5000)); !errors.Is(err, tier1.ErrInvalid) {
			t.Errorf("%s: got %v", name, err)
		}
		if err := b.Sound(); !errors.Is(err, tier1.ErrInvalid) {
			t.Errorf("%s: sound, or for another reason not: %v", name, err)
		}
	}
	small := tier1.Block{Width: 4, Height: 4}
	if err := (&tier1.Decoder{}).Decode(&small, make([]int32, 15)); !errors.Is(err, tier1.ErrInvalid) {
		t.Errorf("too little room: got %v", err)
	}
}

func TestNothingCodedIsZero(t *testing.T) {
	var d tier1.Decoder
	for _, b := range []tier1.Block{{Width: 3, Height: 5}, {Width: 3, Height: 5, BitPlanes: 7}} {
		out := slices.Repeat([]int32{9}, 20)
		if err := d.Decode(&b, out); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(out); got != "[0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 9 9 9 9 9]" {
			t.Errorf("got %s", got)
		}
	}
}

func TestDecoderAllocatesNothingOnceWarm(t *testing.T) {
	b := tier1test.Encode(tier1test.Coefficients(64*64, 30, 5), 64, 64, wavelet.HL, tier1.Bypass|tier1.SegmentationSymbols)
	var decoders [2]tier1.Decoder
	out := make([]int32, 64*64)
	for name, decode := range map[string]func() error{
		"one block": func() error { return decoders[0].Decode(&b, out) },
		"two": func() error {
			return errors.Join(tier1.DecodeBoth(tier1.Task{&decoders[0], &b, out}, tier1.Task{&decoders[1], &b, out}))
		},
	} {
		if n := testing.AllocsPerRun(5, func() {
			if err := decode(); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}
