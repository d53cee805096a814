package components

import (
	"context"
	"slices"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/pool"
)

// ComponentRequest asks for samples of one component at a reduction, for some targets.
type ComponentRequest struct {
	Component, Reduction int
	Rect                 wavelet.Rect // of the samples, in the grid of the reduced component
	Targets              []Target
}

// Request is a set of samples that are read and decoded together. Each code-block is decoded once.
// One goroutine fills it, plans it and runs it.
type Request struct {
	// InBulk tells that nobody soon needs samples of the request again. Only those code-blocks are cached that
	// samples around it need, too. A device may compute its tiles as a whole, and then none is.
	InBulk bool

	// Finish runs after the samples are in the outputs, while their memory is still reserved. It
	// may be nil.
	Finish pool.Batch

	stream            *Codestream
	componentRequests []ComponentRequest
	outputs           []*Output
	bytes             int64 // memory for everything, including the outputs
	numbers           []int // of the tiles that hold the samples, or nil

	tiles       map[int]*tile
	blocks      map[int]packets.Blocks // by tile
	tileWindows []*tileWindow
	joint       map[jointKey]*tileWindow // the tile windows of several components
	holes       []hole

	missingTiles []missingTile // tiles, with what needed them

	shared groups                // that other requests may need, too
	own    groups                // all others
	coded  int                   // number of code-blocks in groups of which something is coded
	data   map[blockKey][][]byte // bytes of code-blocks that are read already
}

// NewRequest returns an empty request.
func (s *Codestream) NewRequest() *Request { return &Request{stream: s} }

// AddOutputs adds outputs that the request allocates. bytes is their share of the request's memory:
// an output that several requests fill counts in parts.
func (r *Request) AddOutputs(outputs []*Output, bytes int64) {
	r.outputs = append(r.outputs, outputs...)
	r.bytes += bytes
}

// AddSamples adds samples to read. The outputs of their targets must be added, too.
func (r *Request) AddSamples(requests ...ComponentRequest) {
	r.componentRequests, r.numbers = append(r.componentRequests, requests...), nil
}

// HeaderBytes estimates the memory for the headers of the tiles that the request needs. A tile may
// be as small as a pixel.
func (r *Request) HeaderBytes() int64 {
	return int64(len(r.tileNumbers())) * r.stream.estimates.headers
}

// Plan determines the code-blocks and the memory that the request needs. It reads only those
// headers of tiles and packets that are not cached.
func (r *Request) Plan(ctx context.Context) error {
	return failure(r.plan(ctx))
}

// Fits reports whether the planned request fits into the budget of the pool.
func (r *Request) Fits() bool {
	limit := r.stream.config.Pool.MaxReserve()
	return limit <= 0 || r.bytes <= limit
}

func (r *Request) plan(ctx context.Context) (err error) {
	if r.tiles, err = r.stream.tiles(ctx, r.tileNumbers()); err != nil {
		return err
	}
	for _, t := range r.tiles {
		r.bytes += t.headerBytes()
	}
	for i := range r.componentRequests {
		r.split(&r.componentRequests[i])
	}
	if err := r.locateBlocks(ctx); err != nil {
		return err
	}
	if r.InBulk {
		r.findOwn()
	}
	r.resetGroups()
	for _, w := range r.tileWindows {
		r.addBlocks(w)
		r.addHoles(w, r.blocks[w.tile.Number])
	}
	r.bytes += r.scratchBytes()
	return nil
}

// tileNumbers returns the numbers of the tiles that the request needs, each once and in order.
func (r *Request) tileNumbers() []int {
	if r.numbers == nil {
		for i := range r.componentRequests {
			r.numbers = r.componentRequests[i].tiles(r.stream.header, r.numbers)
		}
		slices.Sort(r.numbers)
		r.numbers = slices.Compact(r.numbers)
	}
	return r.numbers
}

