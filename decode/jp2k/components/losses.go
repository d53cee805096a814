package components

import (
	"fmt"
	"slices"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/raster"
)

// The kinds of parts of a file that may be lost.
const (
	lostTile      = "missing tile"
	lostPackets   = "incomplete tile"
	lostCodeBlock = "code-block"
)

// missingTile is a tile of which nothing readable is stored, and the samples that need it.
type missingTile struct {
	hole
	loss raster.Loss
}

// loss returns the loss of the whole tile.
func (t *tile) loss(number int) raster.Loss {
	if t.damage == nil {
		return raster.Loss{Kind: lostTile, Text: fmt.Sprintf("tile %d: nothing of it is stored", number)}
	}
	return raster.Loss{Kind: lostTile, Text: fmt.Sprintf("tile %d: %v", number, t.damage)}
}

// reportLosses reports to each output what is lost of its samples, after the code-blocks were
// decoded. An output is totally lost if all of its tile windows are.
func (r *Request) reportLosses() {
	for _, m := range r.missingTiles {
		m.report()
	}
	isSound := r.isSound()
	for _, w := range r.tileWindows {
		if isSound {
			w.reportSound()
			continue
		}
		l := losses{Request: r, tileWindow: w, blocks: r.blocks[w.tile.Number]}
		l.find()
		for i := range w.components {
			l.report(&w.components[i])
		}
	}
}

// isSound reports whether nothing is lost, which is the usual case.
func (r *Request) isSound() bool {
	for number, t := range r.tiles {
		if blocks := r.blocks[number]; t.damage != nil || blocks != nil && blocks.Damage() != nil {
			return false
		}
	}
	isLost := func(c coefficients) bool { return c.lost != nil }
	return !slices.ContainsFunc(r.shared.values, isLost) && !slices.ContainsFunc(r.own.values, isLost)
}

// reportSound reports to the outputs of the tile window that nothing is lost.
func (w *tileWindow) reportSound() {
	for i := range w.components {
		for _, t := range w.components[i].targets {
			if !t.Rect.Intersect(w.window).Empty() {
				t.Buffer.AddDamage(raster.Damage{})
			}
		}
	}
}

// report reports the loss of the tile to its outputs.
func (m *missingTile) report() {
	for _, t := range m.targets {
		if !t.Rect.Intersect(m.rect).Empty() {
			t.Buffer.AddDamage(raster.NewDamage([]raster.Loss{m.loss}, true))
		}
	}
}

// losses collects the losses of one tile window.
type losses struct {
	*Request
	tileWindow *tileWindow
	blocks     packets.Blocks

	incomplete *raster.Loss // of the tile, if packets are lost
	local      []localLoss
	decoded    int // number of code-blocks with sound content
}

// localLoss is a loss and the samples of the window that it affects.
type localLoss struct {
	raster.Loss
	rect wavelet.Rect
}

func (l *losses) find() {
	damage := l.blocks.Damage()
	if damage == nil {
		damage = l.tileWindow.tile.damage
	}
	if damage != nil {
		l.incomplete = &raster.Loss{Kind: lostPackets, Text: fmt.Sprintf("tile %d: %v", l.tileWindow.tile.Number, damage)}
	}
	for i := range l.tileWindow.components {
		window := &l.tileWindow.components[i]
		for resolution := range window.resolutions {
			for b := range window.resolutions[resolution].bands {
				l.findInBand(window, resolution, b)
			}
		}
	}
}

// findInBand finds the damaged code-blocks of a band.
func (l *losses) findInBand(window *componentWindow, resolution, band int) {
	w := &window.resolutions[resolution].bands[band]
	columns := w.grid.Width()
	key := l.blockKey(l.tileWindow.tile, window.component, resolution, band)
	for i, member := range w.blocks {
		column, row := w.grid.X0+i%max(columns, 1), w.grid.Y0+i/max(columns, 1)
		if member != noBlock {
			c := l.value(member)
			if c.lost != nil {
				key.index = uint32(row*w.BlockColumns() + column)
				loss := raster.Loss{Kind: lostCodeBlock, Text: fmt.Sprintf("%v: %v", key, c.lost)}
				l.local = append(l.local, localLoss{loss, window.footprint(resolution, w.Block(column, row))})
			}
			if c.lost == nil || c.numbers != nil {
				l.decoded++
			}
		}
		if l.incomplete != nil && l.isBroken(window, resolution, band, wavelet.Rect{X0: column, Y0: row, X1: column + 1, Y1: row + 1}) {
			l.local = append(l.local, localLoss{*l.incomplete, window.footprint(resolution, w.Block(column, row))})
		}
	}
}

// isBroken reports whether packets of a code-block are lost. If only headers are known to be
// damaged, any code-block of the tile may be affected.
func (l *losses) isBroken(window *componentWindow, resolution, band int, block wavelet.Rect) bool {
	if l.blocks.Damage() == nil {
		return true
	}
	at := packets.PrecinctsOf(l.tileWindow.tile.Tile, window.component, resolution, band, block)
	return l.blocks.Broken(packets.PrecinctPosition{Component: window.component, Resolution: resolution, Column: at.X0, Row: at.Y0})
}

// report reports the losses of a component to its outputs.
func (l *losses) report(window *componentWindow) {
	isTotal := l.decoded == 0
	for _, t := range window.targets {
		if t.Rect.Intersect(l.tileWindow.window).Empty() {
			continue
		}
		var under []raster.Loss
		for _, loss := range l.local {
			if !loss.rect.Intersect(t.Rect).Empty() {
				under = append(under, loss.Loss)
			}
		}
		t.Buffer.AddDamage(raster.NewDamage(under, isTotal))
	}
}

// footprint returns the samples of the component window that a code-block of a resolution affects,
// including the reach of the wavelet.
func (w *componentWindow) footprint(resolution int, block wavelet.Rect) wavelet.Rect {
	const reach = 4 // of the 9-7 wavelet, in coefficients
	doublings := len(w.resolutions) - 1 - resolution
	if resolution > 0 {
		doublings++ // bands have half the samples of their resolution
	}
	if doublings > 0 {
		block = wavelet.Rect{
			X0: (block.X0 - reach) << doublings, Y0: (block.Y0 - reach) << doublings,
			X1: (block.X1 + reach) << doublings, Y1: (block.Y1 + reach) << doublings,
		}
	}
	return codestream.Halved(block, w.halvings)
}
