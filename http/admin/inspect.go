package admin

import (
	"net/http"

	"tileserver/access"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/http/serve"
	"tileserver/layer"
	"tileserver/layer/areas"
)

// cacheDocument reports the state of the cache and of the gate that bounds rendering.
type cacheDocument struct {
	MaxBytes        int64           `json:"max_bytes"`
	UsedBytes       int64           `json:"used_bytes"`
	Spaces          []spaceDocument `json:"spaces"`
	PicturesWorking int             `json:"pictures_working"`
	PicturesWaiting int             `json:"pictures_waiting"`
	Layers          int             `json:"layers"`
}

type spaceDocument struct {
	Name      string `json:"name"`
	Entries   int    `json:"entries"`
	Bytes     int64  `json:"bytes"`
	Hits      int64  `json:"hits"`
	Misses    int64  `json:"misses"`
	Joined    int64  `json:"joined"`
	Evictions int64  `json:"evictions"`
	Rejected  int64  `json:"rejected"`

	AheadBytes   int64 `json:"ahead_bytes"` // loaded before anybody asked, and not used yet
	AheadLoaded  int64 `json:"ahead_loaded"`
	AheadUsed    int64 `json:"ahead_used"`
	AheadEvicted int64 `json:"ahead_evicted"`
}

func (a *service) cache(e *answer.Exchange, r *http.Request) error {
	stats := a.Catalog.Stats()
	document := cacheDocument{
		MaxBytes: stats.Cache.MaxBytes, UsedBytes: stats.Cache.UsedBytes, Spaces: []spaceDocument{},
		PicturesWorking: stats.Working, PicturesWaiting: stats.Waiting, Layers: stats.Layers,
	}
	for _, s := range stats.Cache.Spaces {
		document.Spaces = append(document.Spaces, spaceDocument(s))
	}
	e.SendJSON(r, document)
	return nil
}

// planDocument reports what rendering a tile would read.
type planDocument struct {
	ETag   string         `json:"etag"`
	Level  int            `json:"level"`
	Scale  [2]float64     `json:"scale"` // pixels of the level in one of the tile
	Parts  []partDocument `json:"parts"` // empty where the layer is empty
	Blocks int            `json:"blocks"`
	Cached int            `json:"kept"` // the number of blocks in the cache

	GPU *gpuDocument `json:"gpu,omitempty"`
}

// partDocument is a rectangle of a tile that one window of the level fills. Rectangles are given by
// their left, top, right and bottom edges.
type partDocument struct {
	Rect   [4]int          `json:"rect"`   // in pixels of the tile
	Window [4]int          `json:"window"` // in pixels of the level
	Blocks []blockDocument `json:"blocks"`
}

type blockDocument struct {
	Column int  `json:"column"`
	Row    int  `json:"row"`
	Cached bool `json:"kept"` // in the cache
}

func (a *service) plan(e *answer.Exchange, r *http.Request) error {
	id, err := request.TileID(r.PathValue("z"), r.PathValue("x"), r.PathValue("y"))
	if err != nil {
		return err
	}
	p := request.ParametersOf(r)
	p.Asker = access.Operator
	area := areas.Tile{TileSet: request.TileSet(r), Tile: id}
	asked := layer.Request{Area: area, Format: p.Format()}
	l, err := a.Catalog.Find(r.Context(), request.PathValue(r, "layer"))
	if err != nil {
		return err
	}
	picture, err := serve.Prepare(a.Catalog, p, l, asked)
	if err != nil {
		return err
	}
	explanation, err := picture.Explain(r.Context())
	if err != nil {
		return err
	}
	document := planDocumentOf(&explanation)
	if a.Device != nil {
		document.GPU = gpuDocumentOf(a.Device(), explanation.Decoding)
	}
	e.SendJSON(r, document)
	return nil
}

func planDocumentOf(x *layer.Explanation) planDocument {
	only := &x.Parts[0]
	plan := &only.Plan
	document := planDocument{
		ETag: answer.ETag(x.Key), Level: plan.Level, Scale: [2]float64{plan.ScaleX, plan.ScaleY},
		Parts: []partDocument{}, Blocks: len(only.Cached),
	}
	cached := only.Cached // of the blocks of all parts, in order
	for i := range plan.Parts {
		p := &plan.Parts[i]
		part := partDocument{
			Rect:   [4]int{p.Rect.X0, p.Rect.Y0, p.Rect.X1, p.Rect.Y1},
			Window: [4]int{p.Window.X0, p.Window.Y0, p.Window.X1, p.Window.Y1},
		}
		for n, id := range p.Blocks {
			part.Blocks = append(part.Blocks, blockDocument{id.Col, id.Row, cached[n]})
			if cached[n] {
				document.Cached++
			}
		}
		cached = cached[len(p.Blocks):]
		document.Parts = append(document.Parts, part)
	}
	return document
}
