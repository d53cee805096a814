package encoder

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	xlzw "golang.org/x/image/tiff/lzw"
	"tileserver/codec/lzw"
)

func samples() map[string][]byte {
	random := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 20_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	waves := make([]byte, 50_001)
	for i := range waves {
		waves[i] = byte(100*math.Sin(float64(i)/9) + random.NormFloat64())
	}
	return map[string][]byte{
		"empty":    {},
		"one byte": {200},
		"zeros":    make([]byte, 300_000),
		"RGB":      bytes.Repeat([]byte{1, 2, 3}, 20_000),
		"text":     bytes.Repeat([]byte("a rose is a rose is a rose. "), 700),
		"noise":    noise,
		"waves":    waves,
	}
}

// check decodes with the decoder of this module and with another one.
func check(t *testing.T, compressed, data []byte) {
	t.Helper()
	got := make([]byte, len(data))
	var decoder lzw.Decoder
	if n, err := decoder.Decode(got, compressed); err != nil || !bytes.Equal(got[:n], data) {
		t.Fatalf("%d of %d bytes, %v", n, len(data), err)
	}
	got, err := io.ReadAll(xlzw.NewReader(bytes.NewReader(compressed), xlzw.MSB, 8))
	if err != nil || !bytes.Equal(got, data) {
		t.Fatalf("the reference reads %d of %d bytes, %v", len(got), len(data), err)
	}
}

func TestDataAreDecodedAsTheyWere(t *testing.T) {
	var encoder Encoder
	for name, data := range samples() {
		t.Run(name, func(t *testing.T) {
			check(t, encoder.Append(nil, data), data)
			for n := range min(len(data), 1200) { // codes of every number end at every bit
				check(t, encoder.Append(nil, data[:n]), data[:n])
			}
		})
	}
}

func TestBytesAreTheSameWhateverWasCompressedBefore(t *testing.T) {
	var used Encoder
	for name, data := range samples() {
		var fresh Encoder
		if !bytes.Equal(used.Append(nil, data), fresh.Append(nil, data)) {
			t.Errorf("%s: other bytes from an encoder that was used", name)
		}
	}
}

func TestAnEncoderOfGreatAgeStartsOver(t *testing.T) {
	data := samples()["text"]
	var fresh, old Encoder
	want := fresh.Append(nil, data)
	old.Append(nil, data)
	old.strings.age = math.MaxUint32
	for i := range old.strings.entries {
		old.strings.entries[i] = entry(1) << (codeBits + keyBits) // of the age that comes next
	}
	if got := old.Append(nil, data); !bytes.Equal(got, want) {
		t.Error("strings of an earlier age were found")
	}
}

func TestRepetitionsBecomeShort(t *testing.T) {
	var encoder Encoder
	if n := len(encoder.Append(nil, make([]byte, 300_000))); n > 2000 {
		t.Errorf("300,000 zeros take %d bytes", n)
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	var encoder Encoder
	out := encoder.Append([]byte("before"), []byte("data"))
	if before, compressed := out[:6], out[6:]; string(before) != "before" {
		t.Errorf("%q", before)
	} else {
		check(t, compressed, []byte("data"))
	}
}

func FuzzRoundTrip(f *testing.F) {
	for _, data := range samples() {
		f.Add(data[:min(len(data), 9000)])
	}
	var encoder Encoder
	f.Fuzz(func(t *testing.T, data []byte) { check(t, encoder.Append(nil, data), data) })
}

func BenchmarkEncode(b *testing.B) {
	data := samples()["waves"]
	var encoder Encoder
	var out []byte
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		out = encoder.Append(out[:0], data)
	}
}
