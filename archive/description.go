package archive

import (
	"errors"
	"fmt"
	"math"
)

// Description is what an archive says of its tiles. Its texts may be empty.
type Description struct {
	Name        string
	Summary     string // the description, in some sentences
	Attribution string // may contain HTML; who shows it must clean it
	Version     string // of the map
	IsOverlay   bool   // lies upon other maps; otherwise it is a map that others lie upon

	Format Format
	Bounds Bounds
	Center Center

	// MinZoom and MaxZoom are those of the tiles. Writers see which tiles they get, and ignore these fields.
	MinZoom, MaxZoom uint8
}

// Bounds is what tiles show, in degrees. The zero value is unknown: writers take the tiles of the largest zoom.
type Bounds struct{ West, South, East, North float64 }

// Center is where a viewer looks first. The zero value is unknown: writers take the middle of the bounds.
type Center struct {
	Longitude, Latitude float64
	Zoom                uint8
}

// MaxLatitude is the northern edge of the tile 0/0/0, in degrees.
const MaxLatitude = 85.0511287798066

// ErrBounds means that bounds are not on the globe, or empty, or that a center is not on the globe.
var ErrBounds = errors.New("archive: bounds or center are not on the globe, or bounds are empty")

// Check returns an error for a description that no writer takes.
func (d Description) Check() error {
	if !(math.Abs(d.Center.Longitude) <= 180 && math.Abs(d.Center.Latitude) <= 90) { // also if they are not numbers
		return fmt.Errorf("%w: %v", ErrBounds, d.Center)
	}
	return d.Bounds.Check()
}

// Check returns an error for bounds that are neither unknown nor an area of the globe.
func (b Bounds) Check() error {
	inside := b.West >= -180 && b.West < b.East && b.East <= 180 && b.South >= -90 && b.South < b.North && b.North <= 90
	if !inside && b != (Bounds{}) { // not a number is not inside
		return fmt.Errorf("%w: %v", ErrBounds, b)
	}
	return nil
}

// middle returns the center of bounds, with the largest zoom of a range at which one tile is wide enough.
func (b Bounds) middle(minZoom, maxZoom uint8) Center {
	zoom := math.Floor(math.Log2(360 / (b.East - b.West)))
	return Center{
		Longitude: (b.West + b.East) / 2, Latitude: (b.South + b.North) / 2,
		Zoom: uint8(min(max(zoom, float64(minZoom)), float64(maxZoom))),
	}
}

// The kinds of maps, as all archives call them.
const (
	overlay   = "overlay"
	baseLayer = "baselayer"
)

// Kind returns the word of archives for what IsOverlay says.
func (d Description) Kind() string {
	if d.IsOverlay {
		return overlay
	}
	return baseLayer
}

// SetKind sets IsOverlay by the word of archives. Unknown words are those of maps that others lie upon.
func (d *Description) SetKind(word string) { d.IsOverlay = word == overlay }

// WithoutNonsense returns a description that passes Check: bounds and a center that make no sense are unknown.
func (d Description) WithoutNonsense() Description {
	if d.Bounds.Check() != nil {
		d.Bounds = Bounds{}
	}
	if d.Check() != nil {
		d.Center = Center{}
	}
	return d
}

// NearestZoom returns the whole part of a number, within the zooms that there are. It is 0 if it is not a number.
func NearestZoom(number float64) uint8 {
	if !(number > 0) {
		return 0
	}
	return uint8(min(number, MaxZoom))
}
