package imageapi

import (
	"slices"
	"strings"
)

// Request is a parsed request for a picture.
type Request struct {
	Region   Region
	Size     Size
	Rotation Rotation
	Quality  string
	Format   string
}

// The qualities. Default keeps all colors of the image.
const (
	Default = "default"
	Color   = "color"
	Gray    = "gray"
	Bitonal = "bitonal"
)

// Formats returns the formats of pictures: those that compliance level 2 requires, and more.
func Formats() []string { return append(requiredFormats(), extraFormats()...) }

func requiredFormats() []string { return []string{"jpg", "png"} }

func extraFormats() []string { return []string{"webp"} }

func extraQualities() []string { return []string{Color, Gray, Bitonal} }

// Parse parses the segments of an address. The name is quality.format.
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
		return Request{}, reject("the quality must be one of %s, not %q", strings.Join(qualities, ", "), r.Quality)
	}
	if !hasFormat || !slices.Contains(Formats(), r.Format) {
		return Request{}, reject("the format must be one of %s, not %q", strings.Join(Formats(), ", "), r.Format)
	}
	return r, nil
}

// Canonical returns the canonical form of a request, which equal requests share.
func (i Image) Canonical(r Request) string {
	quality := r.Quality
	if quality == Color {
		quality = Default
	}
	return strings.Join([]string{i.canonical(r.Region), i.canonicalSize(r.Size, r.Region), r.Rotation.String(), quality + "." + r.Format}, "/")
}

// Tile is a rectangle of pixels of the image after it was halved Halvings times.
type Tile struct{ Halvings, X, Y, Width, Height int }

// Tile returns the request as a rectangle of a halved image, if it is one. A tile at the right or
// lower edge may end with a pixel that the image covers partly. Scaled like any other region it
// would not line up with its neighbors.
func (i Image) Tile(r Request) (t Tile, ok bool) {
	for halvings := range maxHalvings {
		across := isHalvedSide(r.Region.X, r.Region.Width, r.Size.Width, i.Width, halvings)
		down := isHalvedSide(r.Region.Y, r.Region.Height, r.Size.Height, i.Height, halvings)
		if across && down {
			return Tile{halvings, r.Region.X >> halvings, r.Region.Y >> halvings, r.Size.Width, r.Size.Height}, true
		}
	}
	return Tile{}, false
}

// maxHalvings halves any image to one pixel.
const maxHalvings = 32

// isHalvedSide reports whether a side of a region has so many pixels after halving. The region must
// begin at a pixel of the halved image, and end at one or at the edge of the image.
func isHalvedSide(from, length, pixels, whole, halvings int) bool {
	mask := 1<<halvings - 1
	if from&mask != 0 || pixels != (length+mask)>>halvings {
		return false
	}
	return length&mask == 0 || from+length == whole
}
