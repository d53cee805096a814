package raster

// Stitcher assembles a rectangle of a level from blocks.
type Stitcher struct {
	rect   Rect // its place in the level
	buffer *Buffer
}

// NewStitcher returns a stitcher of a rectangle. Its pixels are zeros until blocks fill them.
func NewStitcher(t DataType, rect Rect, bands int) *Stitcher {
	return &Stitcher{rect, NewBuffer(t, rect.Width(), rect.Height(), bands)}
}

// NewStitcherIn returns a stitcher in pooled memory, with arbitrary initial pixels. Blocks,
// together with Replicate, must fill all of it.
func NewStitcherIn(m *Memory, t DataType, rect Rect, bands int) *Stitcher {
	return &Stitcher{rect, NewBufferIn(m, t, rect.Width(), rect.Height(), bands)}
}

// Put copies the part of a block that lies in the rectangle.
func (c *Stitcher) Put(tile Tile, at Rect) {
	shared := c.rect.Intersect(at)
	if shared.Empty() {
		return
	}
	c.buffer.InheritDamage(tile)
	size := tile.Type().Size()
	for b := range tile.Bands() {
		copyRect(c.buffer.Plane(b), c.rect, tile.Plane(b), at, shared, size)
	}
	c.putValidity(tile, at, shared)
}

func (c *Stitcher) putValidity(tile Tile, at, shared Rect) {
	if tile.AllValid() && c.buffer.Validity(0) == nil {
		return
	}
	if c.buffer.HasOwnValidity() || tile.HasOwnValidity() {
		for b := range tile.Bands() {
			putCoverage(c.buffer.OwnValidity(b), c.rect, tile.Validity(b), at, shared)
		}
		return
	}
	putCoverage(c.sharedValidity(), c.rect, tile.Validity(0), at, shared)
}

// sharedValidity returns the coverage of all bands. It creates one that is all valid if there is
// none.
func (c *Stitcher) sharedValidity() []uint8 {
	if plane := c.buffer.Validity(0); plane != nil {
		return plane
	}
	plane := make([]uint8, c.rect.Width()*c.rect.Height())
	for i := range plane {
		plane[i] = Valid
	}
	c.buffer.SetValidity(plane)
	return plane
}

// LeaveOut marks the part of rect that lies in the rectangle as invalid.
func (c *Stitcher) LeaveOut(rect Rect) {
	shared := c.rect.Intersect(rect)
	if shared.Empty() {
		return
	}
	planes := make([][]uint8, 1)
	if c.buffer.HasOwnValidity() {
		planes = make([][]uint8, c.buffer.Bands())
		for b := range planes {
			planes[b] = c.buffer.OwnValidity(b)
		}
	} else {
		planes[0] = c.sharedValidity()
	}
	for _, plane := range planes {
		for y := shared.Y0; y < shared.Y1; y++ {
			clear(plane[(y-c.rect.Y0)*c.rect.Width()+shared.X0-c.rect.X0:][:shared.Width()])
		}
	}
}

// putCoverage is copyRect for coverage. A nil source means all valid.
func putCoverage(to []uint8, toRect Rect, from []uint8, fromRect, shared Rect) {
	if from != nil {
		copyRect(to, toRect, from, fromRect, shared, 1)
		return
	}
	for y := shared.Y0; y < shared.Y1; y++ {
		row := to[(y-toRect.Y0)*toRect.Width()+shared.X0-toRect.X0:][:shared.Width()]
		for i := range row {
			row[i] = Valid
		}
	}
}

// copyRect copies the pixels of shared from one plane to another.
func copyRect(to []byte, toRect Rect, from []byte, fromRect, shared Rect, size int) {
	toStride, fromStride := toRect.Width()*size, fromRect.Width()*size
	n := shared.Width() * size
	to = to[(shared.Y0-toRect.Y0)*toStride+(shared.X0-toRect.X0)*size:]
	from = from[(shared.Y0-fromRect.Y0)*fromStride+(shared.X0-fromRect.X0)*size:]
	for y := range shared.Height() {
		copy(to[y*toStride:y*toStride+n], from[y*fromStride:y*fromStride+n])
	}
}

// Replicate extends the pixels of inside, which blocks have filled, over the rest of the rectangle.
// Kernels then see edge pixels repeated endlessly.
func (c *Stitcher) Replicate(inside Rect) {
	if inside == c.rect || inside.Empty() {
		return
	}
	size := c.buffer.Type().Size()
	for b := range c.buffer.Bands() {
		replicatePlane(c.buffer.Plane(b), c.rect, inside, size)
		if c.buffer.HasOwnValidity() {
			replicatePlane(c.buffer.OwnValidity(b), c.rect, inside, 1)
		}
	}
	if plane := c.buffer.Validity(0); plane != nil && !c.buffer.HasOwnValidity() {
		replicatePlane(plane, c.rect, inside, 1)
	}
}

func replicatePlane(plane []byte, rect, inside Rect, size int) {
	stride := rect.Width() * size
	left, right := (inside.X0-rect.X0)*size, (inside.X1-rect.X0)*size
	top, bottom := inside.Y0-rect.Y0, inside.Y1-rect.Y0
	for y := top; y < bottom; y++ {
		row := plane[y*stride : (y+1)*stride]
		for x := 0; x < left; x += size {
			copy(row[x:x+size], row[left:])
		}
		for x := right; x < stride; x += size {
			copy(row[x:x+size], row[right-size:right])
		}
	}
	for y := range top {
		copy(plane[y*stride:(y+1)*stride], plane[top*stride:])
	}
	for y := bottom; y < rect.Height(); y++ {
		copy(plane[y*stride:(y+1)*stride], plane[(bottom-1)*stride:bottom*stride])
	}
}

// Freeze ends stitching and returns the rectangle as a tile.
func (c *Stitcher) Freeze() Tile { return c.buffer.Freeze() }
