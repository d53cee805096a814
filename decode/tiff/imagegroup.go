package tiff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tileserver/decode"
	"tileserver/decode/tiff/gdal"
	"tileserver/decode/tiff/ifd"
	"tileserver/decode/tiff/tag"
	"tileserver/geo"
	"tileserver/raster"
)

// imageGroup is an image of full resolution with its overviews and masks.
type imageGroup struct {
	full   *directory
	levels []*directory // full, then its overviews, from the finest
	masks  []*directory // one per level; nil if there is none; may be inherited from a finer level
	notes  []string

	maskCandidates []*directory // masks until finish assigns them to levels
	gdal.Annotations
	world *geo.Affine // from the world file, or nil
}

// groupDirectories sorts the directories of a file into images. The directories of overviews and
// masks follow that of their image or are its sub-directories.
func groupDirectories(dirs []*directory) []*imageGroup {
	var all []*imageGroup
	var rest []*directory
	for i, d := range dirs {
		if d.parent < 0 && (d.subfile&(tag.Reduced|tag.Mask) == 0 || i == 0) {
			all = append(all, &imageGroup{full: d, levels: []*directory{d}})
		} else {
			rest = append(rest, d)
		}
	}
	for _, d := range rest {
		if d.subfile&tag.Mask == 0 {
			ownerOf(all, d).addOverview(d)
		} else {
			g := ownerOf(all, d)
			g.maskCandidates = append(g.maskCandidates, d)
		}
	}
	return all
}

// finish sorts the levels and assigns the masks to them. Call it once all directories are added.
func (g *imageGroup) finish() {
	slices.SortStableFunc(g.levels, func(a, b *directory) int { return b.width - a.width })
	g.masks = make([]*directory, len(g.levels))
	for _, d := range g.maskCandidates {
		g.addMask(d)
	}
	g.maskCandidates = nil
	g.inheritMasks()
}

// ownerOf returns the image that a directory belongs to: the one that it is a sub-directory of,
// else the last one before it with the same proportions, else the last one before it.
func ownerOf(all []*imageGroup, d *directory) *imageGroup {
	before := all[0]
	var sameProportions *imageGroup
	for _, g := range all {
		switch {
		case d.parent >= 0 && g.full.number == d.parent:
			return g
		case g.full.number < d.number:
			before = g
			if sameShape(g.full, d) {
				sameProportions = g
			}
		}
	}
	if sameProportions != nil {
		return sameProportions
	}
	return before
}

// sameShape reports whether small may be full at a lower resolution. Rounding may change each side
// by up to a pixel.
func sameShape(full, small *directory) bool {
	scale := float64(full.width) / float64(small.width)
	height := float64(full.height) / scale
	slack := 1 + float64(full.height)/float64(full.width)
	return float64(small.height) > height-slack && float64(small.height) < height+slack
}

// addOverview adds a reduced image as a level if its samples match those of the image.
func (g *imageGroup) addOverview(d *directory) {
	full := g.full
	switch {
	case d.subfile&tag.Reduced == 0 && d.stored.sideFile == "":
		g.note("sub-directory %v of the image is not an overview", d)
	case d.samples.Count != full.samples.Count || d.samples.Type != full.samples.Type || !sameColors(d, full):
		g.note("overview %v has %d samples of %v (%v), the image has %d of %v (%v)",
			d, d.samples.Count, d.samples.Type, d.colors.Photometric, full.samples.Count, full.samples.Type, full.colors.Photometric)
	case d.width > full.width || d.height > full.height || d.width*d.height == full.width*full.height || !sameShape(full, d):
		g.note("overview %v of %dx%d does not fit the image of %dx%d", d, d.width, d.height, full.width, full.height)
	case slices.ContainsFunc(g.levels, func(l *directory) bool { return l.width == d.width && l.height == d.height }):
		g.note("overview %v: another one of %dx%d exists", d, d.width, d.height)
	case !d.stored.index.IsComplete():
		g.note("overview %v has offsets or sizes of only some of its blocks", d)
	case d.unsupported != nil && full.unsupported == nil:
		g.note("overview %v cannot be read: %v", d, d.unsupported)
	default:
		g.levels = append(g.levels, d)
	}
}

