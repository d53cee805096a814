package listing

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"tileserver/raster"
)

const (
	maxBlankChecks    = 16 // layers checked for pixels
	blankCheckTimeout = time.Second
)

// chooseStart returns the index of the layer with the best score, or -1 without layers. Layers
// known to be blank come last.
func chooseStart(entries []Entry) int {
	if len(entries) == 0 {
		return -1
	}
	scores := make([]float64, len(entries))
	for i := range entries {
		scores[i] = startScore(entries[i].Image.Info(), entries[i].IsPlaced)
	}
	ctx, cancel := context.WithTimeout(context.Background(), blankCheckTimeout)
	defer cancel()
	best := rankByScore(scores)
	for _, i := range best[:min(len(best), maxBlankChecks)] {
		if !isBlank(ctx, entries[i].Image) {
			return i
		}
	}
	return best[0]
}

// rankByScore returns the indexes of scores, the highest first. Equal scores keep their order.
func rankByScore(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}

// isBlank reports whether the block index of the coarsest level shows that an image has no pixels.
func isBlank(ctx context.Context, p raster.Provider) bool {
	last := len(p.Info().Levels) - 1
	empty, err := raster.IsEmpty(ctx, p, last, p.Info().Levels[last].Bounds())
	return err == nil && empty
}

// The terms of a score. Being on a map outweighs all others; colors outweigh size.
const (
	placeScore    = 100
	colorScore    = 20 // red, green and blue
	paletteScore  = 10
	valueScore    = 5
	doublingScore = 1 // per doubling of a side
	tinySide      = 64
	maxScoredSide = 4096 // larger images score no higher
)

// startScore rates how suitable a layer is to be shown first. It is never negative.
func startScore(image *raster.Info, isPlaced bool) float64 {
	score := bandScore(image)
	if isPlaced {
		score += placeScore
	}
	finest := image.Levels[0]
	side := math.Sqrt(float64(finest.Width) * float64(finest.Height))
	if shorter := float64(min(finest.Width, finest.Height)); shorter < tinySide {
		side = min(side, shorter) // a line of pixels is tiny at any length
	}
	score += doublingScore * math.Log2(min(max(side, 1), maxScoredSide))
	if side <= tinySide {
		score /= 2
	}
	return score
}

// bandScore rates the meaning of an image's bands.
func bandScore(info *raster.Info) float64 {
	has := make(map[raster.Color]bool)
	for _, band := range info.Bands {
		has[band.Color] = true
	}
	switch {
	case has[raster.Red] && has[raster.Green] && has[raster.Blue]:
		return colorScore
	case info.HasPalette():
		return paletteScore
	}
	return valueScore
}
