// Package gdal says what GDAL's metadata adds to the bands of a TIFF: names, units, nodata values,
// palettes, statistics and wavelengths, from a tag and from the side file NAME.aux.xml. Package
// decode/tiff calls it when it opens an image. The package must never know where bands are stored.
package gdal

import (
	"cmp"
	"fmt"

	"tileserver/decode/pam"
	"tileserver/decode/tiff/ifd"
	"tileserver/raster"
)

// Annotations are the facts about an image that come from GDAL's metadata.
type Annotations struct {
	Tagged *pam.Document // from the tag GDAL_METADATA, or nil
	Beside *pam.Document // from the side file NAME.aux.xml, or nil
}

// ParseTag parses the text of the tag GDAL_METADATA, unless it exceeds what is left of a budget.
func (a *Annotations) ParseTag(text string, bands int, left *ifd.Budget) (err error) {
	if text == "" {
		return nil
	}
	if err := left.Reserve(int64(len(text))); err != nil {
		return err
	}
	a.Tagged, err = pam.ParseTag([]byte(text), pam.DefaultLimits(bands))
	return err
}

// band returns the annotations of a band, from the file and from the side file.
func (a *Annotations) band(i int) (tagged, beside pam.Band) {
	if a.Tagged != nil && a.Tagged.Bands[i] != nil {
		tagged = *a.Tagged.Bands[i]
	}
	if a.Beside != nil && a.Beside.Bands[i] != nil {
		beside = *a.Beside.Bands[i]
	}
	return tagged, beside
}

// Metadata holds the GDAL metadata of an image.
type Metadata struct {
	Domains pam.Metadata         // of the image
	Bands   map[int]pam.Metadata // of its bands that have any, from 0
}

// Metadata merges the metadata of the file and of its side file. The side file takes precedence.
func (a *Annotations) Metadata() Metadata {
	var all Metadata
	for _, d := range []*pam.Document{a.Tagged, a.Beside} {
		if d == nil {
			continue
		}
		all.Domains.Merge(d.Metadata)
		for i, band := range d.Bands {
			if len(band.Metadata) > 0 {
				all.mergeBand(i, band.Metadata)
			}
		}
	}
	return all
}

func (m *Metadata) mergeBand(i int, metadata pam.Metadata) {
	if m.Bands == nil {
		m.Bands = make(map[int]pam.Metadata)
	}
	merged := m.Bands[i]
	merged.Merge(metadata)
	m.Bands[i] = merged
}

// Annotate adds the annotations to what TIFF's own tags say of the bands. The order of precedence
// is GDAL's: for nodata and colors the side file comes first, for everything else the file itself.
func (a *Annotations) Annotate(info *raster.Info) {
	for i := range info.Bands {
		tagged, beside := a.band(i)
		b := &info.Bands[i]
		a.setValues(b, tagged, beside)
		if value, ok := parseNoData(beside.NoData); ok {
			b.NoData, b.HasNoData = value, true
		}
		if len(info.Bands) == 1 && (b.Color == raster.PaletteIndex || beside.Color == "Palette") {
			setPalette(info, beside.Palette)
		}
		b.Color = colorFromName(tagged.Color, b.Color, info)
		b.Color = colorFromName(beside.Color, b.Color, info)
		described := cmp.Or(tagged.Description, beside.Description)
		b.Name = cmp.Or(described, defaultBandName(b, i))
		b.Categories = categoryNames(beside.Categories)
		b.Stored = storedStatistics(tagged.Metadata, beside.Metadata)
		b.Wavelength = wavelength(described, tagged.Metadata, beside.Metadata)
	}
}

// setValues sets the scale, offset and unit of a band's samples.
func (a *Annotations) setValues(b *raster.Band, tagged, beside pam.Band) {
	from := tagged
	if from.Scale == nil && from.Offset == nil {
		from = beside
	}
	if from.Scale != nil || from.Offset != nil {
		b.Scale = 1
	}
	if from.Scale != nil {
		b.Scale = *from.Scale
	}
	if from.Offset != nil {
		b.Offset = *from.Offset
	}
	if b.Unit = tagged.Unit; b.Unit == "" {
		b.Unit = beside.Unit
	}
}

// defaultBandName returns the name of a band that the file does not name.
func defaultBandName(b *raster.Band, i int) string {
	if b.Color != raster.Undefined {
		return b.Color.String()
	}
	return fmt.Sprintf("band %d", i+1)
}

// colorFromName returns the color that GDAL's name stands for, or otherwise if the name is empty.
// Names do not change the samples of color models other than RGB.
func colorFromName(name string, otherwise raster.Color, info *raster.Info) raster.Color {
	if name == "" || info.Colors.Space != raster.RGB {
		return otherwise
	}
	switch name {
	case "Gray":
		return raster.Gray
	case "Red":
		return raster.Red
	case "Green":
		return raster.Green
	case "Blue":
		return raster.Blue
	case "Alpha":
		return raster.Alpha
	case "Palette":
		if len(info.Palette) > 0 {
			return raster.PaletteIndex
		}
		return otherwise
	}
	return raster.Undefined
}

// setPalette replaces the palette of the file, which is never transparent. The new one has an entry
// for every possible sample.
func setPalette(info *raster.Info, colors []pam.Color) {
	if len(colors) == 0 || info.Type != raster.Uint8 && info.Type != raster.Uint16 {
		return
	}
	info.Palette = make([]raster.RGBA, 1<<(8*info.Type.Size()))
	for i, c := range colors[:min(len(colors), len(info.Palette))] {
		info.Palette[i] = raster.RGBA{R: c.R, G: c.G, B: c.B, A: c.A}
	}
}
