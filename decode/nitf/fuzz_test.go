package nitf

import (
	"context"
	"testing"
	"time"

	"tileserver/decode/nitf/nitftest"
)

// FuzzOpen reads damaged files: all headers and facts, and some blocks.
func FuzzOpen(f *testing.F) {
	smooth := func(x, y, _ int) float64 { return float64(60 + x/2 + y/3) }
	missing := func(column, row, _ int) bool { return column == 1 && row == 1 }
	blocked := nitftest.Image{Width: 20, Height: 12, BlockWidth: 8, BlockHeight: 4, Value: smooth}
	for _, compression := range []string{"NC", "NM", "C3", "M3", "C4", "M4", "C5"} {
		for _, version := range []nitftest.Version{nitftest.NITF21, nitftest.NITF20} {
			m := blocked
			if m.Compression = compression; compression[0] == 'M' || compression == "NM" {
				m.Missing = missing
			}
			m.TREs = []nitftest.TRE{{Tag: "BLOCKA", Data: make([]byte, 123)}, nitftest.RPC{}.TRE()}
			f.Add(nitftest.File{Version: version, Images: []nitftest.Image{m}}.Bytes())
		}
	}
	f.Add(nitftest.File{Images: []nitftest.Image{{Compression: "I1"}, {Bits: 12, Mode: "P", Bands: make([]nitftest.Band, 2)}}}.Bytes())
	for _, compression := range []string{"C8", "M8", "MD"} {
		m := nitftest.Image{Width: 70, Height: 50, BlockWidth: 30, BlockHeight: 20, Compression: compression, Data: tiledCodestream()}
		if compression != "C8" {
			m.Missing = missing
		}
		f.Add(nitftest.File{Images: []nitftest.Image{m}}.Bytes())
	}
	half := nitftest.Image{Width: 6, Height: 5, Mode: "S", Bands: make([]nitftest.Band, 2), ValueType: "R", Bits: 32}
	other := half
	other.Column, other.AttachmentLevel, other.DisplayLevel = 6, 1, 2
	f.Add(nitftest.File{Version: nitftest.NSIF10, Images: []nitftest.Image{half, other}}.Bytes()) // one picture
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_ = readAll(ctx, data)
		if ctx.Err() != nil {
			t.Fatal("it takes too long")
		}
	})
}
