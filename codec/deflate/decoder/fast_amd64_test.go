//go:build !purego

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
// the last one written.
func compareTwins(t *testing.T, src []byte, room int) {
	t.Helper()
	processor.Require(t, hasFastInstructions(), "BMI1, BMI2 or SSSE3")
	var decoder Decoder
	dst, want := make([]byte, room), make([]byte, room)
	n, err := decoder.Raw(dst, src)
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

func FuzzAssemblyIsAsGo(f *testing.F) {
	for _, data := range samples() {
		f.Add(deflated(f, data[:min(len(data), 5000)], flate.DefaultCompression), uint16(5000))
	}
	f.Add(deflated(f, periods(), flate.BestCompression), uint16(60000))
	f.Fuzz(func(t *testing.T, src []byte, room uint16) { compareTwins(t, src, int(room)) })
}