// tiles appends the numbers of the tiles that hold the samples. A sample belongs to the tile of its
// position on the reference grid.
func (w *ComponentRequest) tiles(h *codestream.Header, numbers []int) []int {
	if w.Rect.Empty() {
		return numbers
	}
	c, columns := h.Components[w.Component], h.TileColumns()
	width, height := h.FirstTile.Width(), h.FirstTile.Height()
	column := func(x int) int { return (x*c.DX<<w.Reduction - h.FirstTile.X0) / width }
	row := func(y int) int { return (y*c.DY<<w.Reduction - h.FirstTile.Y0) / height }
	for y := row(w.Rect.Y0); y <= row(w.Rect.Y1-1); y++ {
		for x := column(w.Rect.X0); x <= column(w.Rect.X1-1); x++ {
			numbers = append(numbers, y*columns+x)
		}
	}
	return numbers
}

// split adds a tile window for each tile of a component request. Components that were transformed
// together share one.
func (r *Request) split(w *ComponentRequest) {
	for _, number := range w.tiles(r.stream.header, nil) {
		t := r.tiles[number]
		window := w.inTile(r.stream.header, number)
		switch {
		case window.Empty():
		case t.isMissing():
			r.stream.damage.report("tile missing", "nothing of tile %d is stored", number)
			r.holes = append(r.holes, hole{w.Targets, window})
			r.missingTiles = append(r.missingTiles, missingTile{hole{w.Targets, window}, t.loss(number)})
		case t.transforms(w.Component):
			p := r.jointWindow(t, jointKey{number, w.Reduction, window})
			p.components[w.Component].targets = append(p.components[w.Component].targets, w.Targets...)
		default:
			p := newComponentWindow(t, w.Component, w.Reduction, window)
			p.targets = w.Targets
			r.tileWindows = append(r.tileWindows, &tileWindow{tile: t, reduction: w.Reduction, window: window, components: []componentWindow{p}})
		}
	}
}

// inTile returns the requested samples of a tile.
func (w *ComponentRequest) inTile(h *codestream.Header, tile int) wavelet.Rect {
	t, c := h.TileRect(tile), h.Components[w.Component]
	dx, dy := c.DX<<w.Reduction, c.DY<<w.Reduction
	return w.Rect.Intersect(codestream.Sampled(t, dx, dy))
}

// jointKey identifies a tile window of three components that were transformed together.
type jointKey struct {
	tile, reduction int
	window          wavelet.Rect
}

// jointWindow returns the tile window of a key, which it creates for the first component.
func (r *Request) jointWindow(t *tile, key jointKey) *tileWindow {
	p := r.joint[key]
	if p != nil {
		return p
	}
	p = &tileWindow{tile: t, reduction: key.reduction, window: key.window, transformed: true}
	for component := range 3 {
		p.components = append(p.components, newComponentWindow(t, component, key.reduction, key.window))
	}
	if r.joint == nil {
		r.joint = make(map[jointKey]*tileWindow)
	}
	r.joint[key] = p
	r.tileWindows = append(r.tileWindows, p)
	return p
}

// scratchBytes returns the memory for the tile windows that are assembled at a time.
func (r *Request) scratchBytes() (bytes int64) {
	for _, w := range r.tileWindows {
		bytes = max(bytes, w.scratchBytes())
	}
	return bytes * int64(min(len(r.tileWindows), r.stream.config.Pool.Stats().Workers))
}

// Run executes the plan: it reserves all memory before it allocates, reads with one call, and
// decodes with a few jobs.
func (r *Request) Run(ctx context.Context) error {
	return failure(r.run(ctx))
}

func (r *Request) run(ctx context.Context) error {
	release, err := r.stream.config.Pool.Reserve(ctx, r.bytes)
	if err != nil {
		return err
	}
	defer release()
	for _, o := range r.outputs {
		o.allocate()
	}
	for _, h := range r.holes {
		for _, t := range h.targets {
			t.SetNodata(h.rect)
		}
	}
	if r.InBulk {
		if err := r.computeOnDevice(ctx); err != nil {
			return err
		}
	}
	if err := r.fetch(ctx); err != nil {
		return err
	}
	r.reportLosses()
	if err := r.stream.config.Pool.Run(ctx, &assembleJob{r, &r.stream.shared.windowWorkspaces}); err != nil {
		return err
	}
	if r.Finish == nil {
		return nil
	}
	return r.stream.config.Pool.Run(ctx, r.Finish)
}
