package tiff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tileserver/decode"
	"tileserver/raster"
)

// family is an image of full resolution with what belongs to it.
type family struct {
	full   *page
	levels []*page // full, then its overviews, from the finest
	masks  []*page // of the levels, nil where there is none; some may be those of finer levels
	notes  []string

	candidates []*page // for masks, until it is settled
	annotations
}

// families sorts the directories of a file into images. Overviews and masks
// follow the image that they belong to, or are below it.
func families(pages []*page) []*family {
	var all []*family
	var rest []*page
	for i, p := range pages {
		if p.parent < 0 && (p.subfile&(subfileReduced|subfileMask) == 0 || i == 0) {
			all = append(all, &family{full: p, levels: []*page{p}})
		} else {
			rest = append(rest, p)
		}
	}
	for _, p := range rest {
		if p.subfile&subfileMask == 0 {
			owner(all, p).addOverview(p)
		} else {
			f := owner(all, p)
			f.candidates = append(f.candidates, p)
		}
	}
	return all
}

// settle sorts the levels and finds the mask of each, once all are known that
// there are.
func (f *family) settle() {
	slices.SortStableFunc(f.levels, func(a, b *page) int { return b.width - a.width })
	f.masks = make([]*page, len(f.levels))
	for _, p := range f.candidates {
		f.addMask(p)
	}
	f.candidates = nil
	f.borrowMasks()
}

// owner is the image that a directory belongs to: the one that it is below, else
// the last one before it of the same proportions, else the last one before it.
func owner(all []*family, p *page) *family {
	before := all[0]
	var alike *family
	for _, f := range all {
		switch {
		case p.parent >= 0 && f.full.number == p.parent:
			return f
		case f.full.number < p.number:
			before = f
			if sameShape(f.full, p) {
				alike = f
			}
		}
	}
	if alike != nil {
		return alike
	}
	return before
}

// sameShape tells whether small may be full at a lower resolution: rounding
// leaves each side at most a pixel off.
func sameShape(full, small *page) bool {
	scale := float64(full.width) / float64(small.width)
	height := float64(full.height) / scale
	slack := 1 + float64(full.height)/float64(full.width)
	return float64(small.height) > height-slack && float64(small.height) < height+slack
}

// addOverview takes a reduced image as a level if its pixels are of the kind.
func (f *family) addOverview(p *page) {
	full := f.full
	switch {
	case p.subfile&subfileReduced == 0 && p.where == "":
		f.note("directory %v below the image is not a reduced one", p)
	case p.samples != full.samples || p.dataType != full.dataType || !sameColors(p, full):
		f.note("overview %v has %d samples of %v (%v), the image has %d of %v (%v)",
			p, p.samples, p.dataType, p.photometric, full.samples, full.dataType, full.photometric)
	case p.width > full.width || p.height > full.height || p.width*p.height == full.width*full.height || !sameShape(full, p):
		f.note("overview %v of %dx%d does not fit the image of %dx%d", p, p.width, p.height, full.width, full.height)
	case slices.ContainsFunc(f.levels, func(l *page) bool { return l.width == p.width && l.height == p.height }):
		f.note("overview %v of %dx%d is there twice", p, p.width, p.height)
	case p.unsupported != nil && full.unsupported == nil:
		f.note("overview %v cannot be read: %v", p, p.unsupported)
	default:
		f.levels = append(f.levels, p)
	}
}

// sameColors tells whether samples mean the same once they are decoded.
func sameColors(a, b *page) bool {
	return a.decodesToRGB() && b.decodesToRGB() || a.decodesToRGB() == b.decodesToRGB() && a.photometric == b.photometric
}

// addMask takes a mask as that of the level of its size. Where it cannot be read, the
// level cannot be shown.
func (f *family) addMask(p *page) {
	i := slices.IndexFunc(f.levels, func(l *page) bool { return l.width == p.width && l.height == p.height })
	problem := f.problemOfMask(p)
	switch {
	case i < 0 && (p.width == 0 || p.height == 0 || p.where != "" && p.subfile&subfileReduced == 0):
		i, problem = 0, cmp.Or(problem, fmt.Errorf("of %dx%d does not fit the image of %dx%d: %w", p.width, p.height, f.full.width, f.full.height, ErrCorrupt))
	case i < 0:
		f.note("mask %v of %dx%d is that of no level", p, p.width, p.height)
		return
	case f.masks[i] != nil:
		f.note("mask %v of %dx%d is there twice", p, p.width, p.height)
		return
	}
	switch {
	case problem == nil:
		f.masks[i] = p
	case i == 0:
		f.full.unsupported = cmp.Or(f.full.unsupported, fmt.Errorf("mask %v: %w", p, problem))
	default:
		f.note("overview %v is left out: its mask %v: %v", f.levels[i], p, problem)
		f.drop(i)
	}
}

// problemOfMask says why a mask cannot be read as one.
func (f *family) problemOfMask(p *page) error {
	switch {
	case p.unsupported != nil:
		return p.unsupported
	case p.dataType != raster.Uint8 || p.samples != 1 && p.samples != f.full.samples:
		return fmt.Errorf("has %d samples of %d bits: %w", p.samples, p.bits, decode.ErrUnsupported)
	}
	return nil
}

// borrowMasks gives overviews without a mask that of the next finer level, if the
// image has one: they would show what the image hides. Those that are too coarse
// for it are left out.
func (f *family) borrowMasks() {
	if f.masks[0] == nil {
		return
	}
	for i := 1; i < len(f.levels); {
		level, finer := f.levels[i], f.masks[i-1]
		if f.masks[i] == nil {
			if finer.width > mostMaskPixels*level.width || finer.height > mostMaskPixels*level.height {
				f.note("overview %v of %dx%d is left out: it has no mask, which the image has", level, level.width, level.height)
				f.drop(i)
				continue
			}
			f.note("overview %v has no mask, and takes that of %dx%d", level, finer.width, finer.height)
			f.masks[i] = finer
		}
		i++
	}
}

// drop leaves a level out.
func (f *family) drop(i int) {
	f.levels = slices.Delete(f.levels, i, i+1)
	f.masks = slices.Delete(f.masks, i, i+1)
}

func (f *family) note(format string, values ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, values...))
}

// String names a page in notes and errors: the number of its directory.
func (p *page) String() string {
	if p.where == "" {
		return strconv.Itoa(p.number)
	}
	return fmt.Sprintf("%d of the side file %s", p.number, p.where)
}
