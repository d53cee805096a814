// Package gridtest writes files of datum shifts, in the formats NTv2 and NADCON, for tests.
package gridtest

import (
	"bytes"
	"encoding/binary"
	"math"
)

// Grid is a rectangle of nodes. All numbers are degrees but the shifts, which are seconds.
type Grid struct {
	Name, Parent  string
	South, West   float64
	LatitudeStep  float64
	LongitudeStep float64
	Rows, Columns int
	Shift         func(longitude, latitude float64) (east, north float64)
	BigEndian     bool   // NTv2 only
	Unit          string // of NTv2; "" is SECONDS, in which numbers are written
	WrongCount    int    // added to the number of nodes in the header
}

// Uneven returns a grid of Canada with a denser one inside, whose shifts bend.
func Uneven() []Grid {
	bend := func(scale float64) func(longitude, latitude float64) (east, north float64) {
		return func(longitude, latitude float64) (east, north float64) {
			return scale * (1.5 + math.Sin(longitude/3)*math.Cos(latitude/5)), scale * (0.4 - math.Cos(longitude/7+latitude/4))
		}
	}
	outer := Grid{Name: "OUTER", South: 42, West: -100, LatitudeStep: 0.5, LongitudeStep: 0.75, Rows: 29, Columns: 41, Shift: bend(1)}
	inner := Grid{Name: "INNER", Parent: "OUTER", South: 45, West: -94, LatitudeStep: 0.125, LongitudeStep: 0.25, Rows: 17, Columns: 25, Shift: bend(1.25)}
	return []Grid{outer, inner}
}

// at returns the shift of a node, rows from the south and columns from the west.
func (g *Grid) at(row, column int) (east, north float64) {
	return g.Shift(g.West+float64(column)*g.LongitudeStep, g.South+float64(row)*g.LatitudeStep)
}

// NTv2 returns a file of several grids.
func NTv2(grids ...Grid) []byte {
	var file bytes.Buffer
	w := ntv2{&file, binary.ByteOrder(binary.LittleEndian)}
	if len(grids) > 0 && grids[0].BigEndian {
		w.order = binary.BigEndian
	}
	unit := "SECONDS"
	if len(grids) > 0 && grids[0].Unit != "" {
		unit = grids[0].Unit
	}
	w.integer("NUM_OREC", 11)
	w.integer("NUM_SREC", 11)
	w.integer("NUM_FILE", len(grids))
	w.text("GS_TYPE", unit)
	w.text("VERSION", "test")
	w.text("SYSTEM_F", "from")
	w.text("SYSTEM_T", "to")
	for _, name := range []string{"MAJOR_F", "MINOR_F", "MAJOR_T", "MINOR_T"} {
		w.number(name, 6378137)
	}
	for i := range grids {
		w.grid(&grids[i])
	}
	w.text("END", "")
	return file.Bytes()
}

// ntv2 writes records of 16 bytes.
type ntv2 struct {
	file  *bytes.Buffer
	order binary.ByteOrder
}

func (w ntv2) name(name string) { w.file.WriteString((name + "        ")[:8]) }

func (w ntv2) integer(name string, value int) {
	w.name(name)
	w.write(uint32(value))
	w.write(uint32(0))
}

func (w ntv2) text(name, value string) {
	w.name(name)
	w.name(value)
}

func (w ntv2) number(name string, value float64) {
	w.name(name)
	w.write(value)
}

// write writes a number. A buffer never fails.
func (w ntv2) write(value any) {
	if err := binary.Write(w.file, w.order, value); err != nil {
		panic(err)
	}
}

func (w ntv2) grid(g *Grid) {
	parent := g.Parent
	if parent == "" {
		parent = "NONE"
	}
	w.text("SUB_NAME", g.Name)
	w.text("PARENT", parent)
	w.text("CREATED", "")
	w.text("UPDATED", "")
	w.number("S_LAT", 3600*g.South)
	w.number("N_LAT", 3600*(g.South+float64(g.Rows-1)*g.LatitudeStep))
	w.number("E_LONG", -3600*(g.West+float64(g.Columns-1)*g.LongitudeStep))
	w.number("W_LONG", -3600*g.West)
	w.number("LAT_INC", 3600*g.LatitudeStep)
	w.number("LONG_INC", 3600*g.LongitudeStep)
	w.integer("GS_COUNT", g.Rows*g.Columns+g.WrongCount)
	for row := range g.Rows {
		for column := range g.Columns {
			east, north := g.at(row, g.Columns-1-column)
			w.write([]float32{float32(north), float32(-east), 0, 0})
		}
	}
}

// NADCON returns the two files of a grid: latitudes (.las) and longitudes (.los). It takes 24 columns
// or more, so that a row is as long as the header.
func NADCON(g Grid) (las, los []byte) {
	write := func(value func(row, column int) float64) []byte {
		var file bytes.Buffer
		w := ntv2{&file, binary.LittleEndian}
		file.WriteString("NADCON EXTRACTED REGION                                 NADGRD  "[:64])
		w.write([]int32{int32(g.Columns), int32(g.Rows), 1})
		w.write([]float32{float32(g.West), float32(g.LongitudeStep), float32(g.South), float32(g.LatitudeStep), 0})
		record := 4 * (g.Columns + 1)
		file.Write(make([]byte, max(0, record-file.Len())))
		for row := range g.Rows {
			w.write(uint32(0))
			for column := range g.Columns {
				w.write(float32(value(row, column)))
			}
		}
		return file.Bytes()
	}
	las = write(func(row, column int) float64 { _, north := g.at(row, column); return north })
	los = write(func(row, column int) float64 { east, _ := g.at(row, column); return -east })
	return las, los
}
