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

// tileQuery returns the query of tiles of an appearance: the style, and the version if addresses have
// one.
func (s *server) tileQuery(p *request.Parameters, appearance *layer.Appearance) string {
	query := p.StyleQuery()
	for _, name := range []string{"empty", "tilesize"} {
		if text := p.Text(name); text != "" {
			query.Set(name, text)
		}
	}
	if s.Versioned && !appearance.IsPerTile() {
		query.Set(versionName, appearance.Version())
	}
	return query.Encode()
}

// versionQuery returns the query with the version of the layer's default style, with its question
// mark, or "" if addresses have none.
func (s *server) versionQuery(l *layer.Layer) string {
	if query := s.versionOf(l, ""); query != "" {
		return "?" + query
	}
	return ""
}

// versionOf returns the query with the version of a layer's style, or "" if addresses have none.
func (s *server) versionOf(l *layer.Layer, style string) string {
	if !s.Versioned {
		return ""
	}
	own, err := l.Style(style)
	if err != nil {
		return ""
	}
	appearance, err := l.Appearance(own, layer.PNG)
	if err != nil || appearance.IsPerTile() {
		return ""
	}
	return url.Values{versionName: {appearance.Version()}}.Encode()
}
