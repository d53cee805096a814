// Package tiers computes the tiers, tiles and tile groups of Zoomify images, parses their names
// and writes their document. It must never know pixels or requests.
package tiers

import (
	"fmt"
	"strconv"
	"strings"
)

// TileSide is the side of full tiles in pixels. Many viewers support no other.
const TileSide = 256

const tilesPerGroup = 256

// Image is an image in Zoomify's division. Each tier has half the size of the next one. The first
// has one tile.
type Image struct {
	Width, Height int

	// Truncated counts tiers and tiles with sizes rounded down when halving, as the first
	// converters did and some viewers do. Otherwise sizes are rounded up.
	Truncated bool
}

// Tile is a rectangle of pixels of the image after it was halved Halvings times.
type Tile struct{ Halvings, X, Y, Width, Height int }

// Tiers returns the number of tiers. The last has the full resolution.
func (i Image) Tiers() int {
	tiers := 1
	for {
		if width, height := i.countedSize(tiers - 1); max(width, height) <= TileSide {
			return tiers
		}
		tiers++
	}
}

// Size returns the size of a tier in pixels, rounded up.
func (i Image) Size(tier int) (width, height int) {
	halvings := i.Tiers() - 1 - tier
	return (i.Width-1)>>halvings + 1, (i.Height-1)>>halvings + 1
}

// countedSize returns the size that determines the number of tiles. A side of 0 pixels has one
// tile.
func (i Image) countedSize(halvings int) (width, height int) {
	if i.Truncated {
		return i.Width >> halvings, i.Height >> halvings
	}
	return (i.Width-1)>>halvings + 1, (i.Height-1)>>halvings + 1
}

// grid returns the columns and rows of tiles in a tier, for counting.
func (i Image) grid(tier int) (columns, rows int) {
	width, height := i.countedSize(i.Tiers() - 1 - tier)
	return tilesOver(width), tilesOver(height)
}

func tilesOver(pixels int) int { return (pixels-1)/TileSide + 1 }

// Tiles returns the number of tiles of all tiers.
func (i Image) Tiles() int { return i.tilesBefore(i.Tiers()) }

// tilesBefore returns the number of tiles of all tiers before one.
func (i Image) tilesBefore(tier int) (tiles int) {
	for t := range tier {
		columns, rows := i.grid(t)
		tiles += columns * rows
	}
	return tiles
}

// Tile returns the tile at a column and row of a tier, cut at the edge of the tier, and the number
// of its group. ok is false if it does not exist. Some tiles at the edges exist although Truncated
// does not count them, because viewers request them.
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
	return t, (i.tilesBefore(tier) + row*columns + column) / tilesPerGroup, true
}

// Document returns the document of the image.
func (i Image) Document() []byte {
	return fmt.Appendf(nil, "<IMAGE_PROPERTIES WIDTH=\"%d\" HEIGHT=\"%d\" NUMTILES=\"%d\" NUMIMAGES=\"1\" VERSION=\"1.8\" TILESIZE=\"%d\" />\n",
		i.Width, i.Height, i.Tiles(), TileSide)
}

// ParseGroup parses the name of a group, like TileGroup0.
func ParseGroup(name string) (group int, ok bool) {
	digits, isGroup := strings.CutPrefix(name, "TileGroup")
	group, isNumber := number(digits)
	return group, isGroup && isNumber
}

// ParseTile parses the name of a tile, tier-column-row.extension.
func ParseTile(name string) (tier, column, row int, extension string, ok bool) {
	address, extension, ok := strings.Cut(name, ".")
	parts := strings.SplitN(address, "-", 4)
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

// number parses a non-negative whole number in its shortest form, so that a tile has one address.
func number(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == text
}
