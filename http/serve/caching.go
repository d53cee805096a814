package serve

import (
	"net/url"

	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/layer"
)

// cacheNothing is the Cache-Control of a picture that nobody may keep.
const cacheNothing = "no-store"

// VersionName is the parameter with the version of a picture, in addresses.
const VersionName = "v"

// cacheControlOf returns the Cache-Control of a picture.
func (s *Server) cacheControlOf(p *request.Parameters, picture *layer.Composition) string {
	switch {
	case picture.IsPerTile():
		return cacheNothing
	case s.Versioned && p.Text(VersionName) == picture.Version():
		return answer.CacheImmutable
	}
	return s.CacheControl
}

// VersionQuery returns the query with the version of a layer's style, or "" if addresses have none.
// Without a style it is that of the default style.
func (s *Server) VersionQuery(l *layer.Layer, style string) string {
	if !s.Versioned {
		return ""
	}
	own, err := l.Style(style)
	if err != nil {
		return ""
	}
	appearance, err := l.Appearance(own, layer.PNG)
	if err != nil {
		return ""
	}
	version := make(url.Values)
	s.addVersion(version, appearance)
	return version.Encode()
}

// TileQuery returns the query of tiles of an appearance: the style, and the version if addresses have
// one.
func (s *Server) TileQuery(p *request.Parameters, appearance *layer.Appearance) string {
	query := p.StyleQuery()
	for _, name := range []string{"empty", "tilesize"} {
		if text := p.Text(name); text != "" {
			query.Set(name, text)
		}
	}
	s.addVersion(query, appearance)
	return query.Encode()
}

// addVersion adds the version of an appearance to a query if addresses have one.
func (s *Server) addVersion(query url.Values, appearance *layer.Appearance) {
	if s.Versioned && !appearance.IsPerTile() {
		query.Set(VersionName, appearance.Version())
	}
}
