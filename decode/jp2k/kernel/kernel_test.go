package kernel

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tileserver/decode/jp2k/kernel/kerneltest"
	"tileserver/decode/jp2k/samples"
	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu"
	"tileserver/gpu/gputest"
)

// twin is a device that runs the kernel's Go twin.
var twin = gputest.NewRunner(gputest.Entries{Tiles.Name: kerneltest.Entries()})

// expect computes tiles as one batch and compares each with what a core computes. It returns how many the
// kernel left to the cores, which have to be those that are damaged.
func expect(t testing.TB, device gpu.Runner, tiles []*Tile) (leftToCores int) {
	t.Helper()
	var jobs []gpu.Job
	var inputs [][]byte
	for i, tile := range tiles {
		job, err := JobOf(tile)
		if err != nil {
			t.Fatalf("tile %d: %v", i, err)
		}
		input := bytes.Repeat([]byte{0xA5}, int(job.Input))
		Write(tile, input)
		jobs, inputs = append(jobs, job), append(inputs, input)
	}
	b := gputest.Run(t, device, Tiles, jobs, inputs)
	for i, tile := range tiles {
		got, err := Read(tile, b.Status(i), b.OutputOf(i))
		want, wantErr := new(core).compute(tile)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("tile %d: %v, on a core %v", i, err, wantErr)
		}
		if err != nil {
			leftToCores++
			continue
		}
		for w := range want {
			for c := range want[w] {
				if at := difference(got[w][c], want[w][c]); at >= 0 {
					t.Fatalf("tile %d of %d, reversible %v, window %d of %d, component %d: byte %d is %d, on a core %d\n%+v",
						i, len(tiles), tile.IsReversible, w, len(want), c, at, got[w][c][at], want[w][c][at], geometryOf(tile.Windows[w][c]))
				}
			}
		}
	}
	return leftToCores
}

