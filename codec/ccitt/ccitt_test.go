package ccitt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"testing"

	xccitt "golang.org/x/image/ccitt"
)

// codings returns all codings of an image that Decode must support.
func codings(b bitmap) []struct {
	name   string
	src    []byte
	params Params
} {
	group3 := Params{Scheme: Group3, Width: b.width, Rows: len(b.rows)}
	twoDimensional := group3
	twoDimensional.TwoDimensional = true
	group4 := Params{Scheme: Group4, Width: b.width, Rows: len(b.rows)}
	return []struct {
		name   string
		src    []byte
		params Params
	}{
		{"RLE", encodeRuns(b, 8), Params{Scheme: RLE, Width: b.width, Rows: len(b.rows)}},
		{"RLEW", encodeRuns(b, 16), Params{Scheme: RLEW, Width: b.width, Rows: len(b.rows)}},
		{"Group 3", encodeGroup3(b, group3Style{}), group3},
		{"Group 3 with its end", encodeGroup3(b, group3Style{endOfPage: true}), group3},
		{"Group 3, aligned ends", encodeGroup3(b, group3Style{alignedEnds: true}), group3},
		{"Group 3 without ends", encodeGroup3(b, group3Style{noEnds: true}), group3},
		{"Group 3, two-dimensional", encodeGroup3(b, group3Style{twoDimensional: 4, endOfPage: true}), twoDimensional},
		{"Group 3, two-dimensional, aligned", encodeGroup3(b, group3Style{twoDimensional: 2, alignedEnds: true}), twoDimensional},
		{"Group 4", encodeGroup4(b, true), group4},
		{"Group 4 without its end", encodeGroup4(b, false), group4},
	}
}

func TestDecode(t *testing.T) {
	var decoder Decoder
	for _, width := range []int{1, 2, 7, 8, 9, 31, 63, 64, 65, 127, 128, 600, 1728, 2560, 2623, 2624, 5183, 9001} {
		for name, image := range samples(width, 13) {
			want := image.packed()
			for _, coding := range codings(image) {
				dst := bytes.Repeat([]byte{0xA5}, len(want))
				rows, err := decoder.Decode(dst, coding.src, coding.params)
				if rows != 13 || err != nil || !bytes.Equal(dst, want) {
					t.Errorf("%s of %d pixels, %s: %d rows, %v", name, width, coding.name, rows, err)
				}
			}
		}
	}
}

// TestEncodersAgreeWithReference checks that another decoder reads what the encoders of this
// package's tests write.
func TestEncodersAgreeWithReference(t *testing.T) {
	for _, width := range []int{1, 9, 1728, 5183} {
		for name, image := range samples(width, 6) {
			want := image.packed()
			for _, test := range []struct {
				scheme xccitt.SubFormat
				src    []byte
			}{
				{xccitt.Group3, encodeGroup3(image, group3Style{endOfPage: true})},
				{xccitt.Group4, encodeGroup4(image, true)},
			} {
				options := &xccitt.Options{Invert: true}
				got, err := io.ReadAll(xccitt.NewReader(bytes.NewReader(test.src), xccitt.MSB, test.scheme, width, 6, options))
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s of %d pixels, sub-format %d: %v", name, width, test.scheme, err)
				}
			}
		}
	}
}

// pack encodes codes that are written as zeros and ones.
func pack(codes ...string) []byte {
	var w bitWriter
	w.add(codes...)
	return w.out
}

