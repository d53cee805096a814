package encoder

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

func inflate(t *testing.T, stream []byte) []byte {
	t.Helper()
	reader := bytes.NewReader(stream)
	data, err := io.ReadAll(flate.NewReader(reader))
	if err != nil {
		t.Fatalf("compress/flate rejects the stream: %v", err)
	}
	if reader.Len() != 0 {
		t.Fatalf("%d bytes after the end of the stream", reader.Len())
	}
	return data
}

// materials lists kinds of data with all kinds of code lengths and matches.
var materials = []struct {
	name string
	make func(length int) []byte
}{
	{"zeroes", func(length int) []byte { return make([]byte, length) }},
	{"noise", func(length int) []byte { return noise(length, 256) }},
	{"few kinds", func(length int) []byte { return noise(length, 3) }},
	{"residuals", residuals},
	{"ramp", func(length int) []byte {
		data := make([]byte, length)
		for i := range data {
			data[i] = byte(i)
		}
		return data
	}},
	{"far apart", func(length int) []byte {
		data := noise(length, 256)
		for at := maxDistance; at < length; at += maxDistance + at%2 {
			copy(data[at:], data[:min(1000, length)])
		}
		return data
	}},
	{"skewed", func(length int) []byte { // with Fibonacci counts, which give the longest codes
		data := make([]byte, 0, length)
		for count, before, kind := 1, 1, byte(0); len(data) < length; count, before, kind = count+before, count, kind+1 {
			data = append(data, bytes.Repeat([]byte{kind}, min(count, length-len(data)))...)
		}
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(data), func(i, j int) { data[i], data[j] = data[j], data[i] })
		return data
	}},
}

func noise(length, kinds int) []byte {
	random := rand.New(rand.NewPCG(uint64(length), uint64(kinds)))
	data := make([]byte, length)
	for i := range data {
		data[i] = byte(random.IntN(kinds))
	}
	return data
}

// residuals returns data like those of a filtered photograph: small, of both signs, with some
// emptiness between.
func residuals(length int) []byte {
	random := rand.New(rand.NewPCG(uint64(length), 1))
	data := make([]byte, length)
	for i := range data {
		if i%5000 < 4000 {
			data[i] = byte(int8(random.NormFloat64() * 6))
		}
	}
	return data
}

func TestRoundTrip(t *testing.T) {
	var encoder Encoder
	for _, material := range materials {
		for _, length := range []int{0, 1, 2, 3, 7, 8, 9, 100, 5000, blockBytes - 1, blockBytes, blockBytes + 1, 200_001} {
			for _, effort := range []Effort{Literals, Matches} {
				t.Run(fmt.Sprintf("%s/%d/%d", material.name, length, effort), func(t *testing.T) {
					data := material.make(length)
					stream := encoder.Append([]byte("before"), data, effort, true)
					if string(stream[:6]) != "before" {
						t.Fatal("what was before is lost")
					}
					if got := inflate(t, stream[6:]); !bytes.Equal(got, data) {
						t.Errorf("got %d other bytes, want %d", len(got), len(data))
					}
				})
			}
		}
	}
}

// TestPieces appends streams in several calls, with alternating effort.
func TestPieces(t *testing.T) {
	var encoder Encoder
	for _, material := range materials {
		t.Run(material.name, func(t *testing.T) {
			data := material.make(150_000)
			var stream []byte
			for start, piece := 0, 1; start < len(data); piece = 3*piece + 1 {
				end := min(start+piece, len(data))
				stream = encoder.Append(stream, data[start:end], Effort(piece/3%2), end == len(data))
				start = end
			}
			if got := inflate(t, stream); !bytes.Equal(got, data) {
				t.Errorf("got %d other bytes, want %d", len(got), len(data))
			}
		})
	}
}

func TestSizeAgainstStandardLibrary(t *testing.T) {
	for _, material := range materials {
		t.Run(material.name, func(t *testing.T) {
			data := material.make(200_000)
			for effort, level := range map[Effort]int{Literals: flate.HuffmanOnly, Matches: flate.BestSpeed} {
				var want bytes.Buffer
				writer, err := flate.NewWriter(&want, level)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := writer.Write(data); err != nil {
					t.Fatal(err)
				}
				if err := writer.Close(); err != nil {
					t.Fatal(err)
				}
				var encoder Encoder
				if got := len(encoder.Append(nil, data, effort, true)); got > want.Len()*103/100+200 {
					t.Errorf("effort %d: %d bytes, compress/flate %d", effort, got, want.Len())
				}
			}
		})
	}
}

func TestNoAllocation(t *testing.T) {
	for _, material := range materials {
		data := material.make(200_000)
		for _, effort := range []Effort{Literals, Matches} {
			var encoder Encoder
			out := encoder.Append(nil, data, effort, true)
			if got := testing.AllocsPerRun(5, func() { out = encoder.Append(out[:0], data, effort, true) }); got != 0 {
				t.Errorf("%s, effort %d: %v allocations", material.name, effort, got)
			}
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("a stream, a stream, a stream"), uint8(1), uint16(3), uint8(1))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 1}, uint8(0), uint16(9), uint8(200))
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, uint8(3), uint16(0), uint8(255))
	f.Fuzz(func(t *testing.T, seed []byte, efforts uint8, cut uint16, repeats uint8) {
		data := bytes.Repeat(seed, 1+int(repeats))
		for i := range data { // change some bytes
			if i%(int(cut)+2) == 0 {
				data[i] += byte(i >> 8)
			}
		}
		at := min(int(cut), len(data))
		var encoder Encoder
		stream := encoder.Append(nil, data[:at], Effort(efforts&1), false)
		stream = encoder.Append(stream, data[at:], Effort(efforts>>1&1), true)
		if got := inflate(t, stream); !bytes.Equal(got, data) {
			t.Error("other bytes")
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	for _, effort := range []Effort{Literals, Matches} {
		for _, material := range materials {
			b.Run(fmt.Sprintf("%d/%s", effort, material.name), func(b *testing.B) {
				data := material.make(200_000)
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				var encoder Encoder
				var out []byte
				for b.Loop() {
					out = encoder.Append(out[:0], data, effort, true)
				}
				b.ReportMetric(float64(len(out)), "bytes/stream")
			})
		}
	}
}
