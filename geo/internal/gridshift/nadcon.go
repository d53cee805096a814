package gridshift

import (
	"encoding/binary"
	"fmt"
	"math"
)

// ParseNADCON parses a pair of files in the format NADCON: shifts of latitudes (.las) and of
// longitudes (.los), in seconds. Longitude shifts count to the west.
func ParseNADCON(latitudes, longitudes []byte) (*Grid, error) {
	las, err := parseNADCONFile(latitudes)
	if err != nil {
		return nil, err
	}
	los, err := parseNADCONFile(longitudes)
	if err != nil {
		return nil, err
	}
	if las.header != los.header {
		return nil, fmt.Errorf("%w: files for %v and %v", ErrInvalid, las.header, los.header)
	}
	h := las.header
	a, err := newArea("", int(h.Rows), int(h.Columns))
	if err != nil {
		return nil, err
	}
	a.south, a.west = float64(h.South)*degree, float64(h.West)*degree
	a.latitudeStep, a.longitudeStep = float64(h.LatitudeStep)*degree, float64(h.LongitudeStep)*degree
	if err := a.validate(); err != nil {
		return nil, err
	}
	for row := range a.rows {
		for column := range a.columns {
			if err := a.set(row, column, las.at(row, column)*second, -los.at(row, column)*second); err != nil {
				return nil, err
			}
		}
	}
	return &Grid{areas: []*area{a}}, nil
}

// nadconHeader follows 64 bytes of text. Angles are degrees.
type nadconHeader struct {
	Columns, Rows, Layers int32
	West, LongitudeStep   float32
	South, LatitudeStep   float32
	Rotation              float32
}

// nadconFile has a record for the header and one for each row, from the south. A record of a row is
// four bytes, and the row from the west.
type nadconFile struct {
	header nadconHeader
	record int
	file   []byte
}

func parseNADCONFile(file []byte) (*nadconFile, error) {
	const textBytes = 64
	f := &nadconFile{file: file}
	if len(file) < textBytes {
		return nil, fmt.Errorf("%w: %d bytes", ErrInvalid, len(file))
	}
	if _, err := binary.Decode(file[textBytes:], binary.LittleEndian, &f.header); err != nil {
		return nil, fmt.Errorf("%w: %d bytes", ErrInvalid, len(file))
	}
	h := f.header
	if h.Layers != 1 || h.Rotation != 0 || h.Columns < 24 || h.Rows < 2 { // a row is as long as the header
		return nil, fmt.Errorf("%w: %+v", ErrInvalid, h)
	}
	f.record = 4 * (int(h.Columns) + 1)
	if (int64(h.Rows)+1)*int64(f.record) > int64(len(file)) {
		return nil, fmt.Errorf("%w: %d bytes for %d rows of %d nodes", ErrInvalid, len(file), h.Rows, h.Columns)
	}
	return f, nil
}

func (f *nadconFile) at(row, column int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(f.file[(row+1)*f.record+4*(column+1):])))
}
