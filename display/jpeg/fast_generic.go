//go:build !amd64 || purego

package jpeg

// Without assembly, Go code does all the work.

func convertRow(luma, cb, cr []uint8, pix []byte) { convertRowGo(luma, cb, cr, pix) }

func convertRows(lumaAbove, lumaBelow, cb, cr []uint8, above, below []byte) {
	convertRowsGo(lumaAbove, lumaBelow, cb, cr, above, below)
}

func transformRow(blocks []block, samples []uint8, stride int, q *quantiser) {
	transformRowGo(blocks, samples, stride, q)
}

func (c *component) write(w *bitWriter, blocks []block) { c.writeGo(w, blocks) }