// sameColors reports whether the decoded samples of a and b have the same meaning.
func sameColors(a, b *directory) bool {
	return a.colors.AreRGB() && b.colors.AreRGB() || a.colors.AreRGB() == b.colors.AreRGB() && a.colors.Photometric == b.colors.Photometric
}

// addMask assigns a mask to the level of its size. If the mask of the image itself cannot be read,
// the image is unsupported. If that of an overview cannot be read, the overview is dropped.
func (g *imageGroup) addMask(d *directory) {
	i := slices.IndexFunc(g.levels, func(l *directory) bool { return l.width == d.width && l.height == d.height })
	problem := g.maskProblem(d)
	switch {
	case i < 0 && (d.width == 0 || d.height == 0 || d.stored.sideFile != "" && d.subfile&tag.Reduced == 0):
		i, problem = 0, cmp.Or(problem, fmt.Errorf("of %dx%d does not fit the image of %dx%d: %w", d.width, d.height, g.full.width, g.full.height, ErrCorrupt))
	case i < 0:
		g.note("mask %v of %dx%d has the size of no level", d, d.width, d.height)
		return
	case g.masks[i] != nil:
		g.note("mask %v: another one of %dx%d exists", d, d.width, d.height)
		return
	}
	switch {
	case problem == nil:
		g.masks[i] = d
	case i == 0:
		g.full.unsupported = cmp.Or(g.full.unsupported, fmt.Errorf("mask %v: %w", d, problem))
	default:
		g.note("overview %v is skipped: its mask %v: %v", g.levels[i], d, problem)
		g.drop(i)
	}
}

// maskProblem says why a mask cannot be read, or returns nil.
func (g *imageGroup) maskProblem(d *directory) error {
	switch {
	case d.unsupported != nil:
		return d.unsupported
	case d.samples.Type != raster.Uint8 || d.samples.Count != 1 && d.samples.Count != g.full.samples.Count:
		return fmt.Errorf("has %d samples of %d bits: %w", d.samples.Count, d.samples.Bits, decode.ErrUnsupported)
	}
	return nil
}

// inheritMasks gives overviews without a mask that of the next finer level, if the image has a
// mask. Without it they would show what the image hides. It drops overviews that are too coarse for
// that mask.
func (g *imageGroup) inheritMasks() {
	if g.masks[0] == nil {
		return
	}
	for i := 1; i < len(g.levels); {
		level, finer := g.levels[i], g.masks[i-1]
		if g.masks[i] == nil {
			if fitOf(finer, level).IsTooFine() {
				g.note("overview %v of %dx%d is skipped: it has no mask, but the image has one", level, level.width, level.height)
				g.drop(i)
				continue
			}
			g.note("overview %v has no mask and uses the one of %dx%d", level, finer.width, finer.height)
			g.masks[i] = finer
		}
		i++
	}
}

// readMetadata parses the tag GDAL_METADATA within what is left of a budget.
func (g *imageGroup) readMetadata(left *ifd.Budget) {
	if err := g.ParseTag(g.full.gdal.Metadata, g.full.samples.Count, left); err != nil {
		g.note("GDAL_METADATA is skipped: %v", err)
	}
}

// drop removes a level.
func (g *imageGroup) drop(i int) {
	g.levels = slices.Delete(g.levels, i, i+1)
	g.masks = slices.Delete(g.masks, i, i+1)
}

func (g *imageGroup) note(format string, values ...any) {
	g.notes = append(g.notes, fmt.Sprintf(format, values...))
}

// String returns the directory's name for notes and errors: its number in its file.
func (d *directory) String() string {
	if d.stored.sideFile == "" {
		return strconv.Itoa(d.number)
	}
	return fmt.Sprintf("%d of the side file %s", d.number, d.stored.sideFile)
}
