package display

import (
	"slices"
	"strconv"
	"strings"

	"tileserver/raster"
)

// chooseBands returns the source bands to show: one band, or red, green and blue.
func (s Spec) chooseBands(info *raster.Info) ([]int, error) {
	if len(s.BandNames) > 0 {
		named, err := BandsNamed(info, s.BandNames)
		if err != nil {
			return nil, err
		}
		s.Bands = named
	}
	if len(s.Bands) == 0 && s.Data && s.Relief == nil {
		return visibleBands(info), nil
	}
	if len(s.Bands) == 0 {
		return defaultBands(info), nil
	}
	for _, band := range s.Bands {
		if band < 0 || band >= len(info.Bands) {
			return nil, invalid("there is no band %d; the bands are 1 to %d", band+1, len(info.Bands))
		}
	}
	bands := slices.Clone(s.Bands)
	if last := len(bands) - 1; !s.Data && last > 0 && bands[last] == info.Alpha() && len(bands)%2 == 0 {
		bands = bands[:last]
	}
	return bands, nil
}

// BandsNamed finds bands by their names in the file, or by numbers such as b1 or 1.
func BandsNamed(info *raster.Info, names []string) ([]int, error) {
	var bands []int
	for _, name := range names {
		band, ok := bandNamed(info, name)
		if !ok {
			return nil, invalid("there is no band %q; the bands are %s", name, strings.Join(bandNames(info), ", "))
		}
		bands = append(bands, band)
	}
	return bands, nil
}

// bandNames lists the names of the bands for an error message. It stops after maxNames names.
func bandNames(info *raster.Info) []string {
	const maxNames = 20
	var names []string
	for band := range info.Bands {
		if band == maxNames {
			return append(names, "…")
		}
		name := "b" + strconv.Itoa(band+1)
		if own := info.Bands[band].Name; own != "" {
			name = strconv.Quote(own)
		}
		names = append(names, name)
	}
	return names
}

// defaultBands returns the bands to show when the style names none.
func defaultBands(info *raster.Info) []int {
	visible := visibleBands(info)
	if i := slices.IndexFunc(visible, func(band int) bool { return isPaletteBand(info, band) }); i >= 0 {
		return visible[i : i+1]
	}
	if len(visible) < maxShownBands {
		return visible[:1]
	}
	for _, choose := range []func(*raster.Info) ([]int, bool){colorBands, bandsByWavelength, bandsByName} {
		if colors, ok := choose(info); ok {
			return colors
		}
	}
	if info.Unrelated {
		return visible[:1]
	}
	return visible[:maxShownBands]
}

// oneBandError returns the error for several shown bands where exactly one is needed.
func (s Spec) oneBandError(sentence string, shown int) error {
	if s.Expression != nil {
		return invalid("%s one band, not %d", sentence, shown)
	}
	return invalid("%s one band, not %d; choose it with bidx", sentence, shown)
}

// visibleBands returns all bands except opacity. If opacity is the only band, it returns that.
func visibleBands(info *raster.Info) []int {
	alpha := info.Alpha()
	visible := make([]int, 0, len(info.Bands))
	for band := range info.Bands {
		if band != alpha {
			visible = append(visible, band)
		}
	}
	if len(visible) == 0 {
		return info.AllBands()
	}
	return visible
}

// colorBands returns the first bands whose color is red, green and blue.
func colorBands(info *raster.Info) ([]int, bool) {
	colors := make([]int, 3)
	for i, color := range []raster.Color{raster.Red, raster.Green, raster.Blue} {
		colors[i] = slices.IndexFunc(info.Bands, func(b raster.Band) bool { return b.Color == color })
		if colors[i] < 0 {
			return nil, false
		}
	}
	return colors, true
}

// separateAlpha returns the opacity band, or -1 if the dataset has none or the band is itself
// shown. A shown opacity band must not make its own pixels transparent.
func separateAlpha(bands []int, info *raster.Info) int {
	alpha := info.Alpha()
	if slices.Contains(bands, alpha) {
		return -1
	}
	return alpha
}

// invertedBands reports for each shown band whether its low samples are the light ones. It
// returns nil if no band is inverted.
func invertedBands(bands []int, info *raster.Info) []bool {
	if !info.Inverted {
		return nil
	}
	inverted := make([]bool, len(bands))
	for i, band := range bands {
		inverted[i] = info.Bands[band].Color == raster.Gray
	}
	return inverted
}
