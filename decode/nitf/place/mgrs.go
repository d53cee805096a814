package place

import (
	"fmt"
	"strconv"
	"strings"

	"tileserver/geo"
)

// A coordinate of the Military Grid Reference System is a UTM zone, the letter of a latitude band,
// two letters of a square of 100 km, and easting and northing in it.

const (
	squareMeters = 100_000
	mgrsLetters  = "ABCDEFGHJKLMNPQRSTUVWXYZ" // of columns; rows end with V
	rowLetters   = "ABCDEFGHJKLMNPQRSTUV"
)

// bandNorthings has the lowest northing of each latitude band, in squares of 100 km.
var bandNorthings = map[byte]int{
	'C': 11, 'D': 20, 'E': 28, 'F': 37, 'G': 46, 'H': 55, 'J': 64, 'K': 73, 'L': 82, 'M': 91,
	'N': 0, 'P': 8, 'Q': 17, 'R': 26, 'S': 35, 'T': 44, 'U': 53, 'V': 62, 'W': 70, 'X': 79,
}

func parseMGRS(text string) (*Corners, error) {
	var points [4]geo.Point
	var codes [4]int
	for i := range points {
		corner := text[i*cornerBytes:][:cornerBytes]
		var err error
		if points[i], codes[i], err = mgrs(corner); err != nil {
			return nil, fmt.Errorf("corner %d: %.15q: %w", i+1, corner, err)
		}
	}
	return inOneZone(points, codes)
}

// mgrs returns the UTM coordinates of a text of fifteen characters, and the code of their zone.
func mgrs(text string) (p geo.Point, code int, err error) {
	zone, err := strconv.Atoi(text[:2])
	if err != nil {
		return p, 0, fmt.Errorf("no zone of UTM: %w", ErrCorrupt)
	}
	lowest, ok := bandNorthings[text[2]]
	column, row := strings.IndexByte(mgrsLetters, text[3]), strings.IndexByte(rowLetters, text[4])
	if !ok || column < 0 || row < 0 {
		return p, 0, fmt.Errorf("no square of MGRS: %w", ErrCorrupt)
	}
	// The letters of columns go on over three zones, eight for each. Those of rows begin with A at
	// the equator in odd zones and with F in even ones.
	const columnsInZone, rowsInCycle, evenZoneShift = 8, len(rowLetters), 5
	column = column%columnsInZone + 1
	if zone%2 == 0 {
		row = (row - evenZoneShift + rowsInCycle) % rowsInCycle
	}
	for row < lowest {
		row += rowsInCycle
	}
	x, err := strconv.Atoi(text[5:10])
	if err != nil {
		return p, 0, fmt.Errorf("no easting: %w", ErrCorrupt)
	}
	y, err := strconv.Atoi(text[10:15])
	if err != nil {
		return p, 0, fmt.Errorf("no northing: %w", ErrCorrupt)
	}
	p = geo.Point{X: float64(column*squareMeters + x), Y: float64(row*squareMeters + y)}
	code, err = utmCode(zone, text[2] >= 'N')
	return p, code, err
}
