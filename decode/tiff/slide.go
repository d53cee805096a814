package tiff

import "tileserver/decode/tiff/tag"

// markSlidePages corrects which pages of a microscope slide are overviews. Aperio's slides (.svs)
// call the label and the picture of the whole slide reduced, and the levels not. The levels are the
// tiled pages with the proportions of the first one.
func markSlidePages(s *structure, dirs []*directory) {
	full := dirs[0]
	if len(dirs) == 1 || !full.tiled || !isSlide(s) {
		return
	}
	for _, d := range dirs[1:] {
		switch {
		case d.parent >= 0 || d.subfile&tag.Mask != 0:
		case d.tiled && d.width < full.width && d.height < full.height && sameShape(full, d):
			d.subfile, d.parent = d.subfile|tag.Reduced, full.number
		default:
			d.subfile &^= tag.Reduced
		}
	}
}

// isSlide reports whether the first directory of a file describes a slide of Aperio.
func isSlide(s *structure) bool {
	const maker = "Aperio"
	e := s.Directories[0].Entry(tag.ImageDescription)
	if e == nil || e.Count < uint64(len(maker)) {
		return false
	}
	text := make([]byte, len(maker))
	_, err := s.ReadAt(text, e.Offset)
	return err == nil && string(text) == maker
}
