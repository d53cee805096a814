package http

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tileserver/layer"
)

func (s *server) tile(e *exchange, r *http.Request) error {
	area, format, err := tileArea(r)
	if err != nil {
		return err
	}
	return s.picture(e, r, parametersOf(r), layer.Request{Area: area, Format: format})
}

func (s *server) view(e *exchange, r *http.Request) error {
	format, err := formatOf(pathValue(r, "ext"))
	if err != nil {
		return err
	}
	p := parametersOf(r)
	return s.picture(e, r, p, layer.Request{Area: p.boxArea(), Format: format})
}

func (s *server) preview(e *exchange, r *http.Request) error {
	format, err := formatOf(pathValue(r, "ext"))
	if err != nil {
		return err
	}
	p := parametersOf(r)
	area := layer.PreviewArea{MaxSize: p.integer("max_size", defaultPreviewSide, 1, maxPreviewSide)}
	return s.picture(e, r, p, layer.Request{Area: area, Format: format})
}

// picture answers with a picture of an area. Whoever has it already is told so
// before anything is read.
func (s *server) picture(e *exchange, r *http.Request, p *parameters, request layer.Request) error {
	if request.Format == layer.AutoJPEG {
		e.Header().Add("Vary", "Accept")
		if acceptsWebP(r) {
			request.Format = layer.AutoWebP
		}
	}
	job, err := prepare(s.Catalog, r, p, request)
	if err != nil {
		return err
	}
	cacheControl := s.CacheControl
	if job.IsPassing() {
		cacheControl = "no-store"
	}
	if e.notModified(r, job.ETag(), cacheControl) {
		s.Metrics.picture(originNotModified)
		return nil
	}
	ctx, timing := layer.WithTiming(r.Context())
	picture, err := job.Picture(ctx)
	if err != nil {
		return err
	}
	s.Metrics.picture(string(picture.From))
	e.Header().Set("X-Cache", string(picture.From))
	if picture.From == layer.Miss {
		steps := stepsOf(timing)
		s.Metrics.steps(steps)
		e.Header().Set("Server-Timing", serverTiming(steps))
	}
	e.send(r, http.StatusOK, content{
		body: picture.Bytes, mime: picture.MIME, etag: picture.ETag, cacheControl: cacheControl, kept: picture.From == layer.Hit,
	})
	return nil
}

// acceptsWebP tells whether a client says by name that it shows WebP, as browsers that do
// say. "image/*" does not tell.
func acceptsWebP(r *http.Request) bool {
	for _, list := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(list, ",") {
			mime, parameters, _ := strings.Cut(part, ";")
			if strings.EqualFold(strings.TrimSpace(mime), "image/webp") && !isRefused(parameters) {
				return true
			}
		}
	}
	return false
}

// isRefused tells whether the parameters of a media type give it a quality of 0.
func isRefused(parameters string) bool {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if quality, err := strconv.ParseFloat(value, 64); strings.EqualFold(name, "q") && err == nil && quality == 0 {
			return true
		}
	}
	return false
}

// prepare settles a request whose layer is in the path and whose style is in
// the query.
func prepare(catalog *layer.Catalog, r *http.Request, p *parameters, request layer.Request) (*layer.Job, error) {
	l, err := catalog.Layer(pathValue(r, "layer"))
	if err != nil {
		return nil, err
	}
	style, err := l.Style(p.text("style"))
	if err != nil {
		return nil, err
	}
	request.Layer, request.Style, request.Encoding = l.ID(), p.style(style), p.encoding()
	if p.err != nil {
		return nil, p.err
	}
	return catalog.Prepare(request)
}

// step is a part of the making of a picture.
type step struct {
	name string
	took time.Duration
}

func stepsOf(t *layer.Timing) []step {
	return []step{
		{"plan", time.Duration(t.Plan.Load())},
		{"read", time.Duration(t.Read.Load())},
		{"sample", time.Duration(t.Sample.Load())},
		{"render", time.Duration(t.Render.Load())},
		{"encode", time.Duration(t.Encode.Load())},
	}
}

// serverTiming is how browsers are told of steps: in milliseconds.
func serverTiming(steps []step) string {
	parts := make([]string, len(steps))
	for i, s := range steps {
		parts[i] = fmt.Sprintf("%s;dur=%.3f", s.name, float64(s.took)/float64(time.Millisecond))
	}
	return strings.Join(parts, ", ")
}
