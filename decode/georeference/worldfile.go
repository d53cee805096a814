package georeference

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"tileserver/decode"
	"tileserver/geo"
)

// ErrCorrupt marks a side file whose content does not match its name.
var ErrCorrupt = decode.Corrupt("corrupt side file")

// WorldFileNames returns the possible names of the world file of an image. The extension is the
// first and last letter of the image's extension and a w, or the whole extension and a w, or wld.
func WorldFileNames(name string) []string {
	extension := path.Ext(name)
	stem := stemOf(name)
	var endings []string
	if len(extension) > 2 {
		endings = append(endings, "."+extension[1:2]+extension[len(extension)-1:]+"w", extension+"w")
	}
	var names []string
	for _, ending := range slices.Compact(append(endings, ".wld")) { // the same name only once
		names = append(names, stem+strings.ToLower(ending), stem+strings.ToUpper(ending))
	}
	return names
}

// stemOf returns a name without its extension.
func stemOf(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// ParseWorldFile parses a world file: the size of a pixel by column and row, and the center of the
// first pixel.
func ParseWorldFile(text string) (geo.Affine, error) {
	fields := strings.Fields(text)
	var numbers [6]float64
	if len(fields) < len(numbers) {
		return geo.Affine{}, fmt.Errorf("%d numbers, want %d: %w", len(fields), len(numbers), ErrCorrupt)
	}
	for i := range numbers {
		var err error
		numbers[i], err = strconv.ParseFloat(strings.Replace(fields[i], ",", ".", 1), 64)
		if err != nil {
			return geo.Affine{}, fmt.Errorf("number %d is %.40q: %w", i+1, fields[i], ErrCorrupt)
		}
	}
	return FromWorldFile(numbers)
}

// FromWorldFile returns the mapping for the numbers of a world file, in their order: x and y by
// column, x and y by row, x and y of the center of the first pixel.
func FromWorldFile(numbers [6]float64) (geo.Affine, error) {
	for i, v := range numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return geo.Affine{}, fmt.Errorf("number %d is %v: %w", i+1, v, ErrCorrupt)
		}
	}
	a := geo.Affine{A: numbers[0], D: numbers[1], B: numbers[2], E: numbers[3], C: numbers[4], F: numbers[5]}
	a.C -= (a.A + a.B) / 2
	a.F -= (a.D + a.E) / 2
	if _, ok := a.Invert(); !ok {
		return geo.Affine{}, fmt.Errorf("pixels without a size: %w", ErrCorrupt)
	}
	return a, nil
}
