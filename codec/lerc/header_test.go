package lerc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"
)

func TestReadHeader(t *testing.T) {
	p := pictures(Uint16)["three circles"]
	e := encoder{version: 5, maxZError: 0.5, blockSize: 8}
	src := e.stream(p)
	valid := 0
	for _, v := range p.valid[:p.width*p.height] {
		if v {
			valid++
		}
	}
	want := Header{
		Version: 5, Type: Uint16, Width: 33, Height: 22, Depth: 2, Bands: 3, MaxZError: 0.5, ValidPixels: valid, Bytes: len(src),
	}
	got, err := ReadHeader(append(src, "something else"...))
	if err != nil || got != want {
		t.Fatalf("got %+v, %v\nwant %+v", got, err, want)
	}
	if got.SampleBytes() != 33*22*2*2*3 || got.MaskBytes() != 33*22*3 {
		t.Errorf("%d and %d bytes", got.SampleBytes(), got.MaskBytes())
	}
}

func TestReadHeaderRejects(t *testing.T) {
	p := pictures(Uint8)["three values"]
	src := encoder{version: 6, maxZError: 0.5, blockSize: 8}.stream(p)
	words := func(values ...uint32) (out []byte) {
		for _, v := range values {
			out = binary.LittleEndian.AppendUint32(out, v)
		}
		return out
	}
	float := func(v float64) []byte { return number(nil, Float64, v) }
	for name, test := range map[string]struct {
		at    int
		bytes []byte
		want  error
	}{
		"another file":              {0, []byte("II*"), ErrCorrupt},
		"version 0":                 {6, words(0), ErrUnsupported},
		"a version of the future":   {6, words(7), ErrUnsupported},
		"a negative version":        {6, words(1<<32 - 1), ErrUnsupported},
		"no rows":                   {14, words(0), ErrCorrupt},
		"negative columns":          {18, words(1 << 31), ErrCorrupt},
		"no values":                 {22, words(0), ErrCorrupt},
		"2 GiB of pixels":           {14, words(1<<16, 1<<16), ErrUnsupported},
		"2 GiB of values":           {14, words(1<<10, 1<<10, 1<<12), ErrUnsupported},
		"sizes that overflow":       {14, words(1<<31-1, 1<<31-1, 1<<31-1), ErrUnsupported},
		"more valid than there are": {26, words(35*18 + 1), ErrCorrupt},
		"negative valid":            {26, words(1 << 31), ErrCorrupt},
		"blocks of nothing":         {30, words(0), ErrCorrupt},
		"large blocks":              {30, words(33), ErrCorrupt},
		"a blob of nothing":         {34, words(0), ErrCorrupt},
		"a blob without a body":     {34, words(60), ErrCorrupt},
		"a blob of 2 GiB":           {34, words(1<<31 - 1), ErrTruncated},
		"another type":              {38, words(8), ErrCorrupt},
		"a band to come":            {42, words(1), ErrTruncated},
		"negative bands":            {42, words(1 << 31), ErrCorrupt},
		"a negative error":          {50, float(-1), ErrCorrupt},
		"an error not a number":     {50, float(math.NaN()), ErrCorrupt},
		"an error between numbers":  {50, float(0.7), ErrCorrupt},
		"an infinite error":         {50, float(math.Inf(1)), ErrCorrupt},
		"an infinite range":         {58, float(math.Inf(-1)), ErrCorrupt},
		"a range not a number":      {66, float(math.NaN()), ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			changed := bytes.Clone(src)
			copy(changed[test.at:], test.bytes)
			if header, err := ReadHeader(changed); !errors.Is(err, test.want) {
				t.Fatalf("got %+v, %v; want %v", header, err, test.want)
			}
		})
	}
}

func TestReadHeaderRejectsOtherBands(t *testing.T) {
	first := pictures(Uint8)["circle"]
	e := encoder{version: 3, maxZError: 0.5, blockSize: 8}
	for _, name := range []string{"ramp", "dots", "wide"} {
		other := e.stream(pictures(Uint8)[name])
		if name == "dots" {
			other = e.stream(pictures(Int16)["circle"])
		}
		if header, err := ReadHeader(append(e.stream(first), other...)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %+v, %v", name, header, err)
		}
	}
}
