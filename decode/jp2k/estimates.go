package jp2k

import "tileserver/decode/jp2k/codestream"

// estimates are about what it takes to find out what is in a tile that says nothing of its own.
type estimates struct {
	headers int64 // of the tile, as long as it is known
	walk    int64 // over its packets
}

// estimatesOf are of what the main header says.
func estimatesOf(h *codestream.Header, limits Limits) estimates {
	resolutions, blocks := 0, 0
	for c := range h.Components {
		resolutions += h.Levels(c) + 1
		blocks = min(blocks+aboutBlocks(h, c), limits.Packets.Blocks)
	}
	return estimates{
		headers: headerBytesOf(len(h.Components), resolutions),
		walk:    (recordBytes+countBytes)*int64(blocks) + min(noteBytes*int64(blocks)*int64(h.Coding.Layers-1), int64(limits.Packets.NoteBytes)),
	}
}

// What the index of a tile takes of each code-block, and walking does of its precinct, which few share, and of each layer but
// the first that a code-block is in.
const (
	recordBytes = 12
	countBytes  = 2
	noteBytes   = 14
)

// aboutBlocks is about how many code-blocks a component has in a tile: those of the finest bands, and a third as many
// in all the others.
func aboutBlocks(h *codestream.Header, component int) int {
	tile, c := h.FirstTile.Intersect(h.Image), h.Components[component]
	columns := ceilDivide(tile.Width(), c.DX*h.Coding.BlockWidth)
	rows := ceilDivide(tile.Height(), c.DY*h.Coding.BlockHeight)
	return columns * rows * 4 / 3
}

// About what the structures of a codestream.Tile take.
const (
	tileBytes       = 512
	componentBytes  = 96
	resolutionBytes = 96
	bandBytes       = 72
)

// headerBytesOf is about what the headers of a tile take whose components have so many resolutions in all.
func headerBytesOf(components, resolutions int) int64 {
	return tileBytes + int64(components)*componentBytes + int64(resolutions)*(resolutionBytes+3*bandBytes)
}
