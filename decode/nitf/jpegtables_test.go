package nitf

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"testing"

	"tileserver/decode/nitf/nitftest"
	"tileserver/raster"
)

// A stream without tables has those of the level in COMRAT, and no others.
func TestTablesOfTheLevelInCOMRAT(t *testing.T) {
	picture := image.NewGray(image.Rect(0, 0, 16, 8))
	for i := range picture.Pix {
		picture.Pix[i] = byte(100 + i%16)
	}
	var whole bytes.Buffer
	if err := jpeg.Encode(&whole, picture, nil); err != nil {
		t.Fatal(err)
	}
	bare := withoutTables(whole.Bytes())
	read := func(rate string) []byte {
		m := openImage(t, nitftest.Image{
			Width: 16, Height: 8, Compression: "C3", Rate: rate, Stored: func(int, int, int) []byte { return bare },
		})
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !tiles[0].Damage().IsZero() {
			return nil
		}
		return tiles[0].Plane(0)
	}
	fine, coarse := read("00.5"), read("00.1")
	if fine == nil || coarse == nil || bytes.Equal(fine, coarse) {
		t.Errorf("level 5 has %v, level 1 %v", fine, coarse)
	}
	for _, rate := range []string{"00.0", "01.5", "00.6", "    "} {
		if read(rate) != nil {
			t.Errorf("COMRAT %q has tables", rate)
		}
	}
}

// withoutTables returns a JPEG without its tables.
func withoutTables(stream []byte) []byte {
	const quantizers, huffman, scan = 0xDB, 0xC4, 0xDA
	out, rest := bytes.Clone(stream[:2]), stream[2:]
	for rest[1] != scan {
		size := 2 + int(binary.BigEndian.Uint16(rest[2:]))
		if rest[1] != quantizers && rest[1] != huffman {
			out = append(out, rest[:size]...)
		}
		rest = rest[size:]
	}
	return append(out, rest...)
}
