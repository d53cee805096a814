package nitf

import (
	"context"
	"fmt"

	"tileserver/decode/container"
	"tileserver/decode/georeference"
	"tileserver/decode/nitf/place"
	"tileserver/decode/nitf/rpf"
	"tileserver/decode/nitf/segments"
	"tileserver/decode/pam"
	"tileserver/source"
)

// findPlace returns where the image lies on earth. The order of precedence is that of GDAL: the PAM
// file, what the file says, and a world file. What cannot be read is noted.
func (s *segment) findPlace(ctx context.Context, noted *pam.Document) (georeference.Georeference, error) {
	sources := georeference.Sources{Embedded: s.embeddedPlace(ctx)}
	if s.number > 0 {
		return sources.Join(), nil
	}
	sources.PAM = noted
	if noted != nil && (noted.GeoTransform != nil || len(noted.ControlPoints) > 0) {
		s.cornersIn = ""
	}
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
func (s *segment) embeddedPlace(ctx context.Context) georeference.Georeference {
	h := s.header
	if t := s.findTRE("GEOLOB"); t != nil && s.findTRE("GEOPSB") != nil {
		g, err := place.FromGEOLOB(t.Data)
		if err == nil {
			return g
		}
		s.note(err.Error())
	}
	corners := s.frameCorners(ctx)
	if corners == nil {
		corners = s.corners()
	}
	if corners == nil {
		return georeference.Georeference{}
	}
	const enough = 3
	if n := corners.Distinct(); n < enough {
		s.note(fmt.Sprintf("the corners of image segment %d fall on %s, too few to place it", s.number+1, container.Counted(n, "point")))
	}
	return corners.Georeference(h.Columns, h.Rows)
}

// findTRE returns an extension of the image, or of the file if the image has none of that tag.
func (s *segment) findTRE(tag string) *segments.TRE {
	if t := segments.FindTRE(s.header.TREs, tag); t != nil {
		return t
	}
	return segments.FindTRE(s.file.structure.TREs, tag)
}

// frameCorners returns the corners of a frame of a map, or nil if the image is none.
func (s *segment) frameCorners(ctx context.Context) *place.Corners {
	at, ok := s.frameAt(rpf.Coverage)
	if !ok {
		return nil
	}
	at.Length = min(at.Length, rpf.CoverageBytes)
	parts, err := s.file.src.ReadRanges(ctx, []source.Range{at})
	if err != nil {
		s.note("the coverage of the frame is not read: " + err.Error())
		return nil
	}
	latLon, err := s.frame.ParseCoverage(parts[0])
	if err == nil {
		isPolar, isNorth := rpf.IsPolar(s.header.Title)
		var corners *place.Corners
		if corners, err = place.FromCoverage(latLon, isPolar, isNorth); err == nil {
			return corners
		}
	}
	s.note(err.Error())
	return nil
}

// frameAt returns where a component of the frame is, if the image is a frame of a map.
func (s *segment) frameAt(c rpf.Component) (source.Range, bool) {
	if s.frame == nil {
		return source.Range{}, false
	}
	at, ok := s.frame.At[c]
	return at, ok
}

// readFrame finds the components of a frame of a map.
func (s *segment) readFrame() {
	f := s.file.structure
	image, header := segments.FindTRE(s.header.TREs, "RPFIMG"), segments.FindTRE(f.TREs, "RPFHDR")
	if image == nil {
		return
	}
	var head []byte
	if header != nil {
		head = header.Data
	}
	var err error
	if s.frame, err = rpf.ParseFrame(head, image.Data, s.file.src.Size()); err != nil {
		s.note(err.Error())
	}
}

// preciseCorners returns the corners in CSCRNA, or nil if there are none that place the image. Those of
// a part of an image are the corners of the full one.
func (s *segment) preciseCorners() *place.Corners {
	t := segments.FindTRE(s.header.TREs, "CSCRNA")
	if t == nil || s.findTRE("ICHIPB") != nil {
		return nil
	}
	corners, err := place.FromCSCRNA(t.Data)
	if err != nil {
		s.note(err.Error())
		return nil
	}
	const enough = 3
	if corners.Distinct() < enough {
		return nil
	}
	s.cornersIn = t.Tag
	return corners
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
	if corners := s.preciseCorners(); corners != nil {
		return corners
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
