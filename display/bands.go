package display

import (
	"slices"
	"strconv"
	"strings"

	"tileserver/raster"
)

// chooseBands is the source bands to show: one, or red, green and blue.
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
		return expectedBands(info), nil
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

// BandsNamed finds bands by their names in the file, or by their numbers, as b1 or 1.
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

// bandNames are what bands may be called by, as many as a sentence has room for.
func bandNames(info *raster.Info) []string {
	const most = 20
	var names []string
	for band := range info.Bands {
		if band == most {
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

// expectedBands is what a person would expect to see of a dataset.
func expectedBands(info *raster.Info) []int {
	seen := visibleBands(info)
	if i := slices.IndexFunc(seen, func(band int) bool { return isPaletteBand(info, band) }); i >= 0 {
		return seen[i : i+1]
	}
	if len(seen) < maxShownBands {
		return seen[:1]
	}
	for _, choose := range []func(*raster.Info) ([]int, bool){colorBands, bandsByWavelength, bandsByName} {
		if colors, ok := choose(info); ok {
			return colors
		}
	}
	return seen[:maxShownBands]
}

// oneBandNeeded refuses several shown bands for something that is made of one.
func (s Spec) oneBandNeeded(sentence string, shown int) error {
	if s.Expression != "" {
		return invalid("%s one band, not %d", sentence, shown)
	}
	return invalid("%s one band, not %d; choose it with bidx", sentence, shown)
}

// visibleBands is all bands but that of opacity, unless there is no other.
func visibleBands(info *raster.Info) []int {
	alpha := info.Alpha()
	seen := make([]int, 0, len(info.Bands))
	for band := range info.Bands {
		if band != alpha {
			seen = append(seen, band)
		}
	}
	if len(seen) == 0 {
		return info.AllBands()
	}
	return seen
}

// colorBands is the first bands that say they are red, green and blue.
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

// alphaBeside is the band of opacity, or -1 if there is none or it is itself shown: a
// person who asks to see it would not see it through itself.
func alphaBeside(bands []int, info *raster.Info) int {
	alpha := info.Alpha()
	if slices.Contains(bands, alpha) {
		return -1
	}
	return alpha
}

// invertedBands tells of each shown band whether its low samples are the light ones; it is
// nil where those of none are.
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
