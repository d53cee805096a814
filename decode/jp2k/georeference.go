package jp2k

import (
	"bytes"
	"context"
	"fmt"

	"tileserver/decode/georeference"
	"tileserver/decode/jp2k/boxes"
	"tileserver/decode/jp2k/gmljp2"
	"tileserver/decode/pam"
	"tileserver/geo"
	"tileserver/source"
)

// georeferenceOf returns the georeference of a container's image. The precedence is that of GDAL:
// the PAM file, GeoJP2, GMLJP2, the box of a world file, and a world file beside the image.
// Unreadable sources are ignored and noted. The error is the cause of the end of ctx.
func georeferenceOf(ctx context.Context, config Config, c *boxes.Container, noted *pam.Document, beside *georeference.SideFiles) (georeference.Georeference, []string, error) {
	l := locator{ctx: ctx, config: config, container: c}
	sources := georeference.Sources{PAM: noted, Embedded: l.embedded()}
	if g := sources.Join(); !g.HasAffine {
		world, err := beside.WorldFile(ctx)
		if note, fatal := georeference.Note(ctx, err); note != "" || fatal != nil {
			l.note("%s", note)
		}
		sources.World = world
	}
	return sources.Join(), l.notes, context.Cause(ctx)
}

// locator collects the georeferences in a container.
type locator struct {
	ctx       context.Context
	config    Config
	container *boxes.Container
	notes     []string
}

func (l *locator) note(format string, values ...any) {
	l.notes = append(l.notes, fmt.Sprintf(format, values...))
}

// embedded returns the first georeference with both a position and a reference system. Otherwise it
// combines several.
func (l *locator) embedded() georeference.Georeference {
	all := l.candidates()
	for _, g := range all {
		if hasPosition(g) && g.CRS != nil {
			return g
		}
	}
	combined := new(georeference.GeoTIFF).Georeference() // holds the reason why there is none
	for _, g := range all {
		if hasPosition(g) {
			combined = g
			break
		}
	}
	for _, g := range all {
		if g.CRS != nil {
			combined.CRS, combined.CRSError, combined.Tags = g.CRS, nil, g.Tags
			break
		}
	}
	return combined
}

// hasPosition reports whether a georeference suffices to place all pixels.
func hasPosition(g georeference.Georeference) bool {
	const minPoints = 3
	return g.HasAffine || len(g.ControlPoints) >= minPoints
}

// candidates returns the georeferences in the boxes, in order of precedence.
func (l *locator) candidates() []georeference.Georeference {
	all := l.geoTIFFs()
	if g, ok := l.gml(); ok {
		all = append(all, g)
	}
	if numbers, ok := l.container.WorldFile(); ok {
		g := new(georeference.GeoTIFF).Georeference()
		var err error
		if g.Affine, err = georeference.FromWorldFile(numbers); err != nil {
			l.note("the world file box is ignored: %v", err)
			return all
		}
		g.HasAffine = true
		all = append(all, g)
	}
	return all
}

// maxGeoTIFFs is the maximum number of GeoJP2 boxes. Real files have at most two.
const maxGeoTIFFs = 4

func (l *locator) geoTIFFs() []georeference.Georeference {
	if l.config.GeoTIFF == nil {
		return nil
	}
	var all []georeference.Georeference
	for i, content := range l.container.GeoTIFFs() {
		if i == maxGeoTIFFs {
			l.note("only the first %d GeoJP2 boxes are read", maxGeoTIFFs)
			break
		}
		g, err := l.config.GeoTIFF(l.ctx, source.NewBytes("GeoJP2", content))
		if err != nil {
			l.note("GeoJP2 box %d is ignored: %v", i+1, err)
			continue
		}
		all = append(all, g)
	}
	return all
}

// gml returns the georeference of the root instance of GMLJP2, or of another text with a grid.
func (l *locator) gml() (g georeference.Georeference, ok bool) {
	text := l.rootInstance()
	if text == nil {
		return g, false
	}
	grid, err := gmljp2.Parse(text, gmljp2.Limits{})
	if err != nil {
		l.note("GMLJP2 is ignored: %v", err)
		return g, false
	}
	crs, northingFirst, err := l.crsNamed(grid.CRSName, text)
	if grid.EastingFirst() {
		northingFirst = false
	}
	g.CRS, g.CRSError = crs, err
	if g.Affine, err = georeference.FromWorldFile(grid.WorldFile(northingFirst)); err != nil {
		l.note("GMLJP2 is ignored: %v", err)
		return g, false
	}
	if a := g.Affine; northingFirst && a.A == 0 && a.B < 0 && a.D > 0 && a.E == 0 {
		l.note("GMLJP2 lays the image on its side: its writer probably assumed that the axes of %s are easting and northing", grid.CRSName)
	}
	g.HasAffine = true
	return g, true
}

func (l *locator) rootInstance() []byte {
	if text := l.container.Text("gml.root-instance"); text != nil {
		return text
	}
	for _, text := range l.container.XML {
		if bytes.Contains(text, []byte("RectifiedGrid")) {
			return text
		}
	}
	return nil
}

// crsNamed returns the reference system of a grid by its name, or from a dictionary in the file.
func (l *locator) crsNamed(name string, root []byte) (crs *geo.CRS, northingFirst bool, err error) {
	if name == "" {
		return nil, false, fmt.Errorf("%w: GMLJP2 names no reference system", geo.ErrUnknownCRS)
	}
	reference, ok := gmljp2.ParseReference(name)
	if !ok {
		return geo.ParseCRSName(name)
	}
	dictionary := root
	if reference.Label != "" {
		dictionary = l.container.Text(reference.Label)
	}
	code, ok := gmljp2.CodeInDictionary(dictionary, reference.ID, gmljp2.Limits{})
	if !ok {
		return nil, false, fmt.Errorf("%w: GMLJP2 refers to %.80q, which has no EPSG code", geo.ErrUnknownCRS, name)
	}
	crs, err = geo.ByCode(code)
	return crs, false, err
}
