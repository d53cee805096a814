package http

import (
	"net/url"

	"tileserver/http/request"
	"tileserver/layer"
)

// cacheImmutable caches a picture whose address contains its version: a year, without
// revalidation.
const cacheImmutable = "public, max-age=31536000, immutable"

// versionName is the parameter with the version of a picture.
const versionName = "v"

// cacheControlOf returns the Cache-Control of a picture.
func (s *server) cacheControlOf(p *request.Parameters, composition *layer.Composition) string {
	switch {
	case composition.IsPerTile():
		return "no-store"
	case s.Versioned && p.Text(versionName) == composition.Version():
		return cacheImmutable
	}
	return s.CacheControl
}

// tileQuery returns the query of tiles that look like that of a composition: the style, and the version if
// addresses have one.
func (s *server) tileQuery(p *request.Parameters, composition *layer.Composition) string {
	query := p.StyleQuery()
	for _, name := range []string{"empty", "tilesize"} {
		if text := p.Text(name); text != "" {
			query.Set(name, text)
		}
	}
	if s.Versioned && !composition.IsPerTile() {
		query.Set(versionName, composition.Version())
	}
	return query.Encode()
}

// versionQuery returns the query with the version of the layer's default style, with its question
// mark, or "" if addresses have none.
func (s *server) versionQuery(l *layer.Layer) string {
	if !s.Versioned {
		return ""
	}
	p := new(request.Parameters)
	composition, err := prepare(s.Catalog, p, layer.Request{Layer: l.ID(), Area: layer.PreviewArea{MaxSize: 1}})
	if err != nil || composition.IsPerTile() {
		return ""
	}
	return "?" + url.Values{versionName: {composition.Version()}}.Encode()
}
