package jp2k

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tileserver/decode/pam"
	"tileserver/raster"
)

// annotate names the bands and applies the band metadata of the PAM file.
func annotate(info *raster.Info, noted *pam.Document) {
	for i := range info.Bands {
		b := &info.Bands[i]
		b.Name = bandName(b, i)
		if noted != nil && noted.Bands[i] != nil {
			applyNotes(b, noted.Bands[i])
		}
	}
	if b := info.Bands[0]; b.HasNoData {
		info.Pad = b.NoData
	}
}

func applyNotes(b *raster.Band, noted *pam.Band) {
	b.Name = cmp.Or(noted.Description, b.Name)
	if value, err := strconv.ParseFloat(strings.TrimSpace(noted.NoData), 64); err == nil && !math.IsInf(value, 0) {
		b.NoData, b.HasNoData = value, true
	}
	if noted.Scale != nil || noted.Offset != nil {
		b.Scale = 1
	}
	if noted.Scale != nil {
		b.Scale = *noted.Scale
	}
	if noted.Offset != nil {
		b.Offset = *noted.Offset
	}
	b.Unit, b.Categories = noted.Unit, slices.Clone(noted.Categories)
}

// bandName returns the default name of a band.
func bandName(b *raster.Band, i int) string {
	if b.Color != raster.Undefined {
		return b.Color.String()
	}
	return fmt.Sprintf("band %d", i+1)
}
