package tiff

import (
	"cmp"
	"fmt"

	"tileserver/decode/pam"
	"tileserver/geo"
	"tileserver/raster"
)

// annotations are what is noted of an image in other words than those of TIFF.
type annotations struct {
	tagged *pam.Document // in the tag GDAL_METADATA, or nil
	beside *pam.Document // in the side file, or nil
	world  *geo.Affine   // of the world file, or nil
}

// readMetadata reads the tag GDAL_METADATA, if it is not too long.
func (fam *family) readMetadata(left *allowance) {
	text := fam.full.metadata
	if text == "" {
		return
	}
	err := left.take(int64(len(text)))
	if err == nil {
		fam.tagged, err = pam.ParseTag([]byte(text), pam.DefaultLimits(fam.full.samples))
	}
	if err != nil {
		fam.note("%v is left out: %v", tagGDALMetadata, err)
	}
}

// band is what is noted of a band, in the file and beside it.
func (a *annotations) band(i int) (tagged, beside pam.Band) {
	if a.tagged != nil && a.tagged.Bands[i] != nil {
		tagged = *a.tagged.Bands[i]
	}
	if a.beside != nil && a.beside.Bands[i] != nil {
		beside = *a.beside.Bands[i]
	}
	return tagged, beside
}

// Metadata is what is noted of an image in the words of GDAL.
type Metadata struct {
	Domains pam.Metadata         // of the image
	Bands   map[int]pam.Metadata // of its bands, from 0, where there is any
}

// Metadata joins what is noted in the file and beside it. What is beside it goes
// before.
func (m *Image) Metadata() Metadata {
	a := &m.family.annotations
	var all Metadata
	for _, d := range []*pam.Document{a.tagged, a.beside} {
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

// annotate adds to what the tags of TIFF say of the bands. As GDAL has it, what the
// side file says of no data and of colours goes before what the file says, and of all
// else behind it.
func (a *annotations) annotate(info *raster.Info) {
	for i := range info.Bands {
		tagged, beside := a.band(i)
		b := &info.Bands[i]
		a.setValues(b, tagged, beside)
		if value, ok := parseNoData(beside.NoData); ok {
			b.NoData, b.HasNoData = value, true
		}
		if len(info.Bands) == 1 && (b.Color == raster.PaletteIndex || beside.Color == "Palette") {
			takePalette(info, beside.Palette)
		}
		b.Color = colorNamed(tagged.Color, b.Color, info)
		b.Color = colorNamed(beside.Color, b.Color, info)
		described := cmp.Or(tagged.Description, beside.Description)
		b.Name = cmp.Or(described, bandName(b, i))
		b.Categories = named(beside.Categories)
		b.Stored = storedStatistics(tagged.Metadata, beside.Metadata)
		b.Wavelength = wavelength(described, tagged.Metadata, beside.Metadata)
	}
}

// setValues says what the samples of a band stand for.
func (a *annotations) setValues(b *raster.Band, tagged, beside pam.Band) {
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

// bandName is the name of a band that nobody has named.
func bandName(b *raster.Band, i int) string {
	if b.Color != raster.Undefined {
		return b.Color.String()
	}
	return fmt.Sprintf("band %d", i+1)
}

// colorNamed is the colour of a name that GDAL has for it, and otherwise what it was.
// What the samples of other colours than red, green and blue mean, or indices, no name
// changes.
func colorNamed(name string, otherwise raster.Color, info *raster.Info) raster.Color {
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

// takePalette puts colours in place of those that the file itself has, which are never
// transparent. There is one for every sample.
func takePalette(info *raster.Info, colors []pam.Color) {
	if len(colors) == 0 || info.Type != raster.Uint8 && info.Type != raster.Uint16 {
		return
	}
	info.Palette = make([]raster.RGBA, 1<<(8*info.Type.Size()))
	for i, c := range colors[:min(len(colors), len(info.Palette))] {
		info.Palette[i] = raster.RGBA{R: c.R, G: c.G, B: c.B, A: c.A}
	}
}
