package api

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/layer"
	"tileserver/layer/listing"
)

// layerSummary describes a layer in a list.
type layerSummary struct {
	ID    string `json:"id"`
	Title string `json:"title"`

	Abstract    string `json:"abstract,omitempty"`
	Attribution string `json:"attribution,omitempty"`

	// Offered layers have files that are opened when somebody asks for them. Until then, nothing else is known, and
	// they are taken for placed.
	Offered bool `json:"offered,omitempty"`

	Placed    bool     `json:"placed"` // whether the position on earth is known
	Bounds    []number `json:"bounds"` // west, south, east, north, or null
	Width     int      `json:"width"`
	Height    int      `json:"height"`
	BandCount int      `json:"band_count"`

	// Statistics is the version of the statistics that stretches depend on.
	Statistics string            `json:"statistics_version"`
	Overviews  *overviewDocument `json:"overviews,omitempty"` // while they are being built
	Allow      *allowDocument    `json:"allow,omitempty"`     // what strangers may ask for, unless it is everything
}

// listedLayer is a layer in a list. Its own document has more links.
type listedLayer struct {
	layerSummary
	Links listedLinks `json:"links"`
}

// layerList is a page of the list of layers.
type layerList struct {
	Layers []listedLayer `json:"layers"`
	Total  int           `json:"total"`           // of all pages
	Offset int           `json:"offset"`          // the number of layers before this page
	Start  string        `json:"start,omitempty"` // the id of the layer that a viewer should show first
	Next   string        `json:"next,omitempty"`  // the address of the next page
}

// The bounds of the page of a list.
const (
	defaultPageLayers = 1000
	maxPageLayers     = 100_000
)

// layerListQuery is the parsed query of a list.
type layerListQuery struct {
	listing.Selection
	listing.Range
}

func layerListQueryOf(p *request.Parameters) layerListQuery {
	query := layerListQuery{Range: listing.Range{
		Limit:  p.Integer("limit", defaultPageLayers, 1, maxPageLayers),
		Offset: p.Integer("offset", 0, 0, 1<<31-1),
		After:  p.ID("after"),
	}}
	query.Words = p.Words("q")
	placements := map[string]listing.Placement{"any": listing.AnyPlacement, "true": listing.Placed, "false": listing.Unplaced}
	query.Placement = placements[p.Choice("placed", "any", "true", "false")]
	if query.After != "" && query.Offset > 0 {
		p.Reject("after and offset exclude each other")
	}
	return query
}

// values returns the query for addresses, without the position of the page.
func (q *layerListQuery) values() url.Values {
	values := url.Values{"limit": {strconv.Itoa(q.Limit)}}
	if len(q.Words) > 0 {
		values.Set("q", strings.Join(q.Words, " "))
	}
	switch q.Placement {
	case listing.Placed:
		values.Set("placed", "true")
	case listing.Unplaced:
		values.Set("placed", "false")
	}
	return values
}

func (s *service) layers(e *answer.Exchange, r *http.Request) error {
	p := request.ParametersOf(r)
	query := layerListQueryOf(p.CheckSpelling("limit", "after", "offset", "placed"))
	if p.Err != nil {
		return p.Err
	}
	page, err := s.Catalog.Page(query.Selection, query.Range)
	if err != nil {
		return err
	}
	r = s.ForAllLayers(r)
	building := buildingOf(&page, s.Catalog.OverviewProgress())
	key := fmt.Sprintf("layers\n%s\n%d\n%s\n%d\n%v",
		s.BaseURL(r), page.ChangedAt.UnixNano(), query.values().Encode(), page.Offset, building)
	return s.SendCachedDocument(e, r, answer.MIMEJSON, key, func(w io.Writer) error {
		_, err := w.Write(answer.Marshal(s.layerList(r, &query, &page, building)))
		return err
	})
}

// buildingOf returns the progress of the overviews of a page's layers. It is rounded to hundredths,
// so that a cached page stays valid until the next hundredth.
func buildingOf(page *layer.Page, fractions map[string]float64) map[string]float64 {
	if len(fractions) == 0 {
		return nil
	}
	building := make(map[string]float64)
	for _, l := range page.Layers {
		if fraction, ok := fractions[l.ID()]; ok {
			building[l.ID()] = float64(int(100*fraction)) / 100
		}
	}
	return building
}

func (s *service) layerList(r *http.Request, query *layerListQuery, page *layer.Page, building map[string]float64) layerList {
	list := layerList{Layers: make([]listedLayer, 0, len(page.Layers)+len(page.Offered)), Total: page.Total, Offset: page.Offset, Start: s.Catalog.StartLayerID()}
	for _, l := range page.Layers {
		d := l.Describe()
		list.Layers = append(list.Layers, listedLayer{s.summary(l, &d, building), s.listedLinks(r, l, &d)})
	}
	for _, l := range page.Offered {
		self := s.BaseURL(r) + "/layers/" + url.PathEscape(l.ID)
		list.Layers = append(list.Layers, listedLayer{layerSummary{ID: l.ID, Title: l.Title, Offered: true, Placed: true}, listedLinks{Self: self}})
	}
	if last := page.Last(); last != "" && !page.IsLast() {
		values := query.values()
		values.Set("after", last)
		list.Next = s.BaseURL(r) + "/layers?" + values.Encode()
	}
	return list
}

// summary describes a layer for a list. building has the layers whose overviews are being built.
func (s *service) summary(l *layer.Layer, d *layer.Description, building map[string]float64) layerSummary {
	summary := layerSummary{
		ID: l.ID(), Title: l.Title(), Abstract: l.Abstract(), Attribution: l.Attribution(),
		Placed: d.IsPlaced(), Width: d.Width, Height: d.Height, BandCount: len(d.Info.Bands), Statistics: s.statisticsState(l).Version,
		Allow: allowDocumentOf(&l.Access().Strangers),
	}
	if d.HasBounds {
		summary.Bounds = boundsArray(d.Bounds)
	}
	if fraction, ok := building[l.ID()]; ok {
		summary.Overviews = &overviewDocument{true, number(fraction)}
	}
	return summary
}
