package tifftest

import (
	"math"
	"strconv"
)

// Overviews returns count images, each half as wide and high as the one before; odd sizes are
// rounded up. A sample is the mean of the valid ones of two by two pixels, or the upper left one
// for palettes and masks. The images have no tags of their own.
func Overviews(img Image, count int) []Image {
	var overviews []Image
	for range count {
		img = img.halved()
		overviews = append(overviews, img)
	}
	return overviews
}

func (img Image) halved() Image {
	half := img
	half.Width, half.Height = (img.Width+1)/2, (img.Height+1)/2
	half.Subfile |= Overview
	half.Tags, half.Children, half.Sparse = nil, nil, nil
	half.Value = func(x, y, band int) float64 { return img.Value(2*x, 2*y, band) }
	if len(img.Palette) > 0 || img.Photometric == TransparencyMask || img.Subfile&Mask != 0 {
		return half
	}
	noData, err := strconv.ParseFloat(img.NoData, 64)
	if err != nil {
		noData = math.NaN()
	}
	half.Value = func(x, y, band int) float64 {
		sum, valid := 0.0, 0
		for dy := range 2 {
			for dx := range 2 {
				value := img.Value(min(2*x+dx, img.Width-1), min(2*y+dy, img.Height-1), band)
				if value != noData && !math.IsNaN(value) {
					sum += value
					valid++
				}
			}
		}
		if valid == 0 {
			return noData
		}
		return sum / float64(valid)
	}
	return half
}
