package tiff

import (
	"fmt"
	"slices"
)

// family is an image of full resolution with what belongs to it.
type family struct {
	full   *page
	levels []*page // full, then its overviews, from the finest
	masks  []*page // of the levels, nil where there is none
	notes  []string
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
		}
	}
	for _, f := range all {
		slices.SortStableFunc(f.levels, func(a, b *page) int { return b.width - a.width })
		f.masks = make([]*page, len(f.levels))
	}
	for _, p := range rest {
		if p.subfile&subfileMask != 0 {
			owner(all, p).addMask(p)
		}
	}
	for _, f := range all {
		f.dropUnmasked()
	}
	return all
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
	case p.subfile&subfileReduced == 0:
		f.note("directory %d below the image is not a reduced one", p.number)
	case p.samples != full.samples || p.dataType != full.dataType || !sameColors(p, full):
		f.note("overview %d has %d samples of %v (%v), the image has %d of %v (%v)",
			p.number, p.samples, p.dataType, p.photometric, full.samples, full.dataType, full.photometric)
	case p.width > full.width || p.height > full.height || p.width*p.height == full.width*full.height || !sameShape(full, p):
		f.note("overview %d of %dx%d does not fit the image of %dx%d", p.number, p.width, p.height, full.width, full.height)
	case slices.ContainsFunc(f.levels, func(l *page) bool { return l.width == p.width && l.height == p.height }):
		f.note("overview %d of %dx%d is there twice", p.number, p.width, p.height)
	case p.unsupported != nil && full.unsupported == nil:
		f.note("overview %d cannot be read: %v", p.number, p.unsupported)
	default:
		f.levels = append(f.levels, p)
	}
}

// sameColors tells whether samples mean the same once they are decoded.
func sameColors(a, b *page) bool {
	return a.decodesToRGB() && b.decodesToRGB() || a.decodesToRGB() == b.decodesToRGB() && a.photometric == b.photometric
}

// addMask takes a mask as that of the level of its size.
func (f *family) addMask(p *page) {
	i := slices.IndexFunc(f.levels, func(l *page) bool { return l.width == p.width && l.height == p.height })
	switch {
	case i < 0:
		f.note("mask %d of %dx%d is that of no level", p.number, p.width, p.height)
	case f.masks[i] != nil:
		f.note("mask %d of %dx%d is there twice", p.number, p.width, p.height)
	case p.samples != 1 || p.bits > 8:
		f.note("mask %d has %d samples of %d bits", p.number, p.samples, p.bits)
	case p.unsupported != nil:
		f.levels[i].unsupported = fmt.Errorf("mask: %w", p.unsupported)
	default:
		f.masks[i] = p
	}
}

// dropUnmasked leaves out overviews that have no mask where the image has one:
// they would show what the image hides.
func (f *family) dropUnmasked() {
	if f.masks[0] == nil {
		return
	}
	for i := len(f.levels) - 1; i > 0; i-- {
		if f.masks[i] == nil {
			f.note("overview %d has no mask, which the image has", f.levels[i].number)
			f.drop(i)
		}
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
