package serve

import (
	"context"
	"errors"
	"net/http"
	"time"

	"tileserver/http/accept"
	"tileserver/http/answer"
	"tileserver/http/request"
	"tileserver/layer"
)

// SendPicture answers with the picture of an area of a layer, blank where the layer is empty. The
// parameters select the style.
func (s *Server) SendPicture(e *answer.Exchange, r *http.Request, p *request.Parameters, l Layer, picture layer.Request) error {
	return s.sendLayer(e, r, p, l, picture, layer.EmptyBlank)
}

// SendTile answers like SendPicture, except for an empty tile: the request, the layer or the server
// select that answer, because map viewers expect different ones.
func (s *Server) SendTile(e *answer.Exchange, r *http.Request, p *request.Parameters, l Layer, tile layer.Request) error {
	requested, err := p.EmptyAnswer()
	if err != nil {
		return err
	}
	return s.sendLayer(e, r, p, l, tile, s.emptyAnswer(requested, l.Empty()))
}

// sendLayer prepares a picture and answers with it, or with 304 before anything is read.
func (s *Server) sendLayer(e *answer.Exchange, r *http.Request, p *request.Parameters, l Layer, asked layer.Request, empty layer.EmptyAnswer) error {
	if asked.Format == layer.AutoJPEG {
		e.VariesBy("Accept")
		if acceptsWebP(r) && checkFormat(l.Access().For(p.Asker), layer.AutoWebP) == nil {
			asked.Format = layer.AutoWebP
		}
	}
	picture, err := Prepare(s.Catalog, p, l.Layer, asked)
	if err != nil {
		return err
	}
	wait := p.Integer("wait", defaultWait, 0, maxWaitSeconds)
	if p.Err != nil {
		return p.Err
	}
	defer s.Prefetcher.Asked(picture, func() uint64 { return s.Client(r) }).Done()
	return s.sendComposition(e, r, composition{picture, wait, s.cacheControlOf(p, picture), l.Modified, empty})
}

// SendStack answers with a picture of layers drawn over each other. modified is from LastModified,
// read before the layers were found.
func (s *Server) SendStack(e *answer.Exchange, r *http.Request, stack *layer.Composition, modified time.Time) error {
	return s.sendComposition(e, r, s.stack(stack, modified, layer.EmptyBlank))
}

// SendStackTile answers like SendStack, except for a tile in which all layers are empty: the request
// or the server select that answer.
func (s *Server) SendStackTile(e *answer.Exchange, r *http.Request, p *request.Parameters, stack *layer.Composition, modified time.Time) error {
	requested, err := p.EmptyAnswer()
	if err != nil {
		return err
	}
	return s.sendComposition(e, r, s.stack(stack, modified, s.emptyAnswer(requested, layer.EmptyUnset)))
}

func (s *Server) stack(stack *layer.Composition, modified time.Time, empty layer.EmptyAnswer) composition {
	c := composition{stack, defaultWait, s.CacheControl, modified, empty}
	if stack.IsPerTile() {
		c.cacheControl = cacheNothing
	}
	return c
}

// The bounds of the parameter wait. Without the parameter, the catalog decides how long a picture
// waits.
const (
	maxWaitSeconds = 3600
	defaultWait    = -1
)

// composition is a prepared picture with what its answer needs.
type composition struct {
	*layer.Composition
	wait         int // seconds for overviews that the file lacks, or defaultWait
	cacheControl string
	modified     time.Time         // from LastModified; zero is unknown
	empty        layer.EmptyAnswer // if the picture is empty
}

// held returns the picture, whose bytes the exchange holds. A large picture takes them before it is
// rendered, but not while it waits for overviews or statistics. A picture that finds no bytes is let
// go, and asked for again when there are some.
func (c *composition) held(ctx context.Context, e *answer.Exchange) (layer.Picture, error) {
	needed := int64(0)
	if most := c.MaxFileBytes(); answer.MustReserve(most) && !c.IsCached() {
		needed = most
	}
	if err := e.CheckReserve(needed); err != nil {
		return layer.Picture{}, err
	}
	render := c.Picture
	if c.mustAwait(needed) {
		render = c.PictureOfBuilt
	}
	for began := time.Now(); ; {
		if err := c.await(ctx, began, needed); err != nil {
			return layer.Picture{}, err
		}
		if err := e.Reserve(ctx, needed); err != nil {
			return layer.Picture{}, err
		}
		picture, err := render(ctx)
		switch {
		case errors.Is(err, layer.ErrOverviewsMissing):
			// Rendering has loaded what is saved, so await knows now what is missing. Whatever it does
			// not know, such as overviews of the next version of the file, Picture waits for.
			e.Release()
			render = c.Picture
		case err != nil || e.Hold(picture.Bytes):
			return picture, err
		default:
			needed = int64(cap(picture.Bytes))
		}
	}
}

