package lzma

import (
	"bytes"
	"errors"
	"testing"
)

// decodeGuarded decodes twice, with guard bytes behind dst. It checks that nothing is written
// there, and that the first call does not affect the second.
func decodeGuarded(t *testing.T, room int, decode func(*Decoder, []byte) (int, error)) {
	const guard = 0xa5
	var decoder Decoder
	memory := bytes.Repeat([]byte{guard}, room+64)
	n, err := decode(&decoder, memory[:room])
	if n < 0 || n > room || errors.Is(err, ErrTooLong) && n != room {
		t.Fatalf("%d bytes in room for %d, %v", n, room, err)
	}
	for i, b := range memory[room:] {
		if b != guard {
			t.Fatalf("wrote %d bytes beyond the end", i+1)
		}
	}
	again := make([]byte, room)
	againN, againErr := decode(&decoder, again)
	if againN != n || (againErr == nil) != (err == nil) || !bytes.Equal(again[:n], memory[:n]) {
		t.Fatalf("first %d, %v; then %d, %v", n, err, againN, againErr)
	}
}

func FuzzDecode(f *testing.F) {
	for _, e := range encoders() {
		for _, data := range samples() {
			data = data[:min(len(data), 1500)]
			f.Add(e.file(data), uint16(len(data)))
			f.Add(e.file(data), uint16(len(data)/2))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, room uint16) {
		decodeGuarded(t, int(room), func(d *Decoder, dst []byte) (int, error) { return d.Decode(dst, src) })
	})
}

// FuzzChunks decodes chunks directly, bypassing all checksums.
func FuzzChunks(f *testing.F) {
	for _, e := range encoders() {
		for _, data := range samples() {
			data = data[:min(len(data), 1500)]
			f.Add(append(e.chunks(data), make([]byte, trailingBytes)...), uint16(len(data)), uint32(1<<20))
			f.Add(e.chunks(data), uint16(len(data)/2), uint32(100))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, room uint16, dictionary uint32) {
		decodeGuarded(t, int(room), func(d *Decoder, dst []byte) (int, error) {
			return d.chunks(dst, 0, &input{src: src}, uint64(dictionary))
		})
	})
}

// FuzzRoundTrip encodes generated data with generated choices.
func FuzzRoundTrip(f *testing.F) {
	for _, data := range samples() {
		f.Add(data[:min(len(data), 1500)], uint8(93), uint8(1), uint64(0), uint16(700))
	}
	f.Fuzz(func(t *testing.T, data []byte, properties, delta uint8, seed uint64, chunk uint16) {
		e := encoder{
			lc: int(properties % 5), pb: int(properties / 9 / 5 % 5), delta: int(delta), check: checkCRC32,
			seed: seed, chunkBytes: int(chunk), blockBytes: int(seed % 3000), statesSizes: seed%2 == 1,
		}
		e.lp = int(properties/9%5) % (maxLiteralBits + 1 - e.lc)
		var decoder Decoder
		dst := make([]byte, len(data))
		if n, err := decoder.Decode(dst, e.file(data)); err != nil || !bytes.Equal(dst[:n], data) {
			t.Fatalf("%d of %d bytes, %v", n, len(data), err)
		}
	})
}
