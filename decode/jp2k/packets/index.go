package packets

import "unsafe"

// Index locates all code-blocks of a tile.
type Index struct {
	blockReader
	first  [][]int // number of the first band, by component and resolution
	tables []table // by number of the band
	tile   int     // number of the tile
	layers int
	damage *Damage
	broken *brokenSet // precincts with damage; nil if unknown
}

var _ Blocks = (*Index)(nil)

func newIndex(l *layout, parts parts, k *recorder) *Index {
	x := &Index{
		blockReader: blockReader{parts, k.finish()}, first: make([][]int, len(l.first)), tables: k.tables,
		tile: l.tile.Number, layers: l.tile.Layers,
	}
	for c := range l.first {
		resolutions := len(l.tile.Components[c].Resolutions)
		x.first[c] = make([]int, resolutions+1)
		for r := range resolutions {
			v := &l.levels[l.first[c]+r]
			x.first[c][r] = v.firstBand
			x.first[c][r+1] = v.firstBand + len(l.resolution(v).Bands)
		}
	}
	return x
}

// Block sets block to a code-block as of its first layers.
func (x *Index) Block(at Position, layers int, block *Block) bool {
	t := x.table(at)
	if t == nil {
		return false
	}
	r := t.record(at.Column, at.Row)
	return r != nil && r.passes > 0 && x.fill(block, r, layers)
}

func (x *Index) table(at Position) *table {
	if at.Component < 0 || at.Component >= len(x.first) {
		return nil
	}
	first := x.first[at.Component]
	if at.Resolution < 0 || at.Resolution+1 >= len(first) || at.Band < 0 || first[at.Resolution]+at.Band >= first[at.Resolution+1] {
		return nil
	}
	return &x.tables[first[at.Resolution]+at.Band]
}

// Damage returns the reason why packets could not be read.
func (x *Index) Damage() error { return x.damage.asError() }

// Broken reports whether packets of a precinct could not be read.
func (x *Index) Broken(at PrecinctPosition) bool {
	return x.damage != nil && (x.broken == nil || x.broken.has(at))
}

// Size returns the memory of x in bytes.
func (x *Index) Size() int64 {
	size := int64(unsafe.Sizeof(*x)) + x.blockReader.size()
	for _, first := range x.first {
		size += int64(unsafe.Sizeof(first)) + int64(cap(first))*8
	}
	return size + tablesSize(x.tables) + x.broken.size()
}

func (b *blockReader) size() int64 {
	return int64(cap(b.parts))*int64(unsafe.Sizeof(runPart{})) + int64(cap(b.entries))
}

func tablesSize(tables []table) int64 {
	size := int64(cap(tables)) * int64(unsafe.Sizeof(table{}))
	for i := range tables {
		size += int64(cap(tables[i].records)) * int64(unsafe.Sizeof(record{}))
	}
	return size
}

// in reports whether a code-block is in the component and resolution of a precinct.
func (at Position) in(p PrecinctPosition) bool {
	return at.Component == p.Component && at.Resolution == p.Resolution
}
