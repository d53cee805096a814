// Package zoomify knows the tiers, tiles and tile groups of Zoomify images, and their
// document. It must never know what the pixels are or who asks for them.
package zoomify

import (
	"fmt"
	"strconv"
	"strings"
)

// TileSide is that of whole tiles, in pixels. Many viewers know no other.
const TileSide = 256

const tilesPerGroup = 256

// Image is an image as Zoomify cuts it. Each tier halves the one after it, until one tile has
// it all.
type Image struct {
	Width, Height int

	// Truncated counts tiers and tiles as if what is left over of a pixel were left out when
	// a tier is halved, as the first converters did and some viewers do; else it is a pixel.
	Truncated bool
}

// Tile is a rectangle of pixels of the image halved so many times.
type Tile struct{ Halvings, X, Y, Width, Height int }

// Tiers is how many there are; the last has all pixels.
func (i Image) Tiers() int {
	tiers := 1
	for {
		if width, height := i.counted(tiers - 1); max(width, height) <= TileSide {
			return tiers
		}
		tiers++
	}
}

// Size is that of a tier, in which what is left over of a pixel is one.
func (i Image) Size(tier int) (width, height int) {
	halvings := i.Tiers() - 1 - tier
	return (i.Width-1)>>halvings + 1, (i.Height-1)>>halvings + 1
}

// counted is the size by which tiles are counted. A side of no pixels has a tile all the same.
func (i Image) counted(halvings int) (width, height int) {
	if i.Truncated {
		return i.Width >> halvings, i.Height >> halvings
	}
	return (i.Width-1)>>halvings + 1, (i.Height-1)>>halvings + 1
}

// grid is how many columns and rows of tiles a tier is counted to have.
func (i Image) grid(tier int) (columns, rows int) {
	width, height := i.counted(i.Tiers() - 1 - tier)
	return tilesOver(width), tilesOver(height)
}

func tilesOver(pixels int) int { return (pixels-1)/TileSide + 1 }

// Tiles is how many all tiers have together.
func (i Image) Tiles() int { return i.before(i.Tiers()) }

// before is how many tiles the tiers before one have.
func (i Image) before(tier int) (tiles int) {
	for t := range tier {
		columns, rows := i.grid(t)
		tiles += columns * rows
	}
	return tiles
}

// Tile is the one in a column and row of a tier, cut off where the tier ends, with the number
// of the group that it is in; ok is false where there is none. There may be tiles that are
// not counted, with nothing but what is left over of a pixel: viewers ask for them.
func (i Image) Tile(tier, column, row int) (t Tile, group int, ok bool) {
	if tier < 0 || tier >= i.Tiers() {
		return Tile{}, 0, false
	}
	width, height := i.Size(tier)
	if column < 0 || row < 0 || column >= tilesOver(width) || row >= tilesOver(height) {
		return Tile{}, 0, false
	}
	t = Tile{Halvings: i.Tiers() - 1 - tier, X: column * TileSide, Y: row * TileSide}
	t.Width, t.Height = min(TileSide, width-t.X), min(TileSide, height-t.Y)
	columns, _ := i.grid(tier)
	return t, (i.before(tier) + row*columns + column) / tilesPerGroup, true
}

// Document describes the image.
func (i Image) Document() []byte {
	return fmt.Appendf(nil, "<IMAGE_PROPERTIES WIDTH=\"%d\" HEIGHT=\"%d\" NUMTILES=\"%d\" NUMIMAGES=\"1\" VERSION=\"1.8\" TILESIZE=\"%d\" />\n",
		i.Width, i.Height, i.Tiles(), TileSide)
}

// ParseGroup reads the name of a group, TileGroup0.
func ParseGroup(name string) (group int, ok bool) {
	digits, isGroup := strings.CutPrefix(name, "TileGroup")
	group, isNumber := number(digits)
	return group, isGroup && isNumber
}

// ParseTile reads the name of a tile, tier-column-row.extension.
func ParseTile(name string) (tier, column, row int, extension string, ok bool) {
	place, extension, ok := strings.Cut(name, ".")
	parts := strings.SplitN(place, "-", 4)
	if !ok || len(parts) != 3 {
		return 0, 0, 0, "", false
	}
	var numbers [3]int
	for i, part := range parts {
		if numbers[i], ok = number(part); !ok {
			return 0, 0, 0, "", false
		}
	}
	return numbers[0], numbers[1], numbers[2], extension, true
}

// number reads a whole number that is not negative, in its shortest form: a tile has one
// address.
func number(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == text
}
