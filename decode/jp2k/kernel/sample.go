package kernel

import (
	_ "embed"
	"encoding/binary"

	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu"
	"tileserver/gpu/trial"
)

// sampleBytes are code-blocks of small tiles without losses, of one component and one level each: a
// sampleHeader and a codeword for each band. A test writes them.
//
//go:embed sample.bin
var sampleBytes []byte

// sampleHeader comes before each codeword.
type sampleHeader struct{ BitPlanes, Passes, Bytes uint16 }

// sampleSide is the width and height of a tile of the sample. It has as many coefficients as a code-block of
// the usual size.
const sampleSide = 64

// sampleTiles returns the tiles of sampleBytes.
func sampleTiles() (tiles []*Tile) {
	for rest := sampleBytes; len(rest) > 0; {
		t := &Tile{IsReversible: true}
		for band := range wavelet.Orientation(4) {
			var h sampleHeader
			n, err := binary.Decode(rest, binary.LittleEndian, &h)
			if err != nil {
				return tiles
			}
			codeword := rest[n:][:h.Bytes]
			rest = rest[n+len(codeword):]
			t.Blocks = append(t.Blocks, tier1.Block{
				Width: sampleSide / 2, Height: sampleSide / 2, Orientation: band,
				BitPlanes: int(h.BitPlanes), Passes: int(h.Passes), Data: codeword,
				Segments: []tier1.Segment{{Passes: int(h.Passes), Length: len(codeword)}},
			})
		}
		t.Windows = []Window{{sampleComponent()}}
		tiles = append(tiles, t)
	}
	return tiles
}

// sampleComponent returns the component of a tile with a code-block in each band.
func sampleComponent() Component {
	whole := wavelet.Rect{X1: sampleSide, Y1: sampleSide}
	band := func(o wavelet.Orientation) Band {
		rect := wavelet.BandRect(whole, o)
		return Band{Window: rect, Places: []Place{{int(o), rect}}}
	}
	return Component{
		Depth: samples.Depth{Bits: 8}, Coarsest: band(wavelet.LL),
		Levels: []Level{{Whole: whole, Window: whole, Bands: [3]Band{band(wavelet.HL), band(wavelet.LH), band(wavelet.HH)}}},
	}
}

// Sample returns typical tiles. They are small, so that a batch of many takes as long as one of as many
// code-blocks.
func Sample(jobs int) trial.Work {
	var c core
	return trial.Items[*Tile, byte]{
		Kernel: Tiles, Few: sampleTiles(),
		Job: func(t *Tile) gpu.Job {
			job, _ := JobOf(t) // it is sound
			return job
		},
		Size:  func(*Tile) int { return sampleSide * sampleSide },
		Write: Write,
		Do: func(t *Tile, samples []byte) {
			made, _ := c.compute(t)
			copy(samples, made[0][0])
		},
		Read: func(t *Tile, status uint32, output, samples []byte) error {
			made, err := Read(t, status, output)
			if err == nil {
				copy(samples, made[0][0])
			}
			return err
		},
	}.Work(jobs)
}
