// Package deepzoom knows the levels and tiles of Deep Zoom images: their document, their sizes
// and the names of their files. It must never know what the pixels are or who asks for them.
package deepzoom

import (
	"encoding/xml"
	"math/bits"
	"strconv"
	"strings"
)

// Image is an image as Deep Zoom cuts it. Tiles do not overlap: a tile is then a block of the
// file, and is the same picture as in other ways to ask for it.
type Image struct {
	Width, Height int
	TileSide      int // of a whole tile, in pixels
}

// MaxLevel is the number of the level that has all pixels. Level 0 has one.
func (i Image) MaxLevel() int { return bits.Len(uint(max(i.Width, i.Height, 1) - 1)) }

// Size is that of a level: each halves the one after it, and what is left over of a pixel
// is one.
func (i Image) Size(level int) (width, height int) {
	halvings := i.MaxLevel() - level
	return halved(i.Width, halvings), halved(i.Height, halvings)
}

// Tile is a rectangle of pixels of the image halved so many times.
type Tile struct{ Halvings, X, Y, Width, Height int }

// Tile is the one in a column and row of a level, cut off where the level ends; ok is false
// where there is none.
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

// document is an Image element.
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

// Document describes the image, whose tiles are files with the given extension.
func (i Image) Document(extension string) []byte {
	written, err := xml.MarshalIndent(document{TileSize: i.TileSide, Format: extension, Size: size{i.Width, i.Height}}, "", "  ")
	if err != nil {
		panic(err) // numbers and a word can be written
	}
	return append([]byte(xml.Header), append(written, '\n')...)
}

// ParseTile reads the name of a tile, column_row.extension, with each number in its shortest
// form: a tile has one address.
func ParseTile(name string) (column, row int, extension string, ok bool) {
	place, extension, hasExtension := strings.Cut(name, ".")
	first, second, isPair := strings.Cut(place, "_")
	column, isColumn := Number(first)
	row, isRow := Number(second)
	return column, row, extension, hasExtension && isPair && isColumn && isRow
}

// Number reads a whole number that is not negative, in its shortest form.
func Number(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == text
}
