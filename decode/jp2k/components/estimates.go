package components

import "tileserver/decode/jp2k/codestream"

// estimates are rough sizes for reading the headers of a tile without parameters of its own.
type estimates struct {
	headers int64 // of the tile, while they are in memory
	scan    int64 // of a scan of its packets
}

// estimatesOf returns estimates from the main header.
func estimatesOf(h *codestream.Header, limits Limits) estimates {
	resolutions, blocks := 0, 0
	for c := range h.Components {
		resolutions += h.Levels(c) + 1
		blocks = min(blocks+estimateBlocks(h, c), limits.Packets.Blocks)
	}
	return estimates{
		headers: headerBytesOf(len(h.Components), resolutions),
		scan:    (recordBytes+countBytes)*int64(blocks) + min(noteBytes*int64(blocks)*int64(h.Coding.Layers-1), int64(limits.Packets.NoteBytes)),
	}
}

// The memory of a code-block in the index of a tile, of its precinct during a scan (few share one),
// and of each layer of the code-block except the first.
const (
	recordBytes = 12
	countBytes  = 2
	noteBytes   = 14
)

// estimateBlocks estimates the number of a component's code-blocks in a tile: those of the finest
// bands, and a third as many in all others.
func estimateBlocks(h *codestream.Header, component int) int {
	tile, c := h.FirstTile.Intersect(h.Image), h.Components[component]
	columns := ceilDivide(tile.Width(), c.DX*h.Coding.BlockWidth)
	rows := ceilDivide(tile.Height(), c.DY*h.Coding.BlockHeight)
	return columns * rows * 4 / 3
}

// Rough sizes of the structures of a codestream.Tile.
const (
	tileBytes       = 512
	componentBytes  = 96
	resolutionBytes = 96
	bandBytes       = 72
)

// headerBytesOf estimates the size of a tile's headers. resolutions is the sum over its components.
func headerBytesOf(components, resolutions int) int64 {
	return tileBytes + int64(components)*componentBytes + int64(resolutions)*(resolutionBytes+3*bandBytes)
}

func ceilDivide(a, b int) int { return (a + b - 1) / b }
