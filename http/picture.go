package http

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"tileserver/http/accept"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/layer"
)

func (s *server) tile(e *answer.Exchange, r *http.Request) error {
	area, format, err := request.Tile(r)
	if err != nil {
		return err
	}
	p := request.ParametersOf(r).Allow("tilesize", "return_mask", "empty", "wait")
	sizeTile(p, &area)
	return s.tilePicture(e, r, p, layer.Request{Layer: request.PathValue(r, "layer"), Area: area, Format: format})
}

func (s *server) view(e *answer.Exchange, r *http.Request) error {
	format, err := request.FormatOf(request.PathValue(r, "ext"))
	if err != nil {
		return err
	}
	p := request.ParametersOf(r).Allow("bbox", "bbox-crs", "coord_crs", "dst_crs", "max_size", "width", "height", "return_mask", "wait")
	area, err := p.BoxArea()
	if err != nil {
		return err
	}
	return s.picture(e, r, p, layer.Request{Layer: request.PathValue(r, "layer"), Area: area, Format: format})
}

func (s *server) preview(e *answer.Exchange, r *http.Request) error {
	format, err := request.FormatOf(request.PathValue(r, "ext"))
	if err != nil {
		return err
	}
	p := request.ParametersOf(r).Allow("max_size", "width", "height", "return_mask", "wait")
	return s.picture(e, r, p, layer.Request{Layer: request.PathValue(r, "layer"), Area: previewArea(p), Format: format})
}

// picture answers with the picture of an area, blank where the layer is empty. The parameters
// select the style.
func (s *server) picture(e *answer.Exchange, r *http.Request, p *request.Parameters, request layer.Request) error {
	return s.sendLayer(e, r, p, request, sendOptions{modified: s.lastModified(), empty: layer.EmptyBlank})
}

// tilePicture answers like picture, except for an empty tile: the parameters, the layer or the
// server select that answer, because map viewers expect different ones.
func (s *server) tilePicture(e *answer.Exchange, r *http.Request, p *request.Parameters, request layer.Request) error {
	options := sendOptions{modified: s.lastModified()}
	var err error
	if options.empty, err = s.emptyAnswer(p, request.Layer); err != nil {
		return err
	}
	return s.sendLayer(e, r, p, request, options)
}

// sendLayer prepares a request and answers with its picture, or with 304 before anything is read.
// It sets options.cacheControl.
func (s *server) sendLayer(e *answer.Exchange, r *http.Request, p *request.Parameters, request layer.Request, options sendOptions) error {
	if request.Format == layer.AutoJPEG {
		e.VariesBy("Accept")
		if acceptsWebP(r) {
			request.Format = layer.AutoWebP
		}
	}
	composition, err := prepare(s.Catalog, p, request)
	if err != nil {
		return err
	}
	wait := p.Integer("wait", defaultWait, 0, maxWaitSeconds)
	if p.Err != nil {
		return p.Err
	}
	options.cacheControl = s.cacheControlOf(p, composition)
	return s.sendRendered(e, r, waitingPicture{composition, wait}, options)
}

// maxWaitSeconds bounds the parameter wait. Without the parameter, the catalog decides how long a
// picture waits.
const (
	maxWaitSeconds = 3600
	defaultWait    = -1
)

// waitingPicture is a composition with the time that the client is ready to wait for overviews that
// the file lacks, in seconds or defaultWait.
type waitingPicture struct {
	*layer.Composition
	seconds int
}

func (w waitingPicture) Picture(ctx context.Context) (layer.Picture, error) {
	if w.seconds != defaultWait {
		if err := w.AwaitOverviews(ctx, time.Duration(w.seconds)*time.Second); err != nil {
			return layer.Picture{}, err
		}
	}
	return w.Composition.Picture(ctx)
}

// pictureSource renders a picture of one layer or of a stack.
type pictureSource interface {
	Key() string
	Picture(ctx context.Context) (layer.Picture, error)
}

var (
	_ pictureSource = waitingPicture{}
	_ pictureSource = (*layer.Composition)(nil)
)

// sendOptions are the headers and the empty answer of a picture: how long caches may keep it,
// since when it has not changed (zero: unknown), the answer if it is empty, and its ETag, which
// sendRendered sets.
type sendOptions struct {
	cacheControl string
	modified     time.Time
	empty        layer.EmptyAnswer
	etag         string
}

