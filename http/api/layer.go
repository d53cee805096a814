package api

import (
	"net/http"

	"tileserver/display"
	"tileserver/geo"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
)

// layerDocument describes a layer in full.
type layerDocument struct {
	layerSummary
	Links      layerLinks         `json:"links"`
	DataType   string             `json:"dtype"`
	Bands      []bandDocument     `json:"bands"`
	Default    *styleSummary      `json:"default"` // the style of a request without parameters
	Heights    bool               `json:"heights"` // whether terrain algorithms make sense
	CRS        *crsDocument       `json:"crs"`     // or null
	CRSProblem string             `json:"crs_problem,omitempty"`
	EPSG       int                `json:"epsg,omitempty"` // of a system that cannot be computed
	Placement  *placementDocument `json:"placement,omitempty"`
	TileSets   []tileSetDocument  `json:"tile_matrix_sets"`
	Styles     []styleDocument    `json:"styles"`
	Progress   statisticsState    `json:"statistics"`
	Damage     *damageDocument    `json:"damage,omitempty"` // as far as known
	Notes      []string           `json:"notes,omitempty"`  // settings without effect, and why
}

// statisticsState is the state of the statistics that stretches depend on.
type statisticsState struct {
	Version  string  `json:"version"`            // a change may change pictures
	Progress *number `json:"progress,omitempty"` // from 0 to 1, while they are being computed
}

// overviewDocument is the state of overviews that the file lacks and that take long to build.
type overviewDocument struct {
	Building bool   `json:"making"`   // false: building starts when a picture needs them
	Progress number `json:"progress"` // from 0 to 1
}

type styleDocument struct {
	Name   string        `json:"name"`
	Title  string        `json:"title"`
	Legend string        `json:"legend"`
	Shows  *styleSummary `json:"shows"` // null if the current version does not support the style
}

type styleSummary = layer.StyleSummary

type bandDocument struct {
	Index      int          `json:"index"` // from 1, as in bidx
	Role       display.Role `json:"role"`
	Name       string       `json:"name,omitempty"`
	Color      string       `json:"color"`
	NoData     *number      `json:"nodata"`               // or null
	Unit       string       `json:"unit,omitempty"`       // of values
	Scale      number       `json:"scale,omitempty"`      // value = sample*scale + offset
	Offset     number       `json:"offset,omitempty"`     //
	Wavelength number       `json:"wavelength,omitempty"` // in nanometers
}

type crsDocument struct {
	Code string `json:"code,omitempty"` // empty for a custom system
	Name string `json:"name"`
}

type tileSetDocument struct {
	ID      string `json:"id"`
	MinZoom int    `json:"minzoom"`
	MaxZoom int    `json:"maxzoom"`
	Tiles   string `json:"tiles,omitempty"`
}

func (s *service) layer(e *answer.Exchange, r *http.Request) error {
	l, err := s.layerOf(r)
	if err != nil {
		return err
	}
	if err := request.ParametersOf(r).Allow().Err; err != nil {
		return err
	}
	d := l.Describe()
	document := layerDocument{
		layerSummary: s.summary(l, &d, nil),
		Links:        s.links(r, l, &d),
		DataType:     d.Info.Type.String(),
		Bands:        bandDocuments(&d),
		Heights:      l.HasHeights(),
		CRSProblem:   d.CRSProblem,
		EPSG:         d.EPSG,
		Placement:    placementDocumentOf(&d),
		Notes:        d.Notes,
	}
	if d.CRS != nil {
		document.CRS = &crsDocument{d.CRS.Code(), d.CRS.Name()}
	}
	document.Styles = s.styleDocuments(l, s.placeOf(r, l))
	document.Default = document.Styles[0].Shows
	document.Progress = s.statisticsState(l)
	if state, ok := s.Catalog.OverviewState(r.Context(), l); ok {
		document.Overviews = &overviewDocument{state.Building, number(state.Progress)}
	}
	document.Damage = damageDocumentOf(l.Damage())
	document.TileSets = s.tileSetDocuments(r, l, &d)
	e.SendJSON(r, document)
	return nil
}

func (s *service) tileSetDocuments(r *http.Request, l *layer.Layer, d *layer.Description) []tileSetDocument {
	var documents []tileSetDocument
	at, version := s.placeOf(r, l), s.VersionQuery(l, "")
	format, hasPictures := serve.PictureFormat(l)
	for _, set := range d.TileSets {
		document := tileSetDocument{ID: set.Set.ID, MinZoom: set.MinZoom, MaxZoom: set.MaxZoom}
		if hasPictures {
			document.Tiles = at.tilesTemplate(set.Set.ID, format.Extension(), version)
		}
		documents = append(documents, document)
	}
	return documents
}

// styleDocuments describes all styles of a layer, the default one first.
func (s *service) styleDocuments(l *layer.Layer, at place) []styleDocument {
	var documents []styleDocument
	for _, style := range l.Styles() {
		document := styleDocument{Name: style.Name, Title: style.Title, Legend: at.at("/legend.png", "style="+style.Name)}
		if shows, err := s.Catalog.Summary(l, style.Style); err == nil {
			hideRanges(l, &shows)
			document.Shows = &shows
		}
		documents = append(documents, document)
	}
	return documents
}

// hideRanges removes what statistics have told about a style, if strangers may not know values.
func hideRanges(l *layer.Layer, shows *styleSummary) {
	isOfStatistics := shows.Stretch != display.Stretch{Kind: display.NoStretch}.String()
	if isOfStatistics && l.Access().Strangers.CheckValues() != nil {
		shows.Rescale = nil
	}
}

func (s *service) statisticsState(l *layer.Layer) statisticsState {
	version, fraction, isRunning := s.Catalog.StatisticsState(l)
	state := statisticsState{Version: version}
	if isRunning {
		progress := number(fraction)
		state.Progress = &progress
	}
	return state
}

func boundsArray(b geo.Bounds) []number {
	return []number{number(b.MinX), number(b.MinY), number(b.MaxX), number(b.MaxY)}
}

func bandDocuments(d *layer.Description) []bandDocument {
	bands := make([]bandDocument, len(d.Info.Bands))
	for i, band := range d.Info.Bands {
		bands[i] = bandDocument{Index: i + 1, Role: display.RoleOf(d.Info, i), Name: band.Name, Color: band.Color.String(), Unit: band.Unit, Wavelength: number(band.Wavelength)}
		if band.Scale != 0 && (band.Scale != 1 || band.Offset != 0) {
			bands[i].Scale, bands[i].Offset = number(band.Scale), number(band.Offset)
		}
		if band.HasNoData {
			noData := number(band.NoData)
			bands[i].NoData = &noData
		}
	}
	return bands
}
