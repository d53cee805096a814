package tiff

import (
	"context"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"tileserver/geo"
)

// readWorldFile reads the six numbers in a text that older software puts beside an
// image, where nothing else says where the image lies.
func (f *File) readWorldFile(ctx context.Context, first *family, name string) error {
	const mostBytes = 64 << 10
	if _, ok := first.affine(); ok {
		return nil
	}
	for _, candidate := range worldFileNames(name) {
		text, err := f.readText(ctx, candidate, mostBytes)
		if text == nil && err == nil {
			continue
		}
		if err == nil {
			first.world, err = parseWorldFile(string(text))
		}
		return first.orNote(ctx, candidate, err)
	}
	return nil
}

// worldFileNames are what a world file may be called: the extension of the image by
// its first and last letter, or all of it, with a w behind; or wld.
func worldFileNames(name string) []string {
	extension := path.Ext(name)
	stem := stemOf(name)
	var endings []string
	if len(extension) > 2 {
		endings = append(endings, "."+extension[1:2]+extension[len(extension)-1:]+"w", extension+"w")
	}
	var names []string
	for _, ending := range append(endings, ".wld") {
		names = append(names, stem+strings.ToLower(ending), stem+strings.ToUpper(ending))
	}
	return names
}

// parseWorldFile reads the size of a pixel by columns and rows, and where the centre
// of the first one is.
func parseWorldFile(text string) (*geo.Affine, error) {
	fields := strings.Fields(text)
	var v [6]float64
	if len(fields) < len(v) {
		return nil, fmt.Errorf("%d numbers, want %d: %w", len(fields), len(v), ErrCorrupt)
	}
	for i := range v {
		var err error
		v[i], err = strconv.ParseFloat(strings.Replace(fields[i], ",", ".", 1), 64)
		if err != nil || math.IsNaN(v[i]) || math.IsInf(v[i], 0) {
			return nil, fmt.Errorf("number %d is %.40q: %w", i+1, fields[i], ErrCorrupt)
		}
	}
	a := geo.Affine{A: v[0], D: v[1], B: v[2], E: v[3], C: v[4], F: v[5]}
	a.C -= (a.A + a.B) / 2
	a.F -= (a.D + a.E) / 2
	if _, ok := a.Invert(); !ok {
		return nil, fmt.Errorf("pixels without a size: %w", ErrCorrupt)
	}
	return &a, nil
}
