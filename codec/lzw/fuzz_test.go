package lzw

import (
	"bytes"
	"errors"
	"io"
	"testing"

	xlzw "golang.org/x/image/tiff/lzw"
)

// usesLastCode reports whether data contain code 4095, which TIFF encoders never write. libtiff and
// this package accept it, but the reference does not.
func usesLastCode(src []byte) bool {
	codes := codeReader{src: src, highestFirst: true}
	next, width := endCode, uint(minWidth)
	for {
		code, ok := codes.next(width)
		switch {
		case !ok || code == endCode:
			return false
		case code == codeCount-1:
			return true
		case code == clearCode:
			next, width = endCode, minWidth
			continue
		}
		if next++; next+1 >= 1<<width && width < maxWidth {
			width++
		}
	}
}

// FuzzDecode compares with golang.org/x/image/tiff/lzw. The same data must be accepted, with the
// same bytes, except that this package accepts a missing end code when dst is full.
func FuzzDecode(f *testing.F) {
	for _, data := range samples() {
		src := encode(data[:min(len(data), 6000)], false, 4093)
		f.Add(src, uint16(6000))
		f.Add(src, uint16(100))
		f.Add(src[:len(src)/2], uint16(6000))
	}
	f.Fuzz(func(t *testing.T, src []byte, room uint16) {
		if usesLastCode(src) {
			return
		}
		reference := xlzw.NewReader(bytes.NewReader(src), xlzw.MSB, 8)
		want, wantErr := io.ReadAll(io.LimitReader(reference, int64(room)+1))
		dst := make([]byte, room)
		var decoder Decoder
		n, err := decoder.Decode(dst, src)
		if n != min(len(want), int(room)) || !bytes.Equal(dst[:n], want[:n]) {
			t.Fatalf("got %d bytes, %v; the reference %d, %v", n, err, len(want), wantErr)
		}
		if len(want) > int(room) && !errors.Is(err, ErrTooLong) {
			t.Fatalf("got %v; the reference has more than %d bytes", err, room)
		}
		if n < int(room) && (err == nil) != (wantErr == nil) {
			t.Fatalf("got %v, the reference %v", err, wantErr)
		}
		again := make([]byte, room)
		if againN, _ := decoder.Decode(again, src); againN != n || !bytes.Equal(again, dst) {
			t.Fatal("the second call gives other bytes")
		}
	})
}

// FuzzRoundTrip also covers the old variant.
func FuzzRoundTrip(f *testing.F) {
	for _, data := range samples() {
		f.Add(data[:min(len(data), 9000)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var decoder Decoder
		dst := make([]byte, len(data))
		if n, err := decoder.Decode(dst, encode(data, false, 4094)); err != nil || !bytes.Equal(dst[:n], data) {
			t.Fatalf("%d of %d bytes, %v", n, len(data), err)
		}
		if n, err := decoder.DecodeOld(dst, encode(data, true, 4093)); err != nil || !bytes.Equal(dst[:n], data) {
			t.Fatalf("old: %d of %d bytes, %v", n, len(data), err)
		}
	})
}
