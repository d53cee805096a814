package iiif

import (
	"slices"
	"strings"
)

// Request is what is asked for of an image.
type Request struct {
	Region   Region
	Size     Size
	Rotation Rotation
	Quality  string
	Format   string
}

// The qualities. Default is that of the image, with all of its colours.
const (
	Default = "default"
	Color   = "color"
	Gray    = "gray"
	Bitonal = "bitonal"
)

// Formats are those that pictures are made in: the ones that level 2 demands, and more.
func Formats() []string { return append([]string{"jpg", "png"}, extraFormats()...) }

func extraFormats() []string { return []string{"webp"} }

func extraQualities() []string { return []string{Color, Gray, Bitonal} }

// Parse reads the parts of an address. The name is quality.format.
func (i Image) Parse(region, size, rotation, name string) (r Request, err error) {
	if r.Region, err = i.parseRegion(region); err != nil {
		return Request{}, err
	}
	if r.Size, err = i.parseSize(size, r.Region); err != nil {
		return Request{}, err
	}
	if r.Rotation, err = parseRotation(rotation); err != nil {
		return Request{}, err
	}
	var hasFormat bool
	r.Quality, r.Format, hasFormat = strings.Cut(name, ".")
	if qualities := append([]string{Default}, extraQualities()...); !slices.Contains(qualities, r.Quality) {
		return Request{}, refuse("the quality must be one of %s, not %q", strings.Join(qualities, ", "), r.Quality)
	}
	if !hasFormat || !slices.Contains(Formats(), r.Format) {
		return Request{}, refuse("the format must be one of %s, not %q", strings.Join(Formats(), ", "), r.Format)
	}
	return r, nil
}

// Canonical is the way to ask for the same that all who ask for it should use.
func (i Image) Canonical(r Request) string {
	quality := r.Quality
	if quality == Color {
		quality = Default
	}
	return strings.Join([]string{i.canonical(r.Region), i.canonicalSize(r.Size, r.Region), r.Rotation.String(), quality + "." + r.Format}, "/")
}

// Tile is a rectangle of pixels of the image halved so many times.
type Tile struct{ Halvings, X, Y, Width, Height int }

// Tile is what is asked for as a part of the image halved, if it is one. A tile at the right
// or lower edge may end in a pixel that the image covers in part; scaled to that size, it would
// be a little out of line with its neighbours.
func (i Image) Tile(r Request) (t Tile, ok bool) {
	for halvings := range maxHalvings {
		across := halvedSide(r.Region.X, r.Region.Width, r.Size.Width, i.Width, halvings)
		down := halvedSide(r.Region.Y, r.Region.Height, r.Size.Height, i.Height, halvings)
		if across && down {
			return Tile{halvings, r.Region.X >> halvings, r.Region.Y >> halvings, r.Size.Width, r.Size.Height}, true
		}
	}
	return Tile{}, false
}

// maxHalvings leaves one pixel of any image.
const maxHalvings = 32

// halvedSide tells whether one side of a region becomes so many pixels when all is halved
// that often: from a pixel's beginning to a pixel's end, or to that of the image.
func halvedSide(from, length, pixels, whole, halvings int) bool {
	mask := 1<<halvings - 1
	if from&mask != 0 || pixels != (length+mask)>>halvings {
		return false
	}
	return length&mask == 0 || from+length == whole
}
