package packets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"tileserver/decode/jp2k/codestream"
)

// ErrKept says that bytes are not those of an index of the tile, or no longer.
var ErrKept = errors.New("packets: not an index of this tile")

// The form for keeping is
//
//	the version (one byte)
//	the number of the tile, and how many bytes its parts have
//	of the damage: the number of the reason and, if that is not 0, the packet
//	of each table: 0 if it has no records, else 1
//	    and, of each record, its length times 4 and the kind of record, and what that takes
//	the checksum of all that (four bytes)
//
// in numbers of seven bits a byte, low ones first. Most chunks lie behind that of the record before; the distance is told of others.
// Tables of empty bands are not there.
const formVersion = 2

// The kinds of records.
const (
	nothing  = iota // came of the block
	adjacent        // layer where there are several, passes, missing bit-planes
	apart           // the same, and first the distance
	entry           // missing bit-planes, and the bytes of an entry
)

// AppendBinary appends a form of x for keeping, which Parse takes.
func (x *Index) AppendBinary(data []byte) []byte {
	begin := len(data)
	data = append(data, formVersion)
	data = binary.AppendUvarint(data, uint64(x.tile))
	data = binary.AppendUvarint(data, uint64(x.places.length()))
	if x.damage == nil {
		data = append(data, 0)
	} else {
		data = append(data, byte(1+slices.Index(reasons(), x.damage.Reason)))
		data = binary.AppendUvarint(data, uint64(x.damage.Packet))
	}
	end := int64(0)
	for i := range x.tables {
		t := &x.tables[i]
		switch {
		case t.blocks.Empty():
		case t.records == nil:
			data = append(data, 0)
		default:
			data = append(data, 1)
			for i := range t.records {
				data, end = x.appendRecord(data, &t.records[i], end)
			}
		}
	}
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data[begin:], castagnoli()))
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// appendRecord appends a record, and returns where its chunk ends; or, if it has none, where that of the record before does.
func (x *Index) appendRecord(data []byte, r *record, end int64) ([]byte, int64) {
	head := uint64(r.length) << 2
	switch {
	case r.passes == 0:
		return append(data, nothing), end
	case r.layer == elsewhere:
		data = append(binary.AppendUvarint(data, head|entry), r.missing)
		return append(data, x.entries[r.at():][:r.length]...), end
	case r.at() == end:
		data = binary.AppendUvarint(data, head|adjacent)
	default:
		data = binary.AppendUvarint(data, head|apart)
		data = binary.AppendVarint(data, r.at()-end)
	}
	if x.layers > 1 {
		data = append(data, r.layer)
	}
	return append(data, r.passes, r.missing), r.at() + int64(r.length)
}

// Parse makes an Index of what AppendBinary made for the same tile. The error is ErrKept if the bytes are damaged or those of another tile.
func Parse(t *codestream.Tile, data []byte, limits Limits) (*Index, error) {
	l, err := newLayout(t, limits.withDefaults())
	if err != nil {
		return nil, fmt.Errorf("packets: tile %d: %w", t.Number, err)
	}
	places, err := newPlaces(t)
	if err != nil {
		return nil, err
	}
	body := len(data) - 4
	if body < 2 || data[0] != formVersion || binary.LittleEndian.Uint32(data[body:]) != crc32.Checksum(data[:body], castagnoli()) {
		return nil, fmt.Errorf("tile %d: %w", t.Number, ErrKept)
	}
	p := parser{numbers: numbers{data: data[1:body]}, layers: t.Layers, run: uint64(places.length())}
	if p.next() != uint64(t.Number) || p.next() != p.run {
		return nil, fmt.Errorf("tile %d: %w", t.Number, ErrKept)
	}
	damage := p.damage()
	tables := l.tables()
	for i := range tables {
		p.table(&tables[i])
	}
	if p.bad || len(p.data) > 0 {
		return nil, fmt.Errorf("tile %d: %w", t.Number, ErrKept)
	}
	x := newIndex(l, places, &keeper{tables: tables})
	x.entries, x.damage = slices.Clip(p.entries), damage
	return x, nil
}

// parser reads the form for keeping.
type parser struct {
	numbers
	layers  int
	run     uint64 // how many bytes the tile has
	end     uint64 // of the last chunk
	entries []byte
}

func (p *parser) damage() *Damage {
	reason := p.next()
	if reason == 0 {
		return nil
	}
	packet := p.next()
	if reason > uint64(len(reasons())) || packet > 1<<32 {
		p.bad = true
		return nil
	}
	return &Damage{int(packet), reasons()[reason-1]}
}

// table reads the records of one band.
func (p *parser) table(t *table) {
	if p.bad || t.blocks.Empty() || p.next() == 0 {
		return
	}
	blocks := t.blocks.Width() * t.blocks.Height()
	if blocks > len(p.data) {
		p.bad = true
		return
	}
	t.records = make([]record, blocks)
	for i := range t.records {
		p.record(&t.records[i])
		if p.bad {
			return
		}
	}
}

func (p *parser) record(r *record) {
	head := p.next()
	length := head >> 2
	switch head & 3 {
	case nothing:
		p.bad = p.bad || length > 0
	case entry:
		p.entry(r, length)
	case apart:
		p.end += p.distance()
		p.chunk(r, length)
	default:
		p.chunk(r, length)
	}
}

// distance reads a number that may be negative.
func (p *parser) distance() uint64 {
	v := p.next()
	return v>>1 ^ -(v & 1)
}

func (p *parser) entry(r *record, length uint64) {
	missing := p.skip(1)
	if length > uint64(len(p.data)) || !checkEntry(p.data[:length], p.layers, p.run) {
		p.bad = true
		return
	}
	*r = record{length: uint32(length), passes: 1, missing: missing, layer: elsewhere}
	r.setAt(int64(len(p.entries)))
	p.entries = append(p.entries, p.data[:length]...)
	p.data = p.data[length:]
}

func (p *parser) chunk(r *record, length uint64) {
	layer := byte(0)
	if p.layers > 1 {
		layer = p.skip(1)
	}
	*r = record{length: uint32(length), passes: p.skip(1), missing: p.skip(1), layer: layer}
	inside := p.end <= p.run && length <= p.run-p.end
	if p.bad || !inside || length >= 1<<mostLengthBits || r.passes == 0 || int(layer) >= p.layers || layer == elsewhere {
		p.bad = true
		return
	}
	r.setAt(int64(p.end))
	p.end += length
}