func TestDecodeOddities(t *testing.T) {
	const (
		end  = endOfLineCode
		page = end + end + end + end + end + end
		// 8 pixels: one run fills a row, so a second belongs to the next row
		white = "10011" + "10011"
		row   = "1000" + "11" // 3 white, 2 black
	)
	for _, test := range []struct {
		name   string
		params Params
		src    []byte
		want   string
		err    error
	}{
		{"no rows", Params{Scheme: Group4, Width: 8}, nil, "", nil},
		{"no rows, but wide ones", Params{Scheme: Group4, Width: maxWidth}, nil, "", nil},
		{"Group 4, rows end above", Params{Scheme: Group4, Width: 8, Rows: 2}, pack("001", row, "1", "1", "1", "1"), "\x18\x18", nil},
		{"Group 4, more data than rows", Params{Scheme: Group4, Width: 8, Rows: 1}, pack("1", "1", "1"), "\x00", nil},
		{"Group 4, page ends early", Params{Scheme: Group4, Width: 8, Rows: 3}, pack("1", "1", end, end), "\x00\x00", ErrTruncated},
		{"Group 4, data end early", Params{Scheme: Group4, Width: 8, Rows: 9}, pack("11111111"), "\x00\x00\x00\x00\x00\x00\x00\x00", ErrTruncated},
		{"Group 4, no data", Params{Scheme: Group4, Width: 8, Rows: 1}, nil, "", ErrTruncated},
		{"Group 4, run cut off", Params{Scheme: Group4, Width: 900, Rows: 1}, pack("001", "01101"), "", ErrTruncated},
		{"Group 4, run too long", Params{Scheme: Group4, Width: 8, Rows: 1}, pack("001", "10100", "0000110111", "1"), "", ErrCorrupt},
		{"Group 4, endless run", Params{Scheme: Group4, Width: 8, Rows: 1}, pack("001", "000000011111", "000000011111", "000000011111"), "", ErrCorrupt},
		{"Group 4, change before the row", Params{Scheme: Group4, Width: 8, Rows: 2}, pack("001", "00110101", "11", "1", "010"), "\xC0", ErrCorrupt},
		{"Group 4, change behind the row", Params{Scheme: Group4, Width: 8, Rows: 1}, pack("011"), "", ErrCorrupt},
		{"Group 4, change to the left of the last", Params{Scheme: Group4, Width: 8, Rows: 2}, pack("001", row, "1", "001", "1011", "10", "000010", "1"), "\x18", ErrCorrupt},
		{"Group 4, pass to the end of the row", Params{Scheme: Group4, Width: 8, Rows: 2}, pack("0001", "1"), "\x00\x00", nil},
		{"Group 4, uncompressed mode", Params{Scheme: Group4, Width: 8, Rows: 1}, pack("0000001111", "1"), "", ErrUnsupported},
		{"Group 4, no mode", Params{Scheme: Group4, Width: 8, Rows: 1}, pack("00000001"), "", ErrCorrupt},
		// As written by ImageGear: the empty run is a change, and the next row passes over it.
		{"Group 4, empty runs count", Params{Scheme: Group4, Width: 8, Rows: 2},
			pack("001", "00110101", "0000110111", "001", row, "1", "0001", "011", "1", "1"), "\x18\x08", nil},
		{"Group 4, endless empty runs", Params{Scheme: Group4, Width: 8, Rows: 1},
			bytes.Repeat(pack("001", "00110101", "0000110111", "001"), 100), "", ErrCorrupt},

		{"Group 3, first end missing", Params{Scheme: Group3, Width: 8, Rows: 2}, pack(white[:5], end, white[:5]), "\x00\x00", nil},
		{"Group 3, end missing within", Params{Scheme: Group3, Width: 8, Rows: 2}, pack(end, white), "\x00\x00", nil},
		{"Group 3, ends before the first row", Params{Scheme: Group3, Width: 8, Rows: 1}, pack(end, end, white), "\x00", nil},
		{"Group 3, page ends early", Params{Scheme: Group3, Width: 8, Rows: 2}, pack(end, white[:5], page), "\x00", ErrTruncated},
		{"Group 3, a page of nothing", Params{Scheme: Group3, Width: 8, Rows: 1}, pack(page), "", ErrTruncated},
		{"Group 3, empty line", Params{Scheme: Group3, Width: 8, Rows: 3}, pack(end, white[:5], end, end, white[:5]), "\x00", ErrTruncated},
		{"Group 3, line too short", Params{Scheme: Group3, Width: 8, Rows: 2}, pack(end, row, end, white), "", ErrCorrupt},
		{"Group 3, line too long", Params{Scheme: Group3, Width: 8, Rows: 1}, pack(end, row, "10100"), "", ErrCorrupt},
		{"Group 3, long fill", Params{Scheme: Group3, Width: 8, Rows: 1}, append(make([]byte, 999), pack(end, white)...), "\x00", nil},
		{"Group 3, nothing but fill", Params{Scheme: Group3, Width: 8, Rows: 1}, make([]byte, 999), "", ErrCorrupt},
		{"Group 3, two-dimensional, no end", Params{Scheme: Group3, Width: 8, Rows: 2, TwoDimensional: true},
			pack(end, "1", white), "\x00", ErrCorrupt},
		{"Group 3, two-dimensional, page ends early", Params{Scheme: Group3, Width: 8, Rows: 3, TwoDimensional: true},
			pack(end, "1", white[:5], end, "0", "1", end, "1", end, "1", end, "1", end, "1"), "\x00\x00", ErrTruncated},
		{"RLE, row cut off", Params{Scheme: RLE, Width: 8, Rows: 2}, pack(white[:5]), "\x00", ErrTruncated},
		{"RLE, endless empty runs", Params{Scheme: RLE, Width: 8, Rows: 1}, bytes.Repeat(pack("00110101", "0000110111", "000000"), 100), "", ErrCorrupt},

		{"no width", Params{Scheme: RLE, Rows: 1}, nil, "", ErrSize},
		{"negative width", Params{Scheme: RLE, Width: -9, Rows: 1}, nil, "", ErrSize},
		{"negative rows", Params{Scheme: RLE, Width: 8, Rows: -1}, nil, "", ErrSize},
		{"too many rows", Params{Scheme: RLE, Width: 8, Rows: math.MaxInt}, nil, "", ErrSize},
		{"too wide", Params{Scheme: RLE, Width: math.MaxInt, Rows: 0}, nil, "", ErrSize},
		{"unknown scheme", Params{Scheme: 9, Width: 8, Rows: 1}, nil, "", ErrUnsupported},
	} {
		t.Run(test.name, func(t *testing.T) {
			var decoder Decoder
			dst := make([]byte, 200)
			rows, err := decoder.Decode(dst, test.src, test.params)
			if string(dst[:rows]) != test.want || !errors.Is(err, test.err) {
				t.Errorf("got %q, %v; want %q, %v", dst[:rows], err, test.want, test.err)
			}
		})
	}
}

