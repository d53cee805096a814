package http

import (
	"net/url"

	"tileserver/layer"
)

// forEver is for pictures whose address says their version: a year, and no questions.
const forEver = "public, max-age=31536000, immutable"

// versionName is the parameter that says the version of a picture.
const versionName = "v"

// cacheControlOf is how long a picture may be kept by others.
func (s *server) cacheControlOf(p *parameters, job *layer.Job) string {
	switch {
	case job.IsPerTile():
		return "no-store"
	case s.Versioned && p.text(versionName) == job.Version():
		return forEver
	}
	return s.CacheControl
}

// tileQuery is what is to be asked of all tiles that look like those of a job: the style,
// and their version where addresses have one.
func (s *server) tileQuery(p *parameters, job *layer.Job) string {
	query := p.styleQuery()
	for _, name := range []string{"empty", "tilesize"} {
		if text := p.text(name); text != "" {
			query.Set(name, text)
		}
	}
	if s.Versioned && !job.IsPerTile() {
		query.Set(versionName, job.Version())
	}
	return query.Encode()
}

// versionQuery is tileQuery of a layer as it is, with the question mark, or nothing.
func (s *server) versionQuery(l *layer.Layer) string {
	if !s.Versioned {
		return ""
	}
	p := new(parameters)
	job, err := prepare(s.Catalog, p, layer.Request{Layer: l.ID(), Area: layer.PreviewArea{MaxSize: 1}})
	if err != nil || job.IsPerTile() {
		return ""
	}
	return "?" + url.Values{versionName: {job.Version()}}.Encode()
}
