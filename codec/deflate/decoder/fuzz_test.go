package decoder

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"io"
	"testing"
)

// reference inflates with the standard library. Its error is nil exactly where ours must be nil.
func reference(dst, src []byte) (int, error) {
	r := flate.NewReader(bytes.NewReader(src))
	n, err := io.ReadFull(r, dst)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		// The destination is not full: either the stream or the input ended, and another read
		// distinguishes the two.
		_, err = r.Read(make([]byte, 1))
		if err == io.EOF {
			return n, nil
		}
		return n, err
	}
	if err != nil {
		return n, err
	}
	switch more, err := io.ReadFull(r, make([]byte, 1)); {
	case more > 0:
		return n, ErrTooLong
	case err == io.EOF:
		return n, nil
	default:
		return n, err
	}
}

// FuzzRaw compares with the standard library: the same input must be accepted, with the same bytes.
// On rejected input the standard library may stop a few symbols earlier, because it reads as many
// bits at a time as the end-of-block code has. One of these symbols may be the match that fills the
// destination.
func FuzzRaw(f *testing.F) {
	for _, data := range samples() {
		data = data[:min(len(data), 5000)]
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
			src := deflated(f, data, level)
			f.Add(src, uint16(len(data)))
			f.Add(src[:len(src)/2], uint16(len(data)))
			f.Add(src, uint16(len(data)/2))
		}
	}
	f.Add([]byte{1, 0, 0, 0xFF, 0xFF}, uint16(0))
	// Ends in a match.
	f.Add([]byte("\xec\xd0\xc1\x00\x00\x00\x00\x03\xa1\xf9S\x8f\xe2~\x85\xd00\x00\x00\x00"), uint16(2894))
	f.Fuzz(func(t *testing.T, src []byte, room uint16) {
		want, dst := make([]byte, room), make([]byte, room)
		wantN, wantErr := reference(want, src)
		var decoder Decoder
		n, err := decoder.Raw(dst, src)
		filled := errors.Is(err, ErrTooLong) && errors.Is(wantErr, io.ErrUnexpectedEOF) && n == len(dst)
		if (err == nil) != (wantErr == nil) || !filled && errors.Is(err, ErrTooLong) != errors.Is(wantErr, ErrTooLong) {
			t.Fatalf("got %d, %v; the standard library %d, %v", n, err, wantN, wantErr)
		}
		if n < wantN || err == nil && n != wantN || errors.Is(err, ErrTooLong) && n != len(dst) {
			t.Fatalf("got %d bytes, the standard library %d; %v, %v", n, wantN, err, wantErr)
		}
		if !bytes.Equal(dst[:wantN], want[:wantN]) {
			t.Fatal("other bytes than the standard library")
		}
		if again, againErr := decoder.Raw(want, src); again != n || !bytes.Equal(want[:n], dst[:n]) || (againErr == nil) != (err == nil) {
			t.Fatalf("the second call says %d, %v; the first %d, %v", again, againErr, n, err)
		}
	})
}

// FuzzRoundTrip compresses generated data, to reach deep states of the decoder.
func FuzzRoundTrip(f *testing.F) {
	for _, data := range samples() {
		f.Add(data[:min(len(data), 3000)], uint8(6))
	}
	f.Fuzz(func(t *testing.T, data []byte, level uint8) {
		var packed bytes.Buffer
		w, err := zlib.NewWriterLevel(&packed, int(level%12)-2)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var decoder Decoder
		dst := make([]byte, len(data))
		if n, err := decoder.Zlib(dst, packed.Bytes()); err != nil || !bytes.Equal(dst[:n], data) {
			t.Fatalf("%d of %d bytes, %v", n, len(data), err)
		}
	})
}
