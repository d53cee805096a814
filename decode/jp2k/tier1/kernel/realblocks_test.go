package kernel_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/tier1"
)

// realBlocks calls do with the code-blocks of each real file. Without the files the test is skipped, or fails
// if everything must be tested.
func realBlocks(t *testing.T, do func(t *testing.T, blocks []tier1.Block)) {
	t.Helper()
	folder := os.Getenv("TILESERVER_TESTDATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "..", "shared", "testdata")
	}
	root := filepath.Join(folder, "jp2k")
	if _, err := os.Stat(root); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no test data: %v", err)
		}
		t.Skipf("SKIPPED, NO REAL FILES WERE READ: %v", err)
	}
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

// blocksOf returns the code-blocks of the arithmetic coder in a codestream.
func blocksOf(t *testing.T, data []byte) (blocks []tier1.Block) {
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
func blocksOfBand(data []byte, coding *codestream.TileComponent, index *packets.Index, at packets.Position) (blocks []tier1.Block) {
	band := &coding.Resolutions[at.Resolution].Bands[at.Band]
	for at.Row = range band.BlockRows() {
		for at.Column = range band.BlockColumns() {
			var found packets.Block
			if !index.Block(at, packets.AllLayers, &found) || found.HT || found.Passes == 0 {
				continue
			}
			rect := band.Block(at.Column, at.Row)
			b := tier1.Block{
				Width: rect.Width(), Height: rect.Height(), Orientation: band.Orientation, Style: tier1.Style(coding.Style & (codestream.HT - 1)),
				BitPlanes: band.BitPlanes + coding.ROIShift - found.MissingBitPlanes, Passes: found.Passes,
			}
			for _, s := range found.Segments {
				b.Segments = append(b.Segments, tier1.Segment(s))
			}
			for _, c := range found.Chunks {
				b.Data = append(b.Data, data[c.Offset:c.Offset+c.Length]...)
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}
