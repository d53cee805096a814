package nitf

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"tileserver/decode/container"
	"tileserver/decode/georeference"
	"tileserver/decode/nitf/combine"
	"tileserver/decode/nitf/place"
	"tileserver/raster"
)

// compose replaces images that tile a picture by that picture. Images that are too large for a segment
// go on in others.
func (f *File) compose() {
	var composed []container.Image
	isPart, located := make([]bool, len(f.images)), f.locate()
	for first, m := range f.images {
		if isPart[first] {
			continue
		}
		group, places := f.tiling(located, first)
		if len(group) == 1 {
			composed = append(composed, m)
			continue
		}
		parts := make([]combine.Part, len(group))
		for i, n := range group {
			isPart[n] = true
			parts[i] = combine.Part{Image: f.images[n], At: places[i]}
		}
		picture := combine.Mosaic(parts, f.placeOfMosaic(group, places))
		composed = append(composed, picture)
		note := fmt.Sprintf("%d image segments, the first of which is number %d, are one picture", len(group), first+1)
		if all, used := len(m.Info().Levels), len(picture.Info().Levels); used < all {
			note += fmt.Sprintf("; %s of theirs cannot be joined, since the segments begin within pixels of them", container.Counted(all-used, "overview"))
		}
		f.notes = append(f.notes, note)
	}
	f.images = composed
}

// tiling returns the numbers of the images that tile a picture with one of them, in order, and where
// they lie in it; or that one alone. They are those that are attached to it, directly or not, or else
// all that have a place of their own.
func (f *File) tiling(located []locatedImage, first int) (group []int, places []raster.Rect) {
	root := located[first].root
	for _, belongs := range []func(n int) bool{
		func(n int) bool { return located[n].root == root },
		func(n int) bool { return root == first && located[n].root == n },
	} {
		if group, places = f.alike(located, first, belongs); len(group) > 1 && combine.IsTiled(places) {
			return group, places
		}
	}
	return []int{first}, nil
}

// alike returns the images that are like one of them and belong to it, and where they lie beside each
// other.
func (f *File) alike(located []locatedImage, first int, belongs func(n int) bool) (group []int, places []raster.Rect) {
	const most = 100 // of which each is compared with each
	var left, top int
	for n := first; n < len(f.images) && len(group) < most; n++ {
		at := located[n].at
		if !belongs(n) || !combine.IsAlike(f.images[first], f.images[n]) {
			continue
		}
		if len(group) == 0 {
			left, top = at.X0, at.Y0
		}
		left, top = min(left, at.X0), min(top, at.Y0)
		group, places = append(group, n), append(places, at)
	}
	for i, at := range places {
		places[i] = raster.Rect{X0: at.X0 - left, Y0: at.Y0 - top, X1: at.X1 - left, Y1: at.Y1 - top}
	}
	return group, places
}

// locate returns where all images lie.
func (f *File) locate() []locatedImage {
	all := f.structure.Images
	byLevel := make(map[int]int, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		byLevel[all[i].DisplayLevel] = i
	}
	located := make([]locatedImage, len(all))
	for n := range all {
		h := &all[n]
		row, column, parent := h.Row, h.Column, h.AttachmentLevel
		located[n].root = n
		for range all { // at most so often, if images are attached in a circle
			i, ok := byLevel[parent]
			if parent == 0 || !ok || i == located[n].root {
				break
			}
			located[n].root = i
			row, column, parent = row+all[i].Row, column+all[i].Column, all[i].AttachmentLevel
		}
		located[n].at = raster.Rect{X0: column, Y0: row, X1: column + h.Columns, Y1: row + h.Rows}
	}
	return located
}

// locatedImage is the number of the image that an image is attached to in the end, and where it lies
// in the coordinates that all images share.
type locatedImage struct {
	root int
	at   raster.Rect
}

// placeOfMosaic returns the place of a picture: that of the corners of the images in its corners.
func (f *File) placeOfMosaic(group []int, places []raster.Rect) (g georeference.Georeference) {
	var whole raster.Rect
	for _, at := range places {
		whole.X1, whole.Y1 = max(whole.X1, at.X1), max(whole.Y1, at.Y1)
	}
	var corners place.Corners
	for i, at := range places {
		n := group[i]
		part := segment{file: f, header: &f.structure.Images[n]}
		own := part.corners()
		if own == nil || corners.CRS != nil && corners.CRS.Key() != own.CRS.Key() {
			return g
		}
		corners.CRS, corners.AreCenters = own.CRS, own.AreCenters
		for i, isCorner := range [4]bool{
			at.X0 == 0 && at.Y0 == 0, at.X1 == whole.X1 && at.Y0 == 0, at.X1 == whole.X1 && at.Y1 == whole.Y1, at.X0 == 0 && at.Y1 == whole.Y1,
		} {
			if isCorner {
				corners.Points[i] = own.Points[i]
			}
		}
	}
	sources := georeference.Sources{Embedded: corners.Georeference(whole.X1, whole.Y1)}
	if group[0] == 0 {
		sources.PAM = f.noted
	}
	return sources.Join()
}

// An R-set is the overviews of a file in files of their own: NAME.ntf or NAME.ntf.r0 is the image,
// NAME.ntf.r1 has half of its pixels in each direction, NAME.ntf.r2 a quarter.

// maxReductions bounds the files of an R-set.
const maxReductions = 9

// openReduced opens the R-set beside the file. What does not fit the image is left out with a note.
func (f *File) openReduced(ctx context.Context, m container.Image) (container.Image, error) {
	if f.config.Beside == nil || m.Unsupported() != nil || len(m.Info().Levels) > 1 || m.Info().IsClassified(nil) {
		return m, nil
	}
	stem := strings.TrimSuffix(f.beside.Name(), ".r0")
	if extension := path.Ext(stem); len(extension) == 3 && extension[1] == 'r' {
		return m, nil // itself a part of an R-set
	}
	levels := combine.NewLevels(m)
	for n := 1; n <= maxReductions; n++ {
		name := fmt.Sprintf("%s.r%d", stem, n)
		found, err := f.addReduced(ctx, levels, name)
		note, fatal := georeference.Note(ctx, georeference.SkippedSideFile(name, err))
		if fatal != nil {
			return nil, fatal
		}
		if note != "" {
			f.notes = append(f.notes, note)
		}
		if !found || err != nil {
			break
		}
	}
	if len(f.reductions) == 0 {
		return m, nil
	}
	levels.SetKey(m.Key() + f.beside.Versions())
	return levels, nil
}

// addReduced adds the image of a file as the next level, if there is such a file.
func (f *File) addReduced(ctx context.Context, to *combine.Levels, name string) (found bool, err error) {
	s, err := f.beside.Open(ctx, name)
	if s == nil || err != nil {
		return false, err
	}
	config := f.config
	config.Beside, config.Key = nil, f.config.Key+":"+name
	other, err := Open(ctx, s, config)
	if err == nil {
		err = to.Add(other.images[0])
	}
	if err != nil {
		return true, errors.Join(err, s.Close())
	}
	f.beside.Use(name, s.Version())
	f.reductions = append(f.reductions, other)
	return true, nil
}