// sendRendered renders a picture and answers with it. The picture may turn out to be of a later
// version than source.Key. Then, and for an answer in place of an empty picture, it must not be
// cached as immutable, because the version in the address does not determine it.
func (s *server) sendRendered(e *answer.Exchange, r *http.Request, source pictureSource, options sendOptions) error {
	key := source.Key()
	options.etag = answer.ETag(key)
	if err := answer.CheckMatch(r.Header, options.etag, s.lastChange()); err != nil {
		return err
	}
	options.modified = s.ifUnchangedSince(options.modified) // preparing the picture may have found a new version of the file
	if e.NotModified(r, answer.Content{ETag: options.etag, CacheControl: options.cacheControl, Modified: options.modified}) {
		s.Metrics.picture(originNotModified)
		return nil
	}
	ctx, timing := layer.WithTiming(r.Context())
	picture, err := source.Picture(ctx)
	if err != nil {
		return err
	}
	isNext := picture.Key != key // the file was replaced during rendering
	if isNext {
		options.etag = answer.ETag(picture.Key)
	}
	if err := answer.CheckMatch(r.Header, options.etag, s.lastChange()); err != nil {
		return err
	}
	options.modified = s.ifUnchangedSince(options.modified)
	s.Metrics.picture(string(picture.From))
	e.Header().Set("X-Cache", string(picture.From))
	e.SetDamage(picture.Damage)
	hasEmptyAnswer := picture.From == layer.Empty && options.empty != layer.EmptyBlank
	if options.cacheControl == cacheImmutable && (hasEmptyAnswer || isNext) {
		options.cacheControl = s.CacheControl
	}
	if hasEmptyAnswer {
		sendEmpty(e, r, options)
		return nil
	}
	if picture.From == layer.Miss {
		steps := renderSteps(timing)
		s.Metrics.steps(steps)
		e.Header().Set("Server-Timing", serverTiming(steps))
	}
	return e.SendOrRanges(r, contentOf(&picture, options))
}

// contentOf returns a picture as content. An uncacheable picture is always sent whole, because every
// range would render it again.
func contentOf(p *layer.Picture, options sendOptions) answer.Content {
	return answer.Content{
		Body: p.Bytes, MIME: p.MIME, ETag: options.etag, CacheControl: options.cacheControl, Modified: options.modified,
		Cached: p.From == layer.Hit, HasRanges: p.Cacheable,
	}
}

// acceptsWebP reports whether the request accepts image/webp by name. Browsers that show WebP do
// so; "image/*" is not enough.
func acceptsWebP(r *http.Request) bool {
	return accept.Parse(r.Header.Values("Accept")).AcceptsByName("image/webp")
}

// prepare prepares the composition of a request. The parameters give the style and the encoding.
func prepare(catalog *layer.Catalog, p *request.Parameters, request layer.Request) (*layer.Composition, error) {
	l, err := catalog.Layer(request.Layer)
	if err != nil {
		return nil, err
	}
	if err := setStyle(&request, l, p); err != nil {
		return nil, err
	}
	return catalog.Prepare(request)
}

// setStyle sets the style and the encoding of a request from the parameters.
func setStyle(to *layer.Request, l *layer.Layer, p *request.Parameters) error {
	own, err := l.Style(p.Text("style"))
	if err != nil {
		return err
	}
	to.Style, to.Encoding, to.Unmasked = p.Style(own), p.Encoding(), p.Unmasked(to.Format)
	return p.Err
}

// appearanceOf returns the appearance of pictures with the parameters.
func appearanceOf(l *layer.Layer, p *request.Parameters, format layer.Format) (*layer.Appearance, error) {
	styled := layer.Request{Format: format}
	if err := setStyle(&styled, l, p); err != nil {
		return nil, err
	}
	return l.Appearance(styled.Style, format)
}

// renderStep is a timed step of rendering a picture.
type renderStep struct {
	name     string
	duration time.Duration
}

func renderSteps(t *layer.Timing) []renderStep {
	return []renderStep{
		{"plan", time.Duration(t.Plan.Load())},
		{"read", time.Duration(t.Read.Load())},
		{"sample", time.Duration(t.Sample.Load())},
		{"render", time.Duration(t.Render.Load())},
		{"encode", time.Duration(t.Encode.Load())},
	}
}

// serverTiming formats steps for Server-Timing, in milliseconds.
func serverTiming(steps []renderStep) string {
	parts := make([]string, len(steps))
	for i, s := range steps {
		parts[i] = fmt.Sprintf("%s;dur=%.3f", s.name, float64(s.duration)/float64(time.Millisecond))
	}
	return strings.Join(parts, ", ")
}
