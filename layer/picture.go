package layer

import (
	"context"
	"errors"
	"fmt"

	"tileserver/admission"
	"tileserver/gpu/gather"
	"tileserver/raster"
)

// A Picture is an encoded picture. Its bytes are shared and must not be modified.
type Picture struct {
	Bytes     []byte
	MIME      string
	Key       string // identifies the bytes
	From      Origin
	Cacheable bool // it fits into the cache, so that repeated requests are cheap

	MayBeUnfinished bool // a file may still be written to, so clients should not cache the picture

	Damage raster.Damage // damage of the pixels that were read
}

// An Origin tells where a picture came from.
type Origin string

// The origins of a picture.
const (
	Hit    Origin = "HIT"    // cached, or rendered for a concurrent request
	Miss   Origin = "MISS"   // rendered
	Stored Origin = "STORED" // a block of the file, as stored
	Empty  Origin = "EMPTY"  // blank: the image has no pixels there
)

// An encodedPicture is a cache entry.
type encodedPicture struct {
	bytes    []byte
	mime     string
	isStored bool // bytes are a block of the file
	isEmpty  bool // no pixels are visible; the blank picture is cached separately
	damage   raster.Damage
	decoding map[gather.Outcome]int64 // where work went that a GPU could do
}

// Size returns the memory that the entry occupies.
func (e encodedPicture) Size() int64 {
	const outcomeBytes = 64
	return int64(cap(e.bytes)) + e.damage.Size() + outcomeBytes*int64(len(e.decoding))
}

// ErrOverviewsMissing is why PictureOfBuilt returns no picture.
var ErrOverviewsMissing = errors.New("overviews of the layer are missing")

// Picture returns the picture, rendering it if it is not cached. Concurrent callers share the
// result. If files have changed, the picture and its key are those of the next versions.
func (c *Composition) Picture(ctx context.Context) (Picture, error) {
	return c.pictureBy(ctx, (*Composition).renderWithOverviews)
}

// PictureOfBuilt is Picture for a caller that waits with AwaitOverviews, since it holds memory
// meanwhile or must not wait for long. It returns ErrOverviewsMissing where Picture would wait.
func (c *Composition) PictureOfBuilt(ctx context.Context) (Picture, error) {
	return c.pictureBy(ctx, (*Composition).renderOfBuilt)
}

// A renderFunc makes a picture that is not cached.
type renderFunc func(c *Composition, ctx context.Context) (encodedPicture, error)

// pictureBy is Picture with a function that renders.
func (c *Composition) pictureBy(ctx context.Context, render renderFunc) (Picture, error) {
	for changes := 0; ; changes++ { // each file may change once
		current, err := c.current()
		if err != nil {
			return Picture{}, Classify(err)
		}
		p, err := current.picture(ctx, render)
		if err == nil {
			return p, nil
		}
		var failed *partError
		if !errors.Is(err, raster.ErrChanged) || !errors.As(err, &failed) || changes == len(c.parts) {
			return Picture{}, Classify(err)
		}
		if _, reopenErr := failed.part.layer.versions.Next(ctx, failed.part.version); reopenErr != nil {
			return Picture{}, Classify(reopenErr)
		}
	}
}

// picture returns the picture of the prepared versions.
func (c *Composition) picture(ctx context.Context, render renderFunc) (Picture, error) {
	p := Picture{Key: c.key, From: Hit, MayBeUnfinished: c.MayBeUnfinished()}
	ctx, isRendered := admission.KeepDeadline(ctx), false
	result, err := c.catalog.pictures.FetchOne(ctx, c.key, func(ctx context.Context) (encodedPicture, error) {
		isRendered = true
		return render(c, ctx)
	})
	if err != nil {
		return Picture{}, err
	}
	if !isRendered {
		c.catalog.config.Gate.CountCached()
	}
	p.Damage = result.damage
	if len(c.parts) == 1 {
		c.parts[0].version.damage.add(p.Damage)
	}
	switch {
	case result.isEmpty:
		p.From = Empty
		result, err = c.catalog.blank(ctx, c.output)
	case isRendered && result.isStored:
		p.From = Stored
	case isRendered:
		p.From = Miss
	}
	p.Bytes, p.MIME, p.Cacheable = result.bytes, result.mime, c.catalog.pictures.Fits(result)
	return p, err
}

// A partError is an error of one part of a composition.
type partError struct {
	part *part
	err  error
}

func (e *partError) Error() string { return fmt.Sprintf("layer %q: %v", e.part.layer.ID(), e.err) }

func (e *partError) Unwrap() error { return e.err }

// fail wraps an error of the part; nil stays nil.
func (p *part) fail(err error) error {
	if err == nil {
		return nil
	}
	return &partError{p, err}
}
