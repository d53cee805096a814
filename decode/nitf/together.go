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
)

// stack replaces the images that are parts of one picture by that picture. Radar images that are too
// large for a segment go on in the next one.
func (f *File) stack() {
	all := f.images
	f.images = nil
	for first := 0; first < len(all); {
		count := f.countStacked(all, first)
		if count == 1 {
			f.images = append(f.images, all[first])
		} else {
			f.images = append(f.images, combine.Stack(all[first:first+count], f.placeOfStack(first, count)))
			f.notes = append(f.notes, fmt.Sprintf("images %d to %d are one picture, one below the other", first+1, first+count))
		}
		first += count
	}
}

// countStacked returns how many images, from one on, lie one below the other and are alike: each is
// attached to the one before it, at its lower edge.
func (f *File) countStacked(all []container.Image, first int) int {
	count := 1
	for ; first+count < len(all); count++ {
		above, below := &f.structure.Images[first+count-1], &f.structure.Images[first+count]
		isBelow := below.AttachmentLevel == above.DisplayLevel && below.Row == above.Rows && below.Column == 0
		if !isBelow || !combine.IsAlike(all[first], all[first+count]) {
			break
		}
	}
	return count
}

// placeOfStack returns the place of a picture: from the upper corners of its first part to the lower
// ones of the last.
func (f *File) placeOfStack(first, count int) georeference.Georeference {
	top := segment{file: f, header: &f.structure.Images[first]}
	bottom := segment{file: f, header: &f.structure.Images[first+count-1]}
	upper, lower := top.corners(), bottom.corners()
	if upper == nil || lower == nil || upper.CRS.Key() != lower.CRS.Key() {
		return georeference.Georeference{}
	}
	rows := 0
	for _, h := range f.structure.Images[first : first+count] {
		rows += h.Rows
	}
	whole := *upper
	whole.Points[2], whole.Points[3] = lower.Points[2], lower.Points[3]
	sources := georeference.Sources{Embedded: whole.Georeference(top.header.Columns, rows)}
	if first == 0 {
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
