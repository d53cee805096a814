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

// georeferenceOf finds where the image of a container lies. As GDAL has it, what is noted beside the file goes before GeoJP2,
// that before GMLJP2, that before the box of a world file, and that before a world file beside it. What cannot be read is
// left out, and the notes say so. An error is one of ctx.
func georeferenceOf(ctx context.Context, config Config, c *boxes.Container, noted *pam.Document, beside *georeference.Beside) (georeference.Georeference, []string, error) {
	l := locator{ctx: ctx, config: config, container: c}
	sources := georeference.Sources{Noted: noted, Embedded: l.embedded()}
	if g := sources.Join(); !g.HasAffine {
		world, err := beside.WorldFile(ctx)
		if note, fatal := georeference.Note(ctx, err); note != "" || fatal != nil {
			l.note("%s", note)
		}
		sources.World = world
	}
	return sources.Join(), l.notes, context.Cause(ctx)
}

// locator goes through all that a container says of places.
type locator struct {
	ctx       context.Context
	config    Config
	container *boxes.Container
	notes     []string
}

func (l *locator) note(format string, values ...any) {
	l.notes = append(l.notes, fmt.Sprintf(format, values...))
}

// embedded is the first that says where pixels lie and in what; else what several say together.
func (l *locator) embedded() georeference.Georeference {
	all := l.candidates()
	for _, g := range all {
		if isPlaced(g) && g.CRS != nil {
			return g
		}
	}
	joined := new(georeference.GeoTIFF).Georeference() // that says why there is none
	for _, g := range all {
		if isPlaced(g) {
			joined = g
			break
		}
	}
	for _, g := range all {
		if g.CRS != nil {
			joined.CRS, joined.CRSError = g.CRS, nil
			break
		}
	}
	return joined
}

// isPlaced tells whether there is enough to say where all pixels lie.
func isPlaced(g georeference.Georeference) bool {
	const leastPoints = 3
	return g.HasAffine || len(g.ControlPoints) >= leastPoints
}

// candidates are what the boxes say, from what goes before all others.
func (l *locator) candidates() []georeference.Georeference {
	all := l.geoTIFFs()
	if g, ok := l.gml(); ok {
		all = append(all, g)
	}
	if numbers, ok := l.container.WorldFile(); ok {
		g := new(georeference.GeoTIFF).Georeference()
		var err error
		if g.Affine, err = georeference.FromWorldFile(numbers); err != nil {
			l.note("the box of a world file is left out: %v", err)
			return all
		}
		g.HasAffine = true
		all = append(all, g)
	}
	return all
}

// mostGeoTIFFs is two more than anybody writes.
const mostGeoTIFFs = 4

func (l *locator) geoTIFFs() []georeference.Georeference {
	if l.config.GeoTIFF == nil {
		return nil
	}
	var all []georeference.Georeference
	for i, content := range l.container.GeoTIFFs() {
		if i == mostGeoTIFFs {
			l.note("only the first %d boxes of GeoJP2 are read", mostGeoTIFFs)
			break
		}
		g, err := l.config.GeoTIFF(l.ctx, source.NewBytes("GeoJP2", content))
		if err != nil {
			l.note("box %d of GeoJP2 is left out: %v", i+1, err)
			continue
		}
		all = append(all, g)
	}
	return all
}

// gml is what the root instance of GMLJP2 says, or, where there is none, another text with a grid.
func (l *locator) gml() (g georeference.Georeference, ok bool) {
	text := l.rootInstance()
	if text == nil {
		return g, false
	}
	grid, err := gmljp2.Parse(text, gmljp2.Limits{})
	if err != nil {
		l.note("GMLJP2 is left out: %v", err)
		return g, false
	}
	crs, northingFirst, err := l.crsNamed(grid.CRSName, text)
	if grid.EastingFirst() {
		northingFirst = false
	}
	g.CRS, g.CRSError = crs, err
	if g.Affine, err = georeference.FromWorldFile(grid.WorldFile(northingFirst)); err != nil {
		l.note("GMLJP2 is left out: %v", err)
		return g, false
	}
	if a := g.Affine; northingFirst && a.A == 0 && a.B < 0 && a.D > 0 && a.E == 0 {
		l.note("GMLJP2 lays the image on its side: whoever wrote it has probably taken the axes of %s for easting and northing", grid.CRSName)
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

// crsNamed finds the reference system of a grid by its name, or in a dictionary within the file.
func (l *locator) crsNamed(name string, root []byte) (crs *geo.CRS, northingFirst bool, err error) {
	if name == "" {
		return nil, false, fmt.Errorf("%w: GMLJP2 names none", geo.ErrUnknownCRS)
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
		return nil, false, fmt.Errorf("%w: GMLJP2 refers to %.80q, which has no number", geo.ErrUnknownCRS, name)
	}
	crs, err = geo.ByCode(code)
	return crs, false, err
}
