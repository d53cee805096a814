package place

import (
	"fmt"
	"strconv"
	"strings"

	"tileserver/decode/georeference"
	"tileserver/geo"
)

// FromBLOCKA returns the corners in a BLOCKA extension, which are more precise than those of the
// subheader. It returns nil if they are not those of the whole image.
func FromBLOCKA(content []byte, rows int) (*Corners, error) {
	const (
		linesAt, linesEnd   = 7, 12
		cornersAt, position = 34, 21
	)
	if len(content) < cornersAt+4*position {
		return nil, fmt.Errorf("BLOCKA of %d bytes: %w", len(content), ErrCorrupt)
	}
	if lines, err := strconv.Atoi(strings.TrimSpace(string(content[linesAt:linesEnd]))); err != nil || lines != rows {
		return nil, nil
	}
	var points [4]geo.Point
	// In the extension: upper right, lower right, lower left, upper left.
	for i, corner := range [4]int{1, 2, 3, 0} {
		text := string(content[cornersAt+i*position:][:position])
		parse := degrees
		if text[0] == '+' || text[0] == '-' {
			parse = decimals
		}
		var err error
		if points[corner], err = parse(text, 10); err != nil {
			return nil, fmt.Errorf("BLOCKA: %w", err)
		}
	}
	return geographic(points)
}

// FromCSCRNA returns the corners in a CSCRNA extension: latitude, longitude and height of each.
func FromCSCRNA(content []byte) (*Corners, error) {
	const (
		cornersAt, position  = 1, 27
		latitude, coordinate = 9, 19 // characters of a latitude, and of it with the longitude
	)
	if len(content) < cornersAt+4*position {
		return nil, fmt.Errorf("CSCRNA of %d bytes: %w", len(content), ErrCorrupt)
	}
	var points [4]geo.Point
	for i := range points {
		var err error
		if points[i], err = decimals(string(content[cornersAt+i*position:][:coordinate]), latitude); err != nil {
			return nil, fmt.Errorf("CSCRNA: %w", err)
		}
	}
	return geographic(points)
}

// FromGEOLOB returns the place of a raster of longitude and latitude: pixels in a full circle in
// both directions, and the origin.
func FromGEOLOB(content []byte) (g georeference.Georeference, err error) {
	widths := [4]int{9, 9, 15, 15}
	var values [4]float64
	for i, width := range widths {
		if len(content) < width {
			return g, fmt.Errorf("GEOLOB of too few bytes: %w", ErrCorrupt)
		}
		if values[i], err = number(string(content[:width])); err != nil {
			return g, fmt.Errorf("GEOLOB: %w", err)
		}
		content = content[width:]
	}
	const circle = 360
	columns, rows, west, north := values[0], values[1], values[2], values[3]
	if columns <= 0 || rows <= 0 {
		return g, fmt.Errorf("GEOLOB with %v and %v pixels in a circle: %w", columns, rows, ErrCorrupt)
	}
	g.CRS, err = geo.ByCode(wgs84)
	g.Affine, g.HasAffine = geo.Affine{A: circle / columns, C: west, E: -circle / rows, F: north}, true
	return g, err
}
