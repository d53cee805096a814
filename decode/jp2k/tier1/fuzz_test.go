package tier1_test

import (
	"fmt"
	"slices"
	"testing"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
)

// FuzzDecode decodes arbitrary bytes in two ways, and in turns with a sound block. All must agree.
func FuzzDecode(f *testing.F) {
	sound := tier1test.Encode(tier1test.Coefficients(40*30, 9, 1), 40, 30, wavelet.HL, 0)
	for style := range tier1.Style(allStyles) {
		if style%5 == 0 {
			b := tier1test.Encode(tier1test.Coefficients(12*9, 60, uint64(style)), 12, 9, wavelet.Orientation(style%4), style)
			f.Add(b.Data, uint16(12), uint16(9), uint8(b.Orientation), uint8(style), uint8(b.BitPlanes), uint8(0))
		}
	}
	f.Add([]byte{0xFF, 0x80, 0xFF, 0x8F, 0xFF, 0x90}, uint16(64), uint16(64), uint8(0), uint8(0), uint8(30), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, width, height uint16, orientation, style, planes, perSegment uint8) {
		b := tier1.Block{
			Width: int(width), Height: int(height), Orientation: wavelet.Orientation(orientation), Style: tier1.Style(style),
			BitPlanes: int(planes), Data: data, Passes: 3*int(planes) - 2,
		}
		b.Segments = segments(&b, int(perSegment))
		room := min(int(width)*int(height), tier1.MaxArea)
		got, want := make([]int32, room), make([]int32, room)
		var fast, plain tier1.Decoder
		err := fast.Decode(&b, got)
		if wantErr := plain.DecodeInGo(&b, want); fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("got error %v, want %v", err, wantErr)
		}
		if sound := b.Sound(); (sound == nil) != (err == nil || tier1.IsWrongSymbol(err)) {
			t.Fatalf("sound: %v, but the decoder says %v", sound, err)
		}
		if !slices.Equal(got, want) || !tier1.SameState(&fast, &plain) {
			t.Fatal("two ways to decode differ")
		}
		var decoders [2]tier1.Decoder
		expectBoth(t, &decoders, [2]*tier1.Block{&b, &sound})
		expectBoth(t, &decoders, [2]*tier1.Block{&sound, &b})
	})
}

// segments splits the data of a block evenly, into segments of the given number of passes; 0 splits
// as the style says.
func segments(b *tier1.Block, passes int) (cut []tier1.Segment) {
	for done := 0; done < b.Passes; {
		n := passes
		switch {
		case n > 0:
		case b.Style&tier1.TerminateAll != 0:
			n = 1
		case b.Style&tier1.Bypass == 0:
			n = b.Passes
		case done == 0:
			n = 10
		default:
			n = 2 - (done-10)%3/2
		}
		n = min(n, b.Passes-done)
		cut = append(cut, tier1.Segment{Passes: n, Length: len(b.Data) * n / b.Passes})
		done += n
	}
	return cut
}

// FuzzRoundTrip encodes arbitrary coefficients, which must come back.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("some coefficients, and some more of them"), uint8(5), uint8(0), uint8(0))
	f.Add(slices.Repeat([]byte{0, 0, 0, 0, 0, 0, 0, 7, 0xFF}, 40), uint8(64), uint8(2), uint8(63))
	f.Fuzz(func(t *testing.T, values []byte, width, orientation, style uint8) {
		w := int(width)%64 + 1
		h := min(len(values)/2/w, 64)
		if h == 0 {
			return
		}
		in := make([]int64, w*h)
		for i := range in {
			in[i] = int64(int8(values[2*i])) << (values[2*i+1] % 20)
		}
		b := tier1test.Encode(in, w, h, wavelet.Orientation(orientation%4), tier1.Style(style%allStyles))
		out := make([]int32, len(in))
		if err := new(tier1.Decoder).Decode(&b, out); err != nil {
			t.Fatal(err)
		}
		for i, v := range in {
			if int64(out[i])/2 != v {
				t.Fatalf("coefficient %d is %d/2, want %d", i, out[i], v)
			}
		}
	})
}
