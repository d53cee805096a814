package layer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"tileserver/gpu/gather"
	"tileserver/pyramid"
)

// A Composition is a validated picture of parts, which are drawn over each other. No pixels have
// been read for it.
type Composition struct {
	catalog *Catalog
	parts   []part        // lowest first
	stack   *StackRequest // what the parts are drawn over; nil if the only part is the picture
	output  output
	key     string
}

// Prepare validates a request without reading pixels. The returned composition has a key.
func (c *Catalog) Prepare(r Request) (*Composition, error) {
	p, err := c.preparePart(r)
	if err != nil {
		return nil, Classify(err)
	}
	return c.alone(p), nil
}

// alone returns the composition of one part, whose pixels are the picture. The part lies beside it
// to save an allocation, since every request for a cached picture makes both.
func (c *Catalog) alone(p part) *Composition {
	alone := &struct {
		Composition
		part [1]part
	}{Composition{catalog: c, output: p.output(), key: p.key}, [1]part{p}}
	alone.parts = alone.part[:]
	return &alone.Composition
}

// current returns the composition of the current versions of its parts. It is c unless a file has
// changed since c was prepared.
func (c *Composition) current() (*Composition, error) {
	current := c
	for i := range c.parts {
		p := &c.parts[i]
		v, err := p.layer.versions.Current()
		if err != nil {
			return nil, err
		}
		if v == p.version {
			continue
		}
		next, err := c.catalog.partOf(v, p.request)
		if err != nil {
			return nil, err
		}
		if current, err = current.replace(i, next); err != nil {
			return nil, err
		}
	}
	return current, nil
}

// replace returns the composition with another part at an index.
func (c *Composition) replace(at int, replacement part) (*Composition, error) {
	if c.stack == nil {
		return c.catalog.alone(replacement), nil
	}
	next := c.catalog.emptyStack(c.stack)
	for i, p := range c.parts {
		if i == at {
			p = replacement
		}
		if err := next.add(p); err != nil {
			return nil, err
		}
	}
	next.key = next.stackKey()
	return next, nil
}

// Key identifies the bytes of the picture.
func (c *Composition) Key() string { return c.key }

// Size returns the width and the height of the picture.
func (c *Composition) Size() (width, height int) { return c.output.width, c.output.height }

// IsPerTile reports whether a part is stretched by its own statistics. Neighboring pictures do not
// match then, and clients should not cache them.
func (c *Composition) IsPerTile() bool {
	for i := range c.parts {
		if c.parts[i].IsPerTile() {
			return true
		}
	}
	return false
}

// MayBeUnfinished reports whether a file was changed so recently that it may still be written to.
// Clients should not cache its pictures. The server may: the next version has another key.
func (c *Composition) MayBeUnfinished() bool {
	return slices.ContainsFunc(c.parts, func(p part) bool { return p.version.dataset.mayBeUnfinished() })
}

// Version identifies the appearance of the parts. It changes when any picture of them, of any area,
// may have changed.
func (c *Composition) Version() string {
	h := sha256.New()
	for i := range c.parts {
		c.parts[i].writeVersion(h)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// An Explanation describes the work of a composition.
type Explanation struct {
	Key   string
	Parts []ExplainedPart // lowest first

	// Decoding tells where work went that a GPU could do, when the picture was rendered that is cached.
	Decoding map[gather.Outcome]int64
}

// An ExplainedPart describes the work of a part.
type ExplainedPart struct {
	Plan   pyramid.Plan
	Cached []bool // whether each of the plan's blocks is in the cache
}

// Explain plans the parts and checks which of their blocks are cached. It is for diagnostics and
// needs no slot.
func (c *Composition) Explain(ctx context.Context) (Explanation, error) {
	cached, _ := c.catalog.pictures.Get(c.key)
	explanation := Explanation{Key: c.key, Decoding: cached.decoding}
	for i := range c.parts {
		p := &c.parts[i]
		plan, err := p.providers.Pyramid.Plan(ctx, p.grownView())
		if err != nil {
			return Explanation{}, Classify(err)
		}
		explanation.Parts = append(explanation.Parts, ExplainedPart{plan, p.providers.Pyramid.IsCached(&plan)})
	}
	return explanation, nil
}
