// Package realblocks reads the code-blocks of real files, for tests of kernels.
package realblocks

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/integration/realfiles"
)

// Block is a code-block of a real file, with all of its layers.
type Block struct {
	packets.Block
	Width, Height int
	Orientation   wavelet.Orientation
	Style         codestream.Style
	BitPlanes     int // of magnitudes in the band, and for a region of interest
	Data          []byte
}

// Each calls do with the code-blocks of each real file.
func Each(t *testing.T, do func(t *testing.T, blocks []Block)) {
	t.Helper()
	root := filepath.Join(realfiles.Folder(t, "jp2k"), "jp2k")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if at := bytes.Index(data, []byte{0xFF, 0x4F, 0xFF, 0x51}); at >= 0 {
			name, _ := filepath.Rel(root, path)
			t.Run(name, func(t *testing.T) { do(t, blocksOf(t, data[at:])) })
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// blocksOf returns the code-blocks of a codestream.
func blocksOf(t *testing.T, data []byte) (blocks []Block) {
	t.Helper()
	reader := codestreamtest.NewReader(data)
	header, err := codestream.ReadHeader(reader, codestream.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := header.FindParts(reader)
	if err != nil {
		t.Fatal(err)
	}
	for i := range header.Tiles() {
		if parts.OfTile(i) == 0 {
			continue
		}
		tile, err := header.ReadTile(reader, parts, i)
		if err != nil {
			t.Fatal(err)
		}
		index, err := packets.Scan(t.Context(), reader, tile, packets.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		for c := range tile.Components {
			for r := range tile.Components[c].Resolutions {
				for b := range tile.Components[c].Resolutions[r].Bands {
					blocks = append(blocks, blocksOfBand(data, &tile.Components[c], index, packets.Position{Component: c, Resolution: r, Band: b})...)
				}
			}
		}
	}
	return blocks
}

// blocksOfBand returns the code-blocks of the band at a position.
func blocksOfBand(data []byte, coding *codestream.TileComponent, index *packets.Index, at packets.Position) (blocks []Block) {
	band := &coding.Resolutions[at.Resolution].Bands[at.Band]
	for at.Row = range band.BlockRows() {
		for at.Column = range band.BlockColumns() {
			var found packets.Block
			if !index.Block(at, packets.AllLayers, &found) || found.Passes == 0 {
				continue
			}
			rect := band.Block(at.Column, at.Row)
			b := Block{
				Block: found, Width: rect.Width(), Height: rect.Height(), Orientation: band.Orientation,
				Style: coding.Style, BitPlanes: band.BitPlanes + coding.ROIShift,
			}
			for _, c := range found.Chunks {
				b.Data = append(b.Data, data[c.Offset:c.Offset+c.Length]...)
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}
