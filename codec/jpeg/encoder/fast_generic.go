//go:build !amd64 || purego

package encoder

// The functions below call the Go twins where no assembly is available.

func convertRow(luma, cb, cr []uint8, pix []byte) { convertRowGo(luma, cb, cr, pix) }

func convertRows(lumaAbove, lumaBelow, cb, cr []uint8, above, below []byte) {
	convertRowsGo(lumaAbove, lumaBelow, cb, cr, above, below)
}

func transformRow(blocks []block, samples []uint8, stride int, q *quantizer) {
	transformRowGo(blocks, samples, stride, q)
}

func (c *component) write(w *bitWriter, blocks []block) { c.writeGo(w, blocks) }
