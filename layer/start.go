package layer

import (
	"math"

	"tileserver/raster"
)

// firstLook finds the layer that is best to look at first. Of layers that are equally good it
// keeps the one that came first.
type firstLook struct {
	id     string
	appeal float64
}

func (f *firstLook) consider(id string, d *Description) {
	if appeal := appealOf(d); appeal > f.appeal {
		f.id, f.appeal = id, appeal
	}
}

// The parts of an appeal. A place on a map outweighs all else, then colors, then size.
const (
	appealOfPlace   = 100
	appealOfColors  = 20 // red, green and blue
	appealOfPalette = 10
	appealOfNumbers = 5
	appealPerDouble = 1 // each doubling of a side
	tinySide        = 64
	enoughSide      = 4096 // more is no better to look at first
)

// appealOf rates how good a layer is to look at first. It is never negative.
func appealOf(d *Description) float64 {
	appeal := appealOfPixels(d.Info)
	if d.IsPlaced() {
		appeal += appealOfPlace
	}
	side := math.Sqrt(float64(d.Width) * float64(d.Height))
	if shorter := float64(min(d.Width, d.Height)); shorter < tinySide {
		side = min(side, shorter) // a line of pixels is tiny, however long it is
	}
	appeal += appealPerDouble * math.Log2(min(max(side, 1), enoughSide))
	if side <= tinySide {
		appeal /= 2
	}
	return appeal
}

// appealOfPixels rates what the bands of an image mean.
func appealOfPixels(info *raster.Info) float64 {
	has := make(map[raster.Color]bool)
	for _, band := range info.Bands {
		has[band.Color] = true
	}
	switch {
	case has[raster.Red] && has[raster.Green] && has[raster.Blue]:
		return appealOfColors
	case info.HasPalette():
		return appealOfPalette
	}
	return appealOfNumbers
}
