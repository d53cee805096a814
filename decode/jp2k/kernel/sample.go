package kernel

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"

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
	few := sampleTiles()
	s := &sample{tiles: make([]*Tile, jobs), jobs: make([]gpu.Job, jobs), onCore: make([][][][]byte, jobs)}
	for i := range s.tiles {
		s.tiles[i] = few[i%len(few)]
		s.jobs[i], _ = JobOf(s.tiles[i]) // they are sound
	}
	return s
}

// sample is tiles as work for a trial.
type sample struct {
	tiles  []*Tile
	jobs   []gpu.Job
	onCore [][][][]byte // what a core made of each
	read   []byte       // what the device made of one
	core   core
}

func (s *sample) Kernel() *gpu.Kernel         { return Tiles }
func (s *sample) Jobs() []gpu.Job             { return s.jobs }
func (s *sample) Write(job int, input []byte) { Write(s.tiles[job], input) }

// Do computes a tile.
func (s *sample) Do(job int) { s.onCore[job], _ = s.core.compute(s.tiles[job]) }

// Read copies the samples of a tile that a device has computed.
func (s *sample) Read(job int, status uint32, output []byte) error {
	made, err := Read(s.tiles[job], status, output)
	if err == nil {
		s.read = append(s.read[:0], made[0][0]...)
	}
	return err
}

var errOtherSamples = errors.New("other samples")

// Check compares the samples of a device with those of a core.
func (s *sample) Check(job int) error {
	if !bytes.Equal(s.read, s.onCore[job][0][0]) {
		return errOtherSamples
	}
	return nil
}
