package lerc

import (
	"bytes"
	"testing"
)

// decodeGuarded decodes twice, with guard bytes behind both destinations. It checks that nothing is
// written there, and that the first call does not affect the second.
func decodeGuarded(t *testing.T, decoder *Decoder, src []byte) {
	const (
		maxBytes   = 1 << 20
		guardBytes = 64
	)
	header, err := ReadHeader(src)
	if err != nil {
		return
	}
	if header.Bytes > len(src) || header.Bands < 1 || header.Type >= typeCount {
		t.Fatalf("impossible header %+v of %d bytes", header, len(src))
	}
	if header.SampleBytes() > maxBytes || header.MaskBytes() > maxBytes {
		return
	}
	var samples, masks [2][]byte
	var errs [2]error
	for i := range samples {
		allSamples, allMask := memory(header.SampleBytes()+guardBytes), memory(header.MaskBytes()+guardBytes)
		samples[i], masks[i] = allSamples[:header.SampleBytes()], allMask[:header.MaskBytes()]
		errs[i] = decoder.Decode(samples[i], masks[i], src)
		for _, guard := range [][]byte{allSamples[len(samples[i]):], allMask[len(masks[i]):]} {
			for at, b := range guard {
				if b != 0xa5 {
					t.Fatalf("wrote %d bytes beyond the end", at+1)
				}
			}
		}
	}
	if (errs[0] == nil) != (errs[1] == nil) {
		t.Fatalf("first %v, then %v", errs[0], errs[1])
	}
	if errs[0] != nil {
		return
	}
	if !bytes.Equal(samples[0], samples[1]) || !bytes.Equal(masks[0], masks[1]) {
		t.Fatal("two results")
	}
	for i, m := range masks[0] {
		if m != 0 && (m != valid || header.AllValid) && m != valid || m == 0 && header.AllValid {
			t.Fatalf("pixel %d has mask %d; all valid: %v", i, m, header.AllValid)
		}
	}
}

func seeds(f *testing.F, add func(src []byte)) {
	for _, kind := range allTypes {
		for name, p := range pictures(kind) {
			if name == "large" || name == "wide" {
				continue
			}
			for _, e := range encoders(kind) {
				if e.version >= 4 || p.depth == 1 {
					add(e.stream(p))
				}
			}
			if p, fits := oldPicture(p); fits && kind == Float32 {
				for _, e := range oldEncoders(p) {
					add(e.stream(p))
				}
			}
		}
	}
}

// FuzzDecode fixes the size and checksum of blobs, so that damage behind the header is reached.
func FuzzDecode(f *testing.F) {
	seeds(f, func(src []byte) { f.Add(src, true) })
	f.Fuzz(func(t *testing.T, src []byte, seal bool) {
		if seal && len(src) > 50 && bytes.HasPrefix(src, []byte(blobMagic)) {
			src = sealed(bytes.Clone(src))
		}
		var decoder Decoder
		decodeGuarded(t, &decoder, src)
	})
}

// FuzzRoundTrip encodes pictures with samples from the fuzzer, which must be reproduced.
func FuzzRoundTrip(f *testing.F) {
	for kind := range typeCount {
		for version := range uint8(newestVersion) {
			f.Add([]byte("some samples of a picture, and some more"), uint8(kind), version, uint8(6), uint8(7), uint64(version)*3)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, kind, version, width, blockSize uint8, seed uint64) {
		p := picture{kind: Type(kind % uint8(typeCount)), width: int(width%70) + 1, depth: 1, bands: 1}
		p.height = len(data) / p.width
		if p.height == 0 {
			return
		}
		random := seed
		for _, b := range data[:p.width*p.height] {
			random = random*6364136223846793005 + 1442695040888963407
			p.valid = append(p.valid, seed%2 == 0 || random>>60 != 0)
			p.samples = append(p.samples, float64(b&127))
		}
		choices := encoders(p.kind)
		e := encoder{version: int(version%newestVersion) + 1, maxZError: 0.5, blockSize: int(blockSize%maxBlockSide) + 1, seed: seed}
		if e.version >= 4 && p.kind <= Uint8 {
			e = choices["version 4, delta Huffman"]
		}
		e.seed = seed
		var decoder Decoder
		want, wantMask := expected(p)
		samples, mask := memory(len(want)), memory(len(wantMask))
		if err := decoder.Decode(samples, mask, e.stream(p)); err != nil || !bytes.Equal(samples, want) || !bytes.Equal(mask, wantMask) {
			t.Fatalf("%+v: %v", e, err)
		}
	})
}
