//go:build (!amd64 && !arm64) || purego

package decoder

// The functions below call the Go twins where no assembly is available.

func transformRow8(out []uint8, stride int, blocks []block, lastIndexes []uint8, q *quantizer) {
	transformRow8Go(out, stride, blocks, lastIndexes, q)
}

func sumRows8(sums []uint16, near, far []uint8) { sumRowsGo(sums, near, far) }

func widenSums8(out []uint8, sums []uint16, left, right uint16) {
	widenSumsGo(out, sums, left, right)
}

func rgbRow8(r, g, b, luma, cb, cr []uint8) { rgbRow8Go(r, g, b, luma, cb, cr) }
