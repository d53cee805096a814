package http

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"tileserver/http/accept"
	"tileserver/layer"
)

func (s *server) tile(e *exchange, r *http.Request) error {
	area, format, err := tileArea(r)
	if err != nil {
		return err
	}
	p := parametersOf(r).knowing("tilesize", "return_mask", "empty", "wait")
	p.sizeTile(&area)
	return s.tilePicture(e, r, p, layer.Request{Layer: pathValue(r, "layer"), Area: area, Format: format})
}

func (s *server) view(e *exchange, r *http.Request) error {
	format, err := formatOf(pathValue(r, "ext"))
	if err != nil {
		return err
	}
	p := parametersOf(r).knowing("bbox", "bbox-crs", "coord_crs", "dst_crs", "max_size", "width", "height", "return_mask", "wait")
	area, err := p.boxArea()
	if err != nil {
		return err
	}
	return s.picture(e, r, p, layer.Request{Layer: pathValue(r, "layer"), Area: area, Format: format})
}

func (s *server) preview(e *exchange, r *http.Request) error {
	format, err := formatOf(pathValue(r, "ext"))
	if err != nil {
		return err
	}
	p := parametersOf(r).knowing("max_size", "width", "height", "return_mask", "wait")
	return s.picture(e, r, p, layer.Request{Layer: pathValue(r, "layer"), Area: p.previewArea(), Format: format})
}

// picture answers with a picture of an area, which is a blank one where there is nothing to
// see. How it looks is in the parameters.
func (s *server) picture(e *exchange, r *http.Request, p *parameters, request layer.Request) error {
	return s.send(e, r, p, request, terms{modified: s.lastModified(), empty: layer.EmptyBlank})
}

// tilePicture answers as picture does, but where there is nothing to see as the parameters,
// the layer or the server say: map viewers do not agree on what that should be.
func (s *server) tilePicture(e *exchange, r *http.Request, p *parameters, request layer.Request) error {
	t := terms{modified: s.lastModified()}
	var err error
	if t.empty, err = s.emptyAnswer(p, request.Layer); err != nil {
		return err
	}
	return s.send(e, r, p, request, t)
}

// send answers with a picture. Whoever has it already is told so before anything is read. The picture itself says for how
// long it may be kept, whatever the terms say.
func (s *server) send(e *exchange, r *http.Request, p *parameters, request layer.Request, t terms) error {
	if request.Format == layer.AutoJPEG {
		e.Header().Add("Vary", "Accept")
		if acceptsWebP(r) {
			request.Format = layer.AutoWebP
		}
	}
	job, err := prepare(s.Catalog, p, request)
	if err != nil {
		return err
	}
	wait := p.integer("wait", patient, 0, maxWaitSeconds)
	if p.err != nil {
		return p.err
	}
	t.cacheControl = s.cacheControlOf(p, job)
	return s.sendDrawing(e, r, waiting{job, wait}, t)
}

// maxWaitSeconds bounds the parameter wait. Without it, pictures wait as long as the catalog has
// them wait.
const (
	maxWaitSeconds = 3600
	patient        = -1
)

// waiting is a job of a client that says how many seconds it waits for overviews that the file
// lacks, or that is patient.
type waiting struct {
	*layer.Job
	seconds int
}

func (w waiting) Picture(ctx context.Context) (layer.Picture, error) {
	if w.seconds != patient {
		if err := w.AwaitOverviews(ctx, time.Duration(w.seconds)*time.Second); err != nil {
			return layer.Picture{}, err
		}
	}
	return w.Job.Picture(ctx)
}

// drawing is what a picture can be had of: a job, or several on each other.
type drawing interface {
	ETag() string
	Picture(ctx context.Context) (layer.Picture, error)
}

var (
	_ drawing = waiting{}
	_ drawing = (*layer.Stack)(nil)
)

// terms are what a picture is sent under: for how long others may keep it, since when it has
// not changed (zero: unknown), and what is answered where it shows nothing.
type terms struct {
	cacheControl string
	modified     time.Time
	empty        layer.EmptyAnswer
}

// sendDrawing answers with the picture of what was settled. It may be kept for as long as the
// terms say if it turns out to be that one, and none of another version. What is answered in
// place of a picture is up to more than the version says.
func (s *server) sendDrawing(e *exchange, r *http.Request, d drawing, t terms) error {
	etag := d.ETag()
	if err := checkMatch(r.Header, etag, s.changed()); err != nil {
		return err
	}
	t.modified = s.unlessChanged(t.modified) // preparing a picture looks at its file
	if e.notModified(r, content{etag: etag, cacheControl: t.cacheControl, modified: t.modified}) {
		s.Metrics.picture(originNotModified)
		return nil
	}
	ctx, timing := layer.WithTiming(r.Context())
	picture, err := d.Picture(ctx)
	if err != nil {
		return err
	}
	if err := checkMatch(r.Header, picture.ETag, s.changed()); err != nil {
		return err // the file was replaced meanwhile
	}
	t.modified = s.unlessChanged(t.modified)
	s.Metrics.picture(string(picture.From))
	e.Header().Set("X-Cache", string(picture.From))
	e.tellDamage(picture.Damage)
	isAnswered := picture.From == layer.Empty && t.empty != layer.EmptyBlank
	if t.cacheControl == forEver && (isAnswered || picture.ETag != etag) {
		t.cacheControl = s.CacheControl
	}
	if isAnswered {
		e.sendEmpty(r, t.empty, t.cacheControl)
		return nil
	}
	if picture.From == layer.Miss {
		steps := stepsOf(timing)
		s.Metrics.steps(steps)
		e.Header().Set("Server-Timing", serverTiming(steps))
	}
	return e.sendPicture(r, &picture, t)
}

// sendPicture answers with a picture, or with parts of it. One that is not kept is sent as a
// whole only, for it would be made again for each part.
func (e *exchange) sendPicture(r *http.Request, p *layer.Picture, t terms) error {
	c := content{
		body: p.Bytes, mime: p.MIME, etag: p.ETag, cacheControl: t.cacheControl, modified: t.modified,
		kept: p.From == layer.Hit, inParts: p.Cacheable,
	}
	if c.inParts && asksForParts(r, c) {
		return e.sendParts(r, c)
	}
	e.send(r, http.StatusOK, c)
	return nil
}

// acceptsWebP tells whether a client says by name that it shows WebP, as browsers that do
// say. "image/*" does not tell.
func acceptsWebP(r *http.Request) bool {
	return accept.Parse(r.Header.Values("Accept")).Name("image/webp")
}

// prepare settles a request whose style is in the parameters.
func prepare(catalog *layer.Catalog, p *parameters, request layer.Request) (*layer.Job, error) {
	l, err := catalog.Layer(request.Layer)
	if err != nil {
		return nil, err
	}
	style, err := l.Style(p.text("style"))
	if err != nil {
		return nil, err
	}
	request.Style, request.Encoding, request.Unmasked = p.style(style), p.encoding(), p.unmasked(request.Format)
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
