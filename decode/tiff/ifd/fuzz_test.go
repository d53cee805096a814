package ifd

import (
	"errors"
	"io"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
)

// FuzzParse parses arbitrary data within limits, and uses every value.
func FuzzParse(f *testing.F) {
	f.Add(rawFile(rawDirectory(8, rawEntry{uint16(plainTag), uint16(Short), 1, 1})))
	for i := range 4 {
		img := tifftest.Image{
			Width: 19, Height: 21, Tiled: i%2 == 0, BlockWidth: 16, BlockHeight: 16, NoData: "3",
			Value: func(x, y, _ int) float64 { return float64(x * y % 200) },
			Tags:  tifftest.GeoTIFF(tifftest.Georeference{EPSG: 3857, PixelX: 1, PixelY: 1}),
		}
		below := img
		img.Children = []tifftest.Image{below}
		data, err := tifftest.File{BigTIFF: i%2 == 1, BigEndian: i/2 == 1, COG: i == 3, Images: []tifftest.Image{img, below}}.Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		everything := func(tag Tag) Rule { return Rule{Reading: AtOnce + Reading(tag%2), MaxValues: 1 << 10, Raw: tag%3 == 0} }
		parsed, _, err := parseWith(t, data, func(c *Config) {
			c.Rule, c.Keep, c.All = everything, func(*Directory) bool { return true }, len(data)%2 == 0
			c.Links, c.Depth = []Tag{SubIFDs, SubIFDs + 1}, 3
		})
		if err != nil {
			known := errors.Is(err, ErrCorrupt) || errors.Is(err, ErrLimit) || errors.Is(err, io.ErrUnexpectedEOF)
			if !known && !strings.Contains(err.Error(), "version") {
				t.Fatal(err)
			}
			return
		}
		for _, d := range parsed.Directories {
			for i := range d.Entries {
				e := &d.Entries[i]
				if e.Problem != nil {
					continue
				}
				if bytes := int64(len(e.Value)); bytes > e.Bytes() || bytes%int64(e.Type.Size()) != 0 {
					t.Fatalf("%v has %d values of type %d in %d bytes", e, e.Count, e.Type, bytes)
				}
				e.Uints()
				e.Floats()
				_ = e.Text()
			}
		}
	})
}