// difference returns where two slices differ first, or -1.
func difference(a, b []byte) int {
	for i := range b {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// geometryOf describes a component without its blocks.
func geometryOf(c Component) string {
	text := fmt.Sprintf("%+v, coarsest %v", c.Depth, c.Coarsest.Window)
	for _, l := range c.Levels {
		text += fmt.Sprintf("; %v of %v", l.Window, l.Whole)
	}
	return text
}

// maker makes tiles of any kind.
type maker struct {
	*rand.Rand
	tile  Tile
	coded map[place]int // indexes of blocks
	share int           // of code-blocks that are coded, in percent
}

// place is the place of a code-block in a tile.
type place struct{ component, resolution, band, column, row int }

// side is what one component of a tile is.
type side struct {
	whole  wavelet.Rect
	levels int
	depth  samples.Depth
}

// blockLog2 is the size of code-blocks.
const blockLog2 = 4

// makeTile makes a tile of some windows of one component each, and of three that were transformed together.
func makeTile(seed uint64) *Tile {
	m := maker{Rand: rand.New(rand.NewPCG(seed, 7)), coded: make(map[place]int)}
	m.tile.IsReversible = seed%2 == 0
	m.share = []int{100, 70, 5}[m.IntN(3)]
	sizes := []int{1, 2, 3, 4, 5, 17, 40, 61}
	whole, levels := m.rectOf(sizes[m.IntN(len(sizes))], sizes[m.IntN(len(sizes))]), m.IntN(5)
	var sides []side
	for c := range []int{1, 3}[m.IntN(2)] {
		sides = append(sides, side{whole: whole, levels: max(0, levels-c*m.IntN(2)), depth: m.depth()})
	}
	for range 1 + m.IntN(2) {
		window := whole
		if m.IntN(2) == 0 {
			window = m.within(window)
		}
		m.tile.Windows = append(m.tile.Windows, m.window(sides, window))
	}
	return &m.tile
}

// window makes a window of some components.
func (m *maker) window(sides []side, window wavelet.Rect) (w Window) {
	for c, s := range sides {
		w = append(w, m.component(c, s, window))
	}
	return w
}

func (m *maker) depth() samples.Depth {
	return samples.Depth{Bits: []int{1, 7, 8, 9, 12, 16}[m.IntN(6)], Signed: m.IntN(3) == 0}
}

func (m *maker) rectOf(width, height int) wavelet.Rect {
	x, y := m.IntN(50), m.IntN(50)
	return wavelet.Rect{X0: x, Y0: y, X1: x + width, Y1: y + height}
}

// within returns a rectangle in another one.
func (m *maker) within(r wavelet.Rect) wavelet.Rect {
	x, y := r.X0+m.IntN(r.Width()), r.Y0+m.IntN(r.Height())
	return wavelet.Rect{X0: x, Y0: y, X1: x + 1 + m.IntN(r.X1-x), Y1: y + 1 + m.IntN(r.Y1-y)}
}

// component makes a component of a window.
func (m *maker) component(number int, s side, window wavelet.Rect) Component {
	filter := wavelet.Filter97
	if m.tile.IsReversible {
		filter = wavelet.Filter53
	}
	c := Component{Depth: s.depth}
	whole := s.whole
	for resolution := s.levels; resolution > 0; resolution-- {
		l := Level{Whole: whole, Window: window}
		needed := filter.Needed(whole, window)
		for b := range l.Bands {
			o := wavelet.Orientation(b + 1)
			l.Bands[b] = m.band(place{component: number, resolution: resolution, band: b}, wavelet.BandRect(whole, o), needed[o], o, s.depth.Bits)
		}
		c.Levels = append(c.Levels, l)
		whole, window = wavelet.BandRect(whole, wavelet.LL), needed[wavelet.LL]
	}
	slices.Reverse(c.Levels)
	c.Coarsest = m.band(place{component: number}, whole, window, wavelet.LL, s.depth.Bits)
	return c
}

// band makes a window of a band, with the code-blocks that touch it.
func (m *maker) band(at place, whole, window wavelet.Rect, o wavelet.Orientation, bits int) Band {
	b := Band{Window: window.Intersect(whole), Step: 0.37 + float32(at.resolution)/7}
	if b.Window.Empty() {
		return b
	}
	for at.row = b.Window.Y0 >> blockLog2; at.row <= (b.Window.Y1-1)>>blockLog2; at.row++ {
		for at.column = b.Window.X0 >> blockLog2; at.column <= (b.Window.X1-1)>>blockLog2; at.column++ {
			x, y := at.column<<blockLog2, at.row<<blockLog2
			rect := wavelet.Rect{X0: x, Y0: y, X1: x + 1<<blockLog2, Y1: y + 1<<blockLog2}.Intersect(whole)
			if index := m.block(at, rect, o, bits); index >= 0 {
				b.Places = append(b.Places, Place{index, rect})
			}
		}
	}
	return b
}

// block returns the index of a code-block, or -1 if it is not coded.
func (m *maker) block(at place, rect wavelet.Rect, o wavelet.Orientation, bits int) int {
	if index, isThere := m.coded[at]; isThere {
		return index
	}
	m.coded[at] = -1
	if m.IntN(100) < m.share {
		m.coded[at] = len(m.tile.Blocks)
		values := make([]int64, rect.Width()*rect.Height())
		for i := range values {
			values[i] = int64(m.NormFloat64() * float64(int(1)<<bits) / float64(int(3)<<min(at.resolution, 3)))
		}
		b := tier1test.Encode(values, rect.Width(), rect.Height(), o, tier1.SegmentationSymbols)
		m.tile.Blocks = append(m.tile.Blocks, b)
	}
	return m.coded[at]
}

func makeTiles(count int) (tiles []*Tile) {
	for seed := range uint64(count) {
		tiles = append(tiles, makeTile(seed))
	}
	return tiles
}

func TestTilesOfAllKinds(t *testing.T) {
	for _, n := range []int{1, 7, 500} {
		if left := expect(t, twin, makeTiles(n)); left > 0 {
			t.Errorf("%d of %d sound tiles are left to cores", left, n)
		}
	}
}

// damage damages a code-block of some tiles. Segmentation symbols tell mostly.
func damage(tiles []*Tile) []*Tile {
	random := rand.New(rand.NewPCG(5, 6))
	for i, tile := range tiles {
		if i%2 == 0 || len(tile.Blocks) == 0 {
			continue
		}
		b := &tile.Blocks[random.IntN(len(tile.Blocks))]
		b.Data = slices.Clone(b.Data)
		for at := range b.Data {
			b.Data[at] ^= byte(random.Uint32())
		}
	}
	return tiles
}

// A damaged code-block costs its tile and no other.
func TestDamagedTiles(t *testing.T) {
	tiles := damage(makeTiles(80))
	if left := expect(t, twin, tiles); left < len(tiles)/4 || left > len(tiles)/2 {
		t.Errorf("%d of %d tiles are left to cores", left, len(tiles))
	}
}

func TestCoresComputeWhatTheKernelDoesNot(t *testing.T) {
	for name, change := range map[string]func(t *Tile){
		"wide samples":        func(t *Tile) { t.Windows[0][0].Depth.Bits = 17 },
		"no bits":             func(t *Tile) { t.Windows[0][0].Depth.Bits = 0 },
		"two components":      func(t *Tile) { t.Windows[0] = t.Windows[0][:2] },
		"other sizes":         func(t *Tile) { t.Windows[0][1].Levels[0].Window.X1-- },
		"a band too small":    func(t *Tile) { t.Windows[0][0].Levels[0].Bands[1].Window.Y1-- },
		"a window too large":  func(t *Tile) { t.Windows[0][0].Levels[0].Whole.X1-- },
		"far positions":       func(t *Tile) { t.Windows[0][0].Levels[0].Whole.X1 = maxPosition + 1 },
		"many planes":         func(t *Tile) { t.Blocks[0].BitPlanes = 24 },
		"a tiny step":         func(t *Tile) { t.Windows[0][2].Coarsest.Step = 1e-30 },
		"a huge step":         func(t *Tile) { t.Windows[0][2].Coarsest.Step = 1e30 },
		"a block out of size": func(t *Tile) { t.Windows[0][0].Coarsest.Places[0].Rect.X1++ },
	} {
		m := maker{Rand: rand.New(rand.NewPCG(1, 7)), coded: make(map[place]int), share: 100}
		s := side{whole: wavelet.Rect{X1: 40, Y1: 30}, levels: 1, depth: samples.Depth{Bits: 8}}
		m.tile.Windows = []Window{m.window([]side{s, s, s}, s.whole)}
		if _, err := JobOf(&m.tile); err != nil {
			t.Fatal(err)
		}
		change(&m.tile)
		if _, err := JobOf(&m.tile); !errors.Is(err, ErrForCores) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	tile := makeTile(2)
	tile.Blocks[0].Data = nil
	if _, err := JobOf(tile); !errors.Is(err, tier1.ErrDamaged) {
		t.Errorf("a block without bytes: got %v", err)
	}
	for _, status := range []uint32{gpu.NotDone, gpu.Damaged, 7} {
		if _, err := Read(tile, status, nil); !errors.Is(err, gpu.ErrNotDone) {
			t.Errorf("status %d: got %v", status, err)
		}
	}
}

// FuzzTwin compares what the twin makes of a tile with wrong bytes in a code-block with what a core does: the
// samples are equal, or both find damage.
func FuzzTwin(f *testing.F) {
	for seed := range uint64(12) {
		f.Add(seed, uint16(seed), []byte{0xFF, 0x8F, 0x90, byte(seed)}, uint8(3))
	}
	f.Fuzz(func(t *testing.T, seed uint64, number uint16, data []byte, planes uint8) {
		tile := makeTile(seed)
		if len(tile.Blocks) > 0 {
			b := &tile.Blocks[int(number)%len(tile.Blocks)]
			b.BitPlanes, b.Data = int(planes), data
			b.Passes = 3*b.BitPlanes - 2
			b.Segments = []tier1.Segment{{Passes: b.Passes, Length: len(data)}}
		}
		if _, err := JobOf(tile); err != nil {
			if _, onCoreErr := new(core).compute(tile); onCoreErr == nil && !errors.Is(err, ErrForCores) {
				t.Errorf("refused for %v, but a core computes it", err)
			}
			return
		}
		expect(t, twin, []*Tile{tile})
	})
}
