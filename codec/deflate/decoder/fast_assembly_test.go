//go:build (amd64 || arm64) && !purego

package decoder

import (
	"bytes"
	"compress/flate"
	"fmt"
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

// compareTwins decodes in assembly and in Go. The results must agree, except for the bytes behind
// the last one written, and nothing may be written behind the room.
func compareTwins(t *testing.T, src []byte, room int) {
	t.Helper()
	processor.Require(t, hasFastInstructions(), "BMI1, BMI2 and SSSE3, or NEON")
	var decoder Decoder
	dst, want := bytes.Repeat([]byte{'-'}, room+fastDestinationBytes), make([]byte, room)
	n, err := decoder.Raw(dst[:room], src)
	if behind := dst[room:]; len(bytes.Trim(behind, "-")) > 0 {
		t.Fatalf("written behind %d bytes: %q", room, behind)
	}
	restore := cpu.Use(cpu.Features{})
	defer restore()
	wantN, wantErr := decoder.Raw(want, src)
	if n != wantN || fmt.Sprint(err) != fmt.Sprint(wantErr) || !bytes.Equal(dst[:n], want[:n]) {
		t.Fatalf("in assembly %d bytes, %v; in Go %d, %v", n, err, wantN, wantErr)
	}
}

// periods returns data that repeats with every period for which there are patterns, and with
// lengths around whole chunks.
func periods() []byte {
	var data []byte
	for period := 1; period < 40; period++ {
		for length := 3; length < 60; length += 5 {
			start := len(data)
			data = append(data, noise(period + period%7)[:period]...)
			for range length {
				data = append(data, data[start+(len(data)-start)%period])
			}
			data = append(data, byte(period), byte(length))
		}
	}
	return data
}

func TestAssemblyIsAsGo(t *testing.T) {
	all := samples()
	all["periods"] = periods()
	for name, data := range all {
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
			src := deflated(t, data, level)
			compareTwins(t, src, len(data))
			compareTwins(t, src, len(data)+1000)
			compareTwins(t, src, len(data)/2)
			compareTwins(t, src[:len(src)*2/3], len(data))
			for i := 0; i < len(src); i += 1 + len(src)/12 {
				damaged := bytes.Clone(src)
				damaged[i] ^= 1 << (i % 8)
				compareTwins(t, damaged, len(data)+500)
			}
			if t.Failed() {
				t.Fatalf("%s, level %d", name, level)
			}
		}
	}
}

// chunks returns a stream of matches of 16 and of 258 bytes, and the number of its bytes.
func chunks() (src []byte, count int) {
	var w bitWriter
	match := func(lengthCode, width, extra, extraWidth int) {
		w.code(lengthCode, width)
		w.bits(extra, extraWidth)
		w.code(7, 5) // distance 16
		w.bits(3, 2)
	}
	w.bits(1|1<<1, 3)
	for i := range 16 {
		w.code(0x30+i, 8)
	}
	count = 16
	for i := range 20 {
		match(267-256, 7, 1, 1)
		match(0xC0+285-280, 8, 0, 0)
		count += 16 + 258
		if i%3 == 0 {
			w.code(0x30+i, 8)
			count++
		}
	}
	w.code(0, 7)
	return w.bytes, count
}

func TestAssemblyEndsAsGo(t *testing.T) {
	compare := func(src []byte, count int) {
		for room := range count {
			compareTwins(t, src, room)
		}
		for end := range src {
			compareTwins(t, src[:end], count+fastDestinationBytes)
		}
	}
	compare(chunks())
	compare(deflated(t, differences(400), flate.BestCompression), 800)
	compare(deflated(t, periods()[:800], flate.BestCompression), 800)
}

func FuzzAssemblyIsAsGo(f *testing.F) {
	for _, data := range samples() {
		f.Add(deflated(f, data[:min(len(data), 5000)], flate.DefaultCompression), uint16(5000))
	}
	f.Add(deflated(f, periods(), flate.BestCompression), uint16(60000))
	f.Fuzz(func(t *testing.T, src []byte, room uint16) { compareTwins(t, src, int(room)) })
}
