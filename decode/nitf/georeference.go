package nitf

import (
	"context"

	"tileserver/decode/georeference"
	"tileserver/decode/nitf/place"
	"tileserver/decode/nitf/segments"
	"tileserver/decode/pam"
)

// findPlace returns where the image lies on earth. The order of precedence is that of GDAL: the PAM
// file, what the file says, and a world file. What cannot be read is noted.
func (s *segment) findPlace(ctx context.Context, noted *pam.Document) (georeference.Georeference, error) {
	sources := georeference.Sources{Embedded: s.embeddedPlace()}
	if s.number > 0 {
		return sources.Join(), nil
	}
	sources.PAM = noted
	if g := sources.Join(); !g.HasPlaces() {
		world, err := s.file.beside.WorldFile(ctx)
		note, fatal := georeference.Note(ctx, err)
		if fatal != nil {
			return g, fatal
		}
		s.note(note)
		sources.World = world
	}
	return sources.Join(), nil
}

// embeddedPlace returns where the headers say that the image lies: exact numbers of rasters in
// longitude and latitude first, then corners, the more precise ones first.
func (s *segment) embeddedPlace() georeference.Georeference {
	h := s.header
	if t := segments.FindTRE(h.TREs, "GEOLOB"); t != nil && segments.FindTRE(h.TREs, "GEOPSB") != nil {
		g, err := place.FromGEOLOB(t.Data)
		if err == nil {
			return g
		}
		s.note(err.Error())
	}
	corners := s.corners()
	if corners == nil {
		return georeference.Georeference{}
	}
	return corners.Georeference(h.Columns, h.Rows)
}

// corners returns the corners of the image, or nil if the headers have none.
func (s *segment) corners() *place.Corners {
	h := s.header
	if t := segments.FindTRE(h.TREs, "BLOCKA"); t != nil {
		corners, err := place.FromBLOCKA(t.Data, h.Rows)
		if corners != nil {
			return corners
		}
		if err != nil {
			s.note(err.Error())
		}
	}
	if h.Coordinates == "" {
		return nil
	}
	corners, err := place.ParseCorners(h.Coordinates, h.Corners)
	if err != nil {
		s.note("the corners (IGEOLO) are ignored: " + err.Error())
		return nil
	}
	return corners
}
