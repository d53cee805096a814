// Package dzi computes the levels and tiles of Deep Zoom images, parses their names and writes
// their document. It must never know pixels or requests.
package dzi

import (
	"encoding/xml"
	"math/bits"
	"strconv"
	"strings"
)

// Image is an image in Deep Zoom's division. Its tiles do not overlap, so that a tile can be a
// block of the file and the same picture as in other protocols.
type Image struct {
	Width, Height int
	TileSide      int // of a full tile, in pixels
}

// MaxLevel returns the level in full resolution. Level 0 has one pixel.
func (i Image) MaxLevel() int { return bits.Len(uint(max(i.Width, i.Height, 1) - 1)) }

// Size returns the size of a level. Each level has half the size of the next one, rounded up.
func (i Image) Size(level int) (width, height int) {
	halvings := i.MaxLevel() - level
	return halved(i.Width, halvings), halved(i.Height, halvings)
}

// Tile is a rectangle of pixels of the image after it was halved Halvings times.
type Tile struct{ Halvings, X, Y, Width, Height int }

// Tile returns the tile at a column and row of a level, cut at the edge of the level. ok is false
// if it does not exist.
func (i Image) Tile(level, column, row int) (t Tile, ok bool) {
	if level < 0 || level > i.MaxLevel() || column < 0 || row < 0 {
		return Tile{}, false
	}
	width, height := i.Size(level)
	if column > (width-1)/i.TileSide || row > (height-1)/i.TileSide {
		return Tile{}, false
	}
	t = Tile{Halvings: i.MaxLevel() - level, X: column * i.TileSide, Y: row * i.TileSide}
	t.Width, t.Height = min(i.TileSide, width-t.X), min(i.TileSide, height-t.Y)
	return t, true
}

func halved(pixels, halvings int) int { return (pixels-1)>>halvings + 1 }

// document is the root element.
type document struct {
	XMLName  xml.Name `xml:"http://schemas.microsoft.com/deepzoom/2008 Image"`
	TileSize int      `xml:",attr"`
	Overlap  int      `xml:",attr"`
	Format   string   `xml:",attr"`
	Size     size
}

type size struct {
	Width  int `xml:",attr"`
	Height int `xml:",attr"`
}

// Document returns the document of the image, whose tiles have the given file extension.
func (i Image) Document(extension string) []byte {
	written, err := xml.MarshalIndent(document{TileSize: i.TileSide, Format: extension, Size: size{i.Width, i.Height}}, "", "  ")
	if err != nil {
		panic(err) // numbers and a word can always be encoded
	}
	return append([]byte(xml.Header), append(written, '\n')...)
}

// ParseTile parses the name of a tile, column_row.extension, with numbers in their shortest form,
// so that a tile has one address.
func ParseTile(name string) (column, row int, extension string, ok bool) {
	address, extension, hasExtension := strings.Cut(name, ".")
	first, second, isPair := strings.Cut(address, "_")
	column, isColumn := Number(first)
	row, isRow := Number(second)
	return column, row, extension, hasExtension && isPair && isColumn && isRow
}

// Number parses a non-negative whole number in its shortest form.
func Number(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == text
}
