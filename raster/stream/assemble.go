package stream

import (
	"slices"

	"tileserver/raster"
)

// assembly is the pixels of a view that are being put together.
type assembly struct {
	view   *View
	x, y   []run
	buffer *raster.Buffer // without coverage if all pixels are valid
}

// assemble copies what a view shows of blocks, and of the border.
func (v *View) assemble(parts []Part) raster.Tile {
	a := assembly{view: v, x: v.stream.x.runs(v.Position.Column), y: v.stream.y.runs(v.Position.Row)}
	a.makeBuffer(parts)
	for _, part := range parts {
		if part.IsStored() {
			a.buffer.InheritDamage(part.Tile)
			a.put(part)
		}
	}
	return a.buffer.Freeze()
}

// makeBuffer makes a buffer with the pixels that no block has.
func (a *assembly) makeBuffer(parts []Part) {
	s, width, height := a.view.stream, a.view.Outer.Width(), a.view.Outer.Height()
	info, border := s.provider.Info(), s.config.Border
	if a.view.memory == nil {
		a.view.memory = s.config.Memory.Get(raster.CoveredBytes(info.Type, width, height, s.bands))
	}
	hasBorder := slices.ContainsFunc(slices.Concat(a.x, a.y), func(r run) bool { return r.isBeyond })
	isMissing := hasBorder && border == NoData || slices.ContainsFunc(parts, func(p Part) bool { return !p.IsStored() })
	if isMissing || slices.ContainsFunc(parts, func(p Part) bool { return !p.Tile.AllValid() }) {
		a.buffer = raster.NewCoveredBufferIn(a.view.memory, info.Type, width, height, s.bands)
	} else {
		a.buffer = raster.NewBufferIn(a.view.memory, info.Type, width, height, s.bands)
	}
	if isMissing && info.Pad != 0 {
		for band := range s.bands {
			a.buffer.Fill(band, info.Pad)
		}
	}
	if hasBorder && border == Constant {
		a.fillBorder()
	}
}

// fillBorder sets the pixels beyond the edges to the constant.
func (a *assembly) fillBorder() {
	one := raster.NewBuffer(a.buffer.Type(), 1, 1, 1)
	one.Fill(0, a.view.stream.config.Constant)
	for _, y := range a.y {
		for _, x := range a.x {
			if !x.isBeyond && !y.isBeyond {
				continue
			}
			c := cell{outer: a.view.Outer, x: run{at: x.at, count: x.count}, y: run{at: y.at, count: y.count}, from: raster.Rect{X1: 1, Y1: 1}}
			for band := range a.buffer.Bands() {
				c.copy(a.buffer.Plane(band), one.Plane(0), a.buffer.Type().Size())
			}
			if plane := a.buffer.Validity(0); plane != nil {
				c.copy(plane, nil, 1)
			}
		}
	}
}

// put copies what the view shows of a block.
func (a *assembly) put(part Part) {
	for _, y := range a.y {
		for _, x := range a.x {
			c := cell{a.view.Outer, x, y, part.Rect}
			if !c.clip() {
				continue
			}
			for band := range a.buffer.Bands() {
				c.copy(a.buffer.Plane(band), part.Tile.Plane(band), a.buffer.Type().Size())
			}
			if a.buffer.Validity(0) != nil {
				a.putCoverage(&c, part.Tile)
			}
		}
	}
}

func (a *assembly) putCoverage(c *cell, tile raster.Tile) {
	if !a.buffer.HasOwnValidity() && !tile.HasOwnValidity() {
		c.copy(a.buffer.Validity(0), tile.Validity(0), 1)
		return
	}
	for band := range a.buffer.Bands() {
		c.copy(a.buffer.OwnValidity(band), tile.Validity(band), 1)
	}
}

// A cell is the pixels of a view in one run across and one down.
type cell struct {
	outer raster.Rect // of the view
	x, y  run
	from  raster.Rect // of the block
}

// clip cuts the runs to the pixels that lie in the block. It reports whether there are any.
func (c *cell) clip() bool {
	c.x = c.x.clipped(c.from.X0, c.from.X1)
	c.y = c.y.clipped(c.from.Y0, c.from.Y1)
	return c.x.count > 0 && c.y.count > 0
}

// copy copies the samples of a cell, which have a size, from the plane of a block to that of the view. A nil
// plane is coverage that is all valid.
func (c *cell) copy(to, from []byte, size int) {
	toBytes, fromBytes := c.outer.Width()*size, c.from.Width()*size
	for i := range c.y.count {
		row := to[(c.y.at+i-c.outer.Y0)*toBytes:][:toBytes][(c.x.at-c.outer.X0)*size:][:c.x.count*size]
		if from == nil {
			fillValid(row)
			continue
		}
		c.copyRow(row, from[(c.y.from+i*c.y.step-c.from.Y0)*fromBytes:][:fromBytes], size)
	}
}

// copyRow copies the samples of a row of the block.
func (c *cell) copyRow(to, from []byte, size int) {
	at := c.x.from - c.from.X0
	if c.x.step == 1 {
		copy(to, from[at*size:])
		return
	}
	for ; len(to) > 0; to, at = to[size:], at+c.x.step {
		copy(to[:size], from[at*size:])
	}
}

func fillValid(row []byte) {
	for i := range row {
		row[i] = raster.Valid
	}
}
