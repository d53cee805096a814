package gridshift

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// An NTv2 file is a sequence of records of 16 bytes. Headers have a name and a value in each.
const (
	recordBytes   = 16
	headerRecords = 11

	// maxAreas is more than any file has.
	maxAreas = 4096
)

// ParseNTv2 parses a file in the format NTv2. Longitudes count to the west in it.
func ParseNTv2(file []byte) (*Grid, error) {
	r := reader{rest: file, order: binary.ByteOrder(binary.LittleEndian)}
	if len(file) >= recordBytes && r.order.Uint32(file[8:]) != headerRecords {
		r.order = binary.BigEndian
	}
	header, err := r.header("NUM_OREC")
	if err != nil {
		return nil, err
	}
	areas := int64(r.order.Uint32(header[2*recordBytes+8:]))
	if areas > maxAreas {
		return nil, fmt.Errorf("%d areas: %w", areas, ErrLimit)
	}
	unit, err := unitOf(text(header[3*recordBytes+8:]))
	if err != nil {
		return nil, err
	}
	g, known := &Grid{}, map[string]*area{}
	for range areas {
		a, parent, err := r.area(unit)
		if err != nil {
			return nil, err
		}
		if outer := known[parent]; outer != nil {
			outer.children = append(outer.children, a)
		} else {
			g.areas = append(g.areas, a)
		}
		known[a.name] = a
	}
	if len(g.areas) == 0 {
		return nil, fmt.Errorf("%w: no area", ErrInvalid)
	}
	return g, nil
}

// unitOf returns a unit of angles in radians.
func unitOf(name string) (float64, error) {
	switch name {
	case "SECONDS":
		return second, nil
	case "MINUTES":
		return 60 * second, nil
	case "DEGREES":
		return degree, nil
	}
	return 0, fmt.Errorf("%w: angles in %q", ErrInvalid, name)
}

func text(b []byte) string { return strings.TrimRight(string(b[:8]), " \x00") }

// reader takes parts from the front of a file.
type reader struct {
	rest  []byte
	order binary.ByteOrder
}

// header takes a header, whose first record has a known name.
func (r *reader) header(name string) ([]byte, error) {
	const length = headerRecords * recordBytes
	if len(r.rest) < length || text(r.rest) != name {
		return nil, fmt.Errorf("%w: no record %s", ErrInvalid, name)
	}
	header := r.rest[:length]
	r.rest = r.rest[length:]
	return header, nil
}

// area takes an area without its children. Its nodes begin in the south-east and go west, then
// north. Each has two shifts and their accuracies.
func (r *reader) area(unit float64) (a *area, parent string, err error) {
	header, err := r.header("SUB_NAME")
	if err != nil {
		return nil, "", err
	}
	angle := func(record int) float64 {
		return math.Float64frombits(r.order.Uint64(header[record*recordBytes+8:])) * unit
	}
	south, north, east, west := angle(4), angle(5), -angle(6), -angle(7)
	latitudeStep, longitudeStep := angle(8), angle(9)
	count := int64(r.order.Uint32(header[10*recordBytes+8:]))
	rows, columns := math.Round((north-south)/latitudeStep)+1, math.Round((east-west)/longitudeStep)+1
	if !(rows*columns == float64(count)) || count > int64(len(r.rest)/recordBytes) {
		return nil, "", fmt.Errorf("%w: %g x %g nodes, of which the file has %d", ErrInvalid, columns, rows, min(count, int64(len(r.rest)/recordBytes)))
	}
	if a, err = newArea(text(header[8:]), int(rows), int(columns)); err != nil {
		return nil, "", err
	}
	a.south, a.west, a.latitudeStep, a.longitudeStep = south, west, latitudeStep, longitudeStep
	if err := a.validate(); err != nil {
		return nil, "", err
	}
	return a, text(header[recordBytes+8:]), r.nodes(a, unit)
}

func (r *reader) nodes(a *area, unit float64) error {
	for row := range a.rows {
		for column := range a.columns {
			node := r.rest[recordBytes*(row*a.columns+column):]
			latitude := float64(math.Float32frombits(r.order.Uint32(node))) * unit
			longitude := float64(math.Float32frombits(r.order.Uint32(node[4:]))) * unit
			if err := a.set(row, a.columns-1-column, latitude, -longitude); err != nil {
				return err
			}
		}
	}
	r.rest = r.rest[recordBytes*a.rows*a.columns:]
	return nil
}
