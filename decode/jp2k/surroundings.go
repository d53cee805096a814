package jp2k

import (
	"context"

	"tileserver/decode/georeference"
	"tileserver/decode/pam"
)

// surroundings is what is said of an image outside of its codestream and the boxes of its colours: where it lies on earth,
// and what others have noted beside the file.
type surroundings struct {
	beside *georeference.Beside
	noted  *pam.Document // in NAME.aux.xml, or nil
	place  georeference.Georeference
	notes  []string
}

const (
	mostNotedBytes = 8 << 20
	mostNotedBands = 1 << 14 // as many as there are components
)

// lookAround reads what lies beside a file, and finds where its image lies.
func lookAround(ctx context.Context, f *File) (s surroundings, err error) {
	s.beside = georeference.NewBeside(f.src, f.config.Beside)
	s.noted, err = s.beside.Noted(ctx, mostNotedBands, mostNotedBytes)
	note, err := georeference.Note(ctx, err)
	if err != nil {
		return s, err
	}
	if note != "" {
		s.notes = append(s.notes, note)
	}
	place, notes, err := georeferenceOf(ctx, f.config, f.container, s.noted, s.beside)
	s.place, s.notes = place, append(s.notes, notes...)
	return s, err
}

// Georeference says where on earth the image lies.
func (m *Image) Georeference() georeference.Georeference { return m.file.around.place }
