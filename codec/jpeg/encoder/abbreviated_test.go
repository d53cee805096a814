package encoder

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"tileserver/codec/jpeg/decoder"
)

// planesOf decodes a stream without converting its colors.
func planesOf(t *testing.T, stream []byte, tables *decoder.Tables) [][]uint8 {
	t.Helper()
	var d decoder.Decoder
	frame, err := d.Open(stream, tables)
	if err != nil {
		t.Fatal(err)
	}
	picture := decoder.Picture[uint8]{Width: frame.Width, Height: frame.Height}
	for i := range frame.Components {
		picture.Planes[i] = make([]uint8, frame.Width*frame.Height)
	}
	if err := d.Decode8(&picture); err != nil {
		t.Fatal(err)
	}
	return picture.Planes[:frame.Components]
}

func TestAbbreviatedStreamsShowTheSameWithTheirTables(t *testing.T) {
	for _, format := range []Format{RGB, Gray} {
		for _, options := range []Options{{Quality: 40}, {Quality: 90, Subsampling: Chroma444}, {}} {
			t.Run(fmt.Sprintf("format %d, %+v", format, options), func(t *testing.T) {
				const width, height = 37, 21
				img := packed(format, width, height, photograph(width, height, format.bytesPerPixel(), 3))
				whole := encode(t, img, options)
				var encoder Encoder
				stream, err := encoder.AppendTables(nil, format, options.Quality)
				if err != nil {
					t.Fatal(err)
				}
				tables, err := decoder.ParseTables(stream)
				if err != nil {
					t.Fatal(err)
				}
				options.Abbreviated = true
				abbreviated := encode(t, img, options)
				if len(abbreviated)+len(stream) >= len(whole) {
					t.Errorf("%d bytes and tables of %d, whole %d", len(abbreviated), len(stream), len(whole))
				}
				if !slices.EqualFunc(planesOf(t, abbreviated, tables), planesOf(t, whole, nil), slices.Equal) {
					t.Error("other samples than in the whole stream")
				}
			})
		}
	}
}

func TestTablesOfInvalidOptions(t *testing.T) {
	var encoder Encoder
	if out, err := encoder.AppendTables([]byte("x"), RGB, 101); !errors.Is(err, ErrOptions) || string(out) != "x" {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := encoder.AppendTables(nil, Gray+1, 50); !errors.Is(err, ErrImage) {
		t.Error(err)
	}
}
