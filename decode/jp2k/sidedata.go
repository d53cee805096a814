package jp2k

import (
	"context"

	"tileserver/decode/georeference"
	"tileserver/decode/pam"
)

// sideData is the information about an image that is not in its codestream: its georeference, and
// its side files.
type sideData struct {
	beside *georeference.SideFiles
	noted  *pam.Document // from NAME.aux.xml, or nil
	place  georeference.Georeference
	notes  []string
}

const (
	maxNotedBytes = 8 << 20
	maxNotedBands = 1 << 14 // the maximum number of components
)

// readSideData reads the side files of a file and finds its georeference.
func readSideData(ctx context.Context, f *File, config Config) (s sideData, err error) {
	s.beside = georeference.NewSideFiles(f.src, config.Beside)
	s.noted, err = s.beside.ReadPAM(ctx, maxNotedBands, maxNotedBytes)
	note, err := georeference.Note(ctx, err)
	if err != nil {
		return s, err
	}
	if note != "" {
		s.notes = append(s.notes, note)
	}
	place, notes, err := georeferenceOf(ctx, config, f.container, s.noted, s.beside)
	s.place, s.notes = place, append(s.notes, notes...)
	return s, err
}
