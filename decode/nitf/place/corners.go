package place

import (
	"fmt"
	"strconv"
	"strings"

	"tileserver/geo"
)

// cornerBytes is the length of a corner in IGEOLO.
const cornerBytes = 15

// ParseCorners parses the corners in a subheader (IGEOLO) in the notation that ICORDS names.
func ParseCorners(notation, text string) (*Corners, error) {
	if len(text) < 4*cornerBytes {
		return nil, fmt.Errorf("%d characters: %w", len(text), ErrCorrupt)
	}
	switch notation {
	case "G", "D":
		return parseGeographic(notation, text)
	case "N", "S":
		return parseUTM(notation, text)
	case "U":
		return parseMGRS(text)
	}
	return nil, fmt.Errorf("notation %.5q: %w", notation, ErrCorrupt)
}

func parseGeographic(notation, text string) (*Corners, error) {
	var points [4]geo.Point
	for i := range points {
		corner := text[i*cornerBytes:][:cornerBytes]
		var err error
		if notation == "D" {
			points[i], err = decimals(corner, 7)
		} else {
			points[i], err = degrees(corner, 7)
		}
		if err != nil {
			return nil, fmt.Errorf("corner %d: %w", i+1, err)
		}
	}
	return geographic(points)
}

// decimals parses a latitude of some characters and the longitude after it, in degrees.
func decimals(text string, width int) (p geo.Point, err error) {
	if p.Y, err = number(text[:width]); err != nil {
		return p, err
	}
	p.X, err = number(text[width:])
	return p, err
}

func number(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || v-v != 0 {
		return 0, fmt.Errorf("%.20q: %w", text, ErrCorrupt)
	}
	return v, nil
}

// degrees parses a latitude of some characters and the longitude after it: degrees, minutes,
// seconds and the letter of the hemisphere, which may come first.
func degrees(text string, width int) (p geo.Point, err error) {
	if p.Y, err = angle(text[:width], 2, "N", "S"); err != nil {
		return p, err
	}
	p.X, err = angle(text[width:], 3, "E", "W")
	return p, err
}

// angle parses degrees of some digits, two digits of minutes, and seconds.
func angle(text string, digits int, positive, negative string) (float64, error) {
	var sign float64
	plain := text
	for letter, s := range map[string]float64{positive: 1, negative: -1} {
		if rest, ok := strings.CutPrefix(text, letter); ok {
			plain, sign = rest, s
		} else if rest, ok := strings.CutSuffix(text, letter); ok {
			plain, sign = rest, s
		}
	}
	if sign == 0 || len(plain) < digits+4 {
		return 0, fmt.Errorf("%.20q: %w", text, ErrCorrupt)
	}
	var sum float64
	for i, part := range []string{plain[:digits], plain[digits : digits+2], plain[digits+2:]} {
		v, err := number(part)
		if err != nil {
			return 0, err
		}
		sum += v / [3]float64{1, 60, 3600}[i]
	}
	return sign * sum, nil
}

func parseUTM(hemisphere, text string) (*Corners, error) {
	var points [4]geo.Point
	var codes [4]int
	for i := range points {
		corner := text[i*cornerBytes:][:cornerBytes]
		zone, err := strconv.Atoi(corner[:2])
		if err != nil {
			return nil, fmt.Errorf("corner %d: zone %q: %w", i+1, corner[:2], ErrCorrupt)
		}
		if points[i].X, err = number(corner[2:8]); err != nil {
			return nil, fmt.Errorf("corner %d: %w", i+1, err)
		}
		if points[i].Y, err = number(corner[8:]); err != nil {
			return nil, fmt.Errorf("corner %d: %w", i+1, err)
		}
		if codes[i], err = utmCode(zone, hemisphere == "N"); err != nil {
			return nil, err
		}
	}
	return inOneZone(points, codes)
}

func utmCode(zone int, isNorth bool) (int, error) {
	if zone < 1 || zone > 60 {
		return 0, fmt.Errorf("UTM zone %d: %w", zone, ErrCorrupt)
	}
	if isNorth {
		return firstUTMNorth + zone, nil
	}
	return firstUTMSouth + zone, nil
}