// mustAwait reports whether what the picture needs is awaited before it is rendered: the client says
// for how long, or the answer takes bytes first.
func (c *composition) mustAwait(neededBytes int64) bool {
	return c.wait != defaultWait || neededBytes > 0
}

// await waits for what the picture needs, before the answer takes bytes.
func (c *composition) await(ctx context.Context, began time.Time, neededBytes int64) error {
	if !c.mustAwait(neededBytes) {
		return nil
	}
	if err := c.AwaitOverviews(ctx, c.waitWithin(ctx, began)); err != nil || neededBytes == 0 {
		return err
	}
	return c.AwaitStatistics(ctx)
}

// waitWithin returns how long the picture still waits for overviews. It leaves a tenth of the time of
// the request, to render the picture, or to tell the client how far the overviews are.
func (c *composition) waitWithin(ctx context.Context, began time.Time) time.Duration {
	if c.wait == defaultWait {
		return defaultWait
	}
	wait := time.Duration(c.wait) * time.Second
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, deadline.Sub(began)/10*9)
	}
	return max(0, wait-time.Since(began))
}

// originNotModified counts pictures that the client had, in the series of picture origins.
const originNotModified = "NOT_MODIFIED"

// sendComposition renders a picture and answers with it, unless the client has it.
func (s *Server) sendComposition(e *answer.Exchange, r *http.Request, c composition) error {
	etag := answer.ETag(c.Key())
	if err := answer.CheckMatch(r.Header, etag, s.lastChange()); err != nil {
		return err
	}
	if c.MayBeUnfinished() {
		c.cacheControl = cacheNothing
	}
	c.modified = s.ifUnchangedSince(c.modified) // preparing the picture may have found a new version of the file
	if e.NotModified(r, answer.Content{ETag: etag, CacheControl: c.cacheControl, Modified: c.modified}) {
		c.CountKept()
		s.meter.CountPicture(originNotModified)
		return nil
	}
	ctx, timing := layer.WithTiming(r.Context())
	picture, err := c.held(ctx, e)
	if err != nil {
		return err
	}
	if isNext := picture.Key != c.Key(); isNext { // the file was replaced during rendering
		etag = answer.ETag(picture.Key)
		c.cacheControl = s.mutable(c.cacheControl)
	}
	if picture.MayBeUnfinished {
		c.cacheControl = cacheNothing
	}
	if err := answer.CheckMatch(r.Header, etag, s.lastChange()); err != nil {
		return err
	}
	c.modified = s.ifUnchangedSince(c.modified)
	s.meter.CountPicture(string(picture.From))
	e.Header().Set("X-Cache", string(picture.From))
	e.SetDamage(picture.Damage)
	if picture.From == layer.Empty && c.empty != layer.EmptyBlank {
		sendEmpty(e, r, c.empty, s.mutable(c.cacheControl))
		return nil
	}
	if picture.From == layer.Miss {
		steps := stepsOf(timing)
		s.meter.ObserveSteps(steps)
		e.Header().Set("Server-Timing", serverTiming(steps))
	}
	// An uncacheable picture is always sent whole, because every range would render it again.
	return e.SendOrRanges(r, answer.Content{
		Body: picture.Bytes, MIME: picture.MIME, ETag: etag, CacheControl: c.cacheControl, Modified: c.modified,
		HasRanges: picture.Cacheable,
	})
}

// mutable returns the cache control of an answer that the version in its address does not
// determine: a picture of a later version, or the answer in place of an empty picture.
func (s *Server) mutable(cacheControl string) string {
	if cacheControl == answer.CacheImmutable {
		return s.CacheControl
	}
	return cacheControl
}

// acceptsWebP reports whether the request accepts image/webp by name. Browsers that show WebP do
// so; "image/*" is not enough.
func acceptsWebP(r *http.Request) bool {
	return accept.Parse(r.Header.Values("Accept")).AcceptsByName("image/webp")
}

// AppearanceOf returns the appearance of pictures of a layer with the parameters.
func AppearanceOf(l *layer.Layer, p *request.Parameters, format layer.Format) (*layer.Appearance, error) {
	asked := layer.Request{Format: format}
	if err := setStyle(&asked, l, p); err != nil {
		return nil, err
	}
	return l.Appearance(asked.Style, format)
}
