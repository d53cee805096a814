package layer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"tileserver/raster"
)

// A StackRequest asks for one picture of several layers, drawn over each other.
type StackRequest struct {
	// Layers are the requests to draw, the lowest first: at most MaxStackLayers, all of the size of
	// the picture. Without any, the picture is blank. Their formats and encodings are ignored.
	Layers []Request

	Width, Height int // of the picture
	Format        Format
	Encoding      Encoding

	// Background is the color behind transparent pixels in formats without transparency, as in a
	// style; the zero RGBA is white. Backdrop is an opaque color behind the picture in all formats;
	// the zero RGBA is none.
	Background, Backdrop raster.RGBA
}

// MaxStackLayers is the maximum number of layers of one picture.
const MaxStackLayers = 16

// A Stack is a validated request for several layers. No pixels have been read for it.
type Stack struct {
	catalog *Catalog
	request StackRequest
	jobs    []*Job // lowest first
	key     string
}

// PrepareStack validates a request without reading pixels. The returned stack has an ETag.
func (c *Catalog) PrepareStack(r StackRequest) (*Stack, error) {
	if err := c.checkStack(&r); err != nil {
		return nil, err
	}
	s, work := &Stack{catalog: c, request: r}, 0.0
	for _, layer := range r.Layers {
		layer.Format, layer.Encoding = PNG, Encoding{}
		j, err := c.Prepare(layer)
		if err != nil {
			return nil, err
		}
		if err := s.checkLayer(j); err != nil {
			return nil, err
		}
		if work += workOf(j.resolved, j.view.Rect); work > maxWork {
			return nil, &Error{Code: TooLarge, Message: "the expressions of all layers together are too expensive for this size; request fewer pixels or fewer layers"}
		}
		s.jobs = append(s.jobs, j)
	}
	s.key = s.computeKey()
	return s, nil
}

// checkStack rejects invalid requests, and clears settings that have no effect.
func (c *Catalog) checkStack(r *StackRequest) error {
	switch pixels := int64(r.Width) * int64(r.Height); {
	case len(r.Layers) > MaxStackLayers:
		return invalid("%d layers are too many for one map; select at most %d with collections=a,b", len(r.Layers), MaxStackLayers)
	case r.Format.IsData():
		return invalid("%v holds the samples of one layer only", r.Format)
	case r.Width <= 0 || r.Height <= 0:
		return invalid("a picture needs a width and a height")
	case pixels > int64(c.config.MaxPixels):
		return tooManyPixels(pixels, c.config.MaxPixels)
	case max(r.Width, r.Height) > r.Format.maxSide():
		return tooLongSide(max(r.Width, r.Height), r.Format)
	case r.Encoding.Quality < 0 || r.Encoding.Quality > 100:
		return invalid("quality must be from 1 to 100, not %d", r.Encoding.Quality)
	}
	r.Encoding = canonicalEncoding(r.Format, r.Encoding)
	r.Background = canonicalBackground(r.Format, r.Background)
	if r.Backdrop != (raster.RGBA{}) {
		r.Backdrop.A = 255
	}
	return nil
}

// checkLayer rejects pictures that cannot be drawn over others.
func (s *Stack) checkLayer(j *Job) error {
	width, height := j.request.Finish.size(j.view.Rect.Width(), j.view.Rect.Height())
	switch {
	case j.resolved.HoldsNumbers() || j.resolved.IsDeep():
		return invalid("layer %q: encoded numbers and 16-bit colors cannot be combined with other layers; request the layer alone", j.layer.ID())
	case width != s.request.Width || height != s.request.Height:
		return invalid("layer %q has %dx%d pixels, but the picture has %dx%d", j.layer.ID(), width, height, s.request.Width, s.request.Height)
	}
	return nil
}

// computeKey returns a digest of everything that the picture depends on.
func (s *Stack) computeKey() string {
	r := &s.request
	h := sha256.New()
	fmt.Fprintf(h, "stack\x00%d\x00%dx%d\x00%d\x00%v\x00%v\x00%v", pictureVersion, r.Width, r.Height, r.Format, r.Encoding, r.Background, r.Backdrop)
	for _, j := range s.jobs {
		fmt.Fprintf(h, "\x00%s", j.key)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// ETag identifies the bytes of the picture. It is quoted.
func (s *Stack) ETag() string { return `"` + s.key + `"` }

// IsPerTile reports whether a layer of the picture is stretched by its own statistics. Clients
// should not cache such a picture.
func (s *Stack) IsPerTile() bool {
	for _, j := range s.jobs {
		if j.IsPerTile() {
			return true
		}
	}
	return false
}
