package nitf

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"tileserver/decode/container"
	"tileserver/decode/georeference"
	"tileserver/raster"
)

// An R-set is the overviews of a file in files of their own: NAME.ntf or NAME.ntf.r0 is the image,
// NAME.ntf.r1 has half of its pixels in each direction, NAME.ntf.r2 a quarter.

// maxReductions bounds the files of an R-set.
const maxReductions = 9

// reducedImage is an image with its R-set. The levels of the set are those of other files.
type reducedImage struct {
	container.Image
	key     string
	info    raster.Info
	reduced []container.Image // of level 1 and on
}

var (
	_ raster.SparseProvider = (*reducedImage)(nil)
	_ raster.WindowProvider = (*reducedImage)(nil)
)

// openReduced opens the R-set beside the file. What does not fit the image is left out with a note.
func (f *File) openReduced(ctx context.Context, m container.Image) (container.Image, error) {
	if f.config.Beside == nil || m.Unsupported() != nil || len(m.Info().Levels) > 1 || m.Info().IsClassified(nil) {
		return m, nil
	}
	stem := strings.TrimSuffix(f.beside.Name(), ".r0")
	if extension := path.Ext(stem); len(extension) == 3 && extension[1] == 'r' {
		return m, nil // itself a part of an R-set
	}
	r := &reducedImage{Image: m, info: *m.Info()}
	r.info.Levels = slices.Clone(r.info.Levels)
	for n := 1; n <= maxReductions; n++ {
		name := fmt.Sprintf("%s.r%d", stem, n)
		found, err := f.addReduced(ctx, r, name)
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
	if len(r.reduced) == 0 {
		return m, nil
	}
	r.key = m.Key() + f.beside.Versions()
	return r, nil
}

// addReduced adds the image of a file as the next level, if there is such a file.
func (f *File) addReduced(ctx context.Context, to *reducedImage, name string) (found bool, err error) {
	s, err := f.beside.Open(ctx, name)
	if s == nil || err != nil {
		return false, err
	}
	config := f.config
	config.Beside, config.Key = nil, f.config.Key+":"+name
	other, err := Open(ctx, s, config)
	if err == nil {
		err = to.add(other.images[0])
	}
	if err != nil {
		return true, errors.Join(err, s.Close())
	}
	f.beside.Use(name, s.Version())
	f.reductions = append(f.reductions, other)
	return true, nil
}

// add makes an image the next level, if it shows the same with fewer pixels.
func (r *reducedImage) add(m container.Image) error {
	if err := m.Unsupported(); err != nil {
		return err
	}
	info, l, last := m.Info(), m.Info().Levels[0], r.info.Levels[len(r.info.Levels)-1]
	full := r.info.Levels[0]
	l.ScaleX, l.ScaleY = float64(full.Width)/float64(l.Width), float64(full.Height)/float64(l.Height)
	const pixels = 2 // sides are rounded
	isSimilar := math.Abs(l.ScaleX-l.ScaleY)*float64(min(l.Width, l.Height)) <= pixels*l.ScaleX
	if info.Type != r.info.Type || len(info.Bands) != len(r.info.Bands) || l.Width >= last.Width || l.Height >= last.Height || !isSimilar {
		return fmt.Errorf("%dx%d pixels of %s of %v are no overview of the image", l.Width, l.Height, container.Counted(len(info.Bands), "band"), info.Type)
	}
	r.info.Levels, r.reduced = append(r.info.Levels, l), append(r.reduced, m)
	return nil
}

// Key returns the key of the image with its levels.
func (r *reducedImage) Key() string { return r.key }

// Info describes the image with its levels.
func (r *reducedImage) Info() *raster.Info { return &r.info }

// level returns the image that has a level.
func (r *reducedImage) level(n int) container.Image {
	if n < 1 || n > len(r.reduced) {
		return r.Image
	}
	return r.reduced[n-1]
}

// Blocks reads blocks of the file that has the level.
func (r *reducedImage) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := r.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	return r.level(level).Blocks(ctx, 0, ids, bands)
}

// Empty asks the file that has the level.
func (r *reducedImage) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if err := r.info.CheckRequest(level, nil, nil); err != nil {
		return false, err
	}
	return raster.IsEmpty(ctx, r.level(level), 0, rect)
}

// HasWindows asks the file that has the level.
func (r *reducedImage) HasWindows(level int) bool { return raster.HasWindows(r.level(level), 0) }

// Window reads a window of the file that has the level.
func (r *reducedImage) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	if err := r.info.CheckWindow(level, rect, bands); err != nil {
		return raster.Tile{}, err
	}
	return raster.ReadWindow(ctx, r.level(level), 0, rect, bands)
}

// AddStorage adds to the facts how the image is stored, with its levels.
func (r *reducedImage) AddStorage(to *container.Facts) {
	r.Image.AddStorage(to)
	for _, l := range r.info.Levels[1:] {
		to.Overviews = append(to.Overviews, [2]int{l.Width, l.Height})
	}
}
