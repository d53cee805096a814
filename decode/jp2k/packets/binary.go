package packets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"tileserver/decode/jp2k/codestream"
)

// ErrInvalidIndex reports bytes that are not an index of the tile, or no longer are.
var ErrInvalidIndex = errors.New("packets: not an index of this tile")

// The stored form of an index is
//
//	the version (one byte)
//	the number of the tile, and the bytes of its tile-parts
//	the damage: the number of the reason and, if that is not 0, the packet
//	for each table: 0 if it has no records, else 1
//	    and for each record, its length times 4 plus its kind, then its content
//	the checksum of all that (four bytes)
//
// Numbers are varints: seven bits a byte, low bits first. Most chunks directly follow the chunk of
// the record before; for others, the distance is stored. Tables of empty bands are omitted.
const formVersion = 2

// The kinds of records.
const (
	nothing  = iota // no contribution
	adjacent        // layer (if the tile has several), passes, missing bit-planes
	apart           // the same, after the distance
	entry           // missing bit-planes, and the bytes of an entry
)

// AppendBinary appends the stored form of x, which Parse reads.
func (x *Index) AppendBinary(data []byte) []byte {
	begin := len(data)
	data = append(data, formVersion)
	data = binary.AppendUvarint(data, uint64(x.tile))
	data = binary.AppendUvarint(data, uint64(x.parts.length()))
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

// appendRecord appends a record. It returns the end of the record's chunk, or end if the record has
// none.
func (x *Index) appendRecord(data []byte, r *record, end int64) ([]byte, int64) {
	head := uint64(r.length) << 2
	switch {
	case r.passes == 0:
		return append(data, nothing), end
	case r.layer == inEntry:
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

// Parse reads what AppendBinary wrote for the same tile. The error is ErrInvalidIndex if the bytes
// are damaged or belong to another tile.
func Parse(t *codestream.Tile, data []byte, limits Limits) (*Index, error) {
	l, err := newLayout(t, limits.withDefaults())
	if err != nil {
		return nil, fmt.Errorf("packets: tile %d: %w", t.Number, err)
	}
	parts, err := newParts(t)
	if err != nil {
		return nil, err
	}
	body := len(data) - 4
	if body < 2 || data[0] != formVersion || binary.LittleEndian.Uint32(data[body:]) != crc32.Checksum(data[:body], castagnoli()) {
		return nil, fmt.Errorf("tile %d: %w", t.Number, ErrInvalidIndex)
	}
	p := parser{numbers: numbers{data: data[1:body]}, layers: t.Layers, run: uint64(parts.length())}
	if p.next() != uint64(t.Number) || p.next() != p.run {
		return nil, fmt.Errorf("tile %d: %w", t.Number, ErrInvalidIndex)
	}
	damage := p.damage()
	tables := l.tables()
	for i := range tables {
		p.table(&tables[i])
	}
	if p.bad || len(p.data) > 0 {
		return nil, fmt.Errorf("tile %d: %w", t.Number, ErrInvalidIndex)
	}
	x := newIndex(l, parts, &recorder{tables: tables})
	x.entries, x.damage = slices.Clip(p.entries), damage
	return x, nil
}

// parser reads the stored form.
type parser struct {
	numbers
	layers  int
	run     uint64 // bytes of the tile
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

// distance reads a signed number.
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
	*r = record{length: uint32(length), passes: 1, missing: missing, layer: inEntry}
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
	if p.bad || !inside || length >= 1<<maxLengthBits || r.passes == 0 || int(layer) >= p.layers || layer == inEntry {
		p.bad = true
		return
	}
	r.setAt(int64(p.end))
	p.end += length
}
