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

// PrepareStack validates a request without reading pixels. The returned composition has a key,
// and a part for each layer.
func (c *Catalog) PrepareStack(r StackRequest) (*Composition, error) {
	if err := c.checkStack(&r); err != nil {
		return nil, err
	}
	s := c.emptyStack(&r)
	for _, layer := range r.Layers {
		layer.Format, layer.Encoding = PNG, Encoding{}
		p, err := c.preparePart(layer)
		if err == nil {
			err = s.add(p)
		}
		if err != nil {
			return nil, Classify(err)
		}
	}
	s.key = s.stackKey()
	return s, nil
}

// checkStack rejects invalid requests, and clears settings that have no effect.
func (c *Catalog) checkStack(r *StackRequest) error {
	switch pixels := int64(r.Width) * int64(r.Height); {
	case len(r.Layers) > MaxStackLayers:
		message := fmt.Sprintf("%d layers are too many for one map; select at most %d", len(r.Layers), MaxStackLayers)
		return &Error{Code: Invalid, Message: message, Err: ErrTooManyLayers}
	case r.Format.IsData():
		return invalid("%v holds the samples of one layer only", r.Format)
	case r.Width <= 0 || r.Height <= 0:
		return invalid("a picture needs a width and a height")
	case pixels > int64(c.config.MaxPixels):
		return tooManyPixels(pixels, c.config.MaxPixels)
	case max(r.Width, r.Height) > r.Format.maxSide():
		return tooLongSide(max(r.Width, r.Height), r.Format)
	}
	if err := checkQuality(r.Encoding); err != nil {
		return err
	}
	r.Encoding = canonicalEncoding(r.Format, r.Encoding)
	r.Background = canonicalBackground(r.Format, r.Background)
	if r.Backdrop != (raster.RGBA{}) {
		r.Backdrop.A = 255
	}
	return nil
}

// emptyStack returns the composition of a request without its parts and its key.
func (c *Catalog) emptyStack(r *StackRequest) *Composition {
	o := output{format: r.Format, width: r.Width, height: r.Height, options: r.Encoding.options(r.Background)}
	return &Composition{catalog: c, stack: r, output: o}
}

// add adds a part on top of a stack. It rejects parts that cannot be drawn over others.
func (c *Composition) add(p part) error {
	width, height := p.size()
	switch {
	case p.resolved.HoldsNumbers() || p.resolved.IsDeep():
		return invalid("layer %q: encoded numbers and 16-bit colors cannot be combined with other layers; request the layer alone", p.layer.ID())
	case width != c.output.width || height != c.output.height:
		return invalid("layer %q has %dx%d pixels, but the picture has %dx%d", p.layer.ID(), width, height, c.output.width, c.output.height)
	}
	c.parts = append(c.parts, p)
	if c.work() > maxWork {
		return &Error{Code: TooLarge, Message: "the expressions of all layers together are too expensive for this size; request fewer pixels or fewer layers"}
	}
	return nil
}

// work returns the cost of computing the pixels of all parts.
func (c *Composition) work() float64 {
	work := 0.0
	for i := range c.parts {
		work += workOf(c.parts[i].resolved, c.parts[i].view.Rect)
	}
	return work
}

// stackKey returns a digest of everything that the picture of a stack depends on.
func (c *Composition) stackKey() string {
	r := c.stack
	h := sha256.New()
	fmt.Fprintf(h, "stack\x00%d\x00%dx%d\x00%d\x00%v\x00%v\x00%v", pictureVersion, r.Width, r.Height, r.Format, r.Encoding, r.Background, r.Backdrop)
	for i := range c.parts {
		fmt.Fprintf(h, "\x00%s", c.parts[i].key)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