func TestDecodeAlignedRowsWithoutEndOfLine(t *testing.T) {
	image := samples(1700, 32)["ragged edges"]
	for _, style := range []group3Style{{noEnds: true}, {noEnds: true, alignedRows: true}} {
		want := image.packed()
		dst := make([]byte, len(want))
		var decoder Decoder
		rows, err := decoder.Decode(dst, encodeGroup3(image, style), Params{Scheme: Group3, Width: 1700, Rows: 32})
		if rows != 32 || err != nil || !bytes.Equal(dst, want) {
			t.Errorf("rows at bytes %v: %d rows, %v", style.alignedRows, rows, err)
		}
	}
}

func TestDecodeCountsWholeRows(t *testing.T) {
	image := page(300, 50)
	want := image.packed()
	for _, coding := range codings(image) {
		for size := range len(coding.src) {
			dst := make([]byte, len(want))
			var decoder Decoder
			rows, err := decoder.Decode(dst, coding.src[:size], coding.params)
			if whole := rows * coding.params.RowBytes(); !bytes.Equal(dst[:whole], want[:whole]) {
				t.Fatalf("%s, %d bytes of %d: %d rows are not those that were coded", coding.name, size, len(coding.src), rows)
			}
			if rows < 50 && err == nil {
				t.Fatalf("%s, %d bytes of %d: %d rows and no error", coding.name, size, len(coding.src), rows)
			}
		}
	}
}

func TestDecodeReusesMemory(t *testing.T) {
	image := page(1728, 20)
	var decoder Decoder
	for _, coding := range codings(image) {
		dst := make([]byte, len(image.packed()))
		allocations := testing.AllocsPerRun(5, func() {
			if _, err := decoder.Decode(dst, coding.src, coding.params); err != nil {
				t.Fatal(err)
			}
		})
		if allocations != 0 {
			t.Errorf("%s: %v allocations", coding.name, allocations)
		}
	}
}

// TestWideRowsOfFewChanges bounds the memory, since a few bits may describe a very wide row.
func TestWideRowsOfFewChanges(t *testing.T) {
	const width = 64 << 20
	src := []byte{0x80} // equal to the row above, which is white
	dst := bytes.Repeat([]byte{0xA5}, width/8)
	var decoder Decoder
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rows, err := decoder.Decode(dst, src, Params{Scheme: Group4, Width: width, Rows: 1})
	runtime.ReadMemStats(&after)
	if rows != 1 || err != nil || len(bytes.Trim(dst, "\x00")) > 0 {
		t.Errorf("%d rows that may not be white, %v", rows, err)
	}
	most := uint64(WorkBytes(width, int64(len(src)))) + 64<<10
	if grown := after.TotalAlloc - before.TotalAlloc; grown > most || most > width/4 {
		t.Errorf("%d bytes were allocated, want at most %d", grown, most)
	}
	if decoder.ink != nil {
		t.Error("the memory of a wide row is kept")
	}
}

func TestDecoderOfManyWidths(t *testing.T) {
	var decoder Decoder
	for _, width := range []int{5000, 3, 70, 1, 6000, 64} {
		image := samples(width, 9)["noise"]
		want := image.packed()
		for _, coding := range codings(image) {
			dst := make([]byte, len(want))
			if rows, err := decoder.Decode(dst, coding.src, coding.params); err != nil || !bytes.Equal(dst, want) {
				t.Errorf("%d pixels, %s: %d rows, %v", width, coding.name, rows, err)
			}
			// An error within a row must not affect the next call.
			if _, err := decoder.Decode(dst, coding.src[:len(coding.src)/2], coding.params); width > 9 && err == nil {
				t.Errorf("%d pixels, %s: no error from half of it", width, coding.name)
			}
		}
	}
}

func ExampleDecoder_Decode() {
	// The rows ..##.... and ..#..... by Group 4: three codes for the first, two for the second.
	src := []byte{0b001_0111_1, 0b1_1_1_010_1_0, 0}
	params := Params{Scheme: Group4, Width: 8, Rows: 2}
	dst := make([]byte, params.Rows*params.RowBytes())
	var decoder Decoder
	rows, err := decoder.Decode(dst, src, params)
	fmt.Printf("%d %v %08b\n", rows, err, dst)
	// Output: 2 <nil> [00110000 00100000]
}
