package packets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"tileserver/decode/jp2k/codestream"
)

// ErrNoLengths reports a tile without packet lengths, or with lengths that cannot be right.
var ErrNoLengths = errors.New("packets: no packet lengths")

// A PacketMap locates the packets of each precinct of a tile. It takes four bytes per packet,
// beside the lengths in the tile. It is immutable.
type PacketMap struct {
	layout *layout
	parts  parts

	// numbers holds, by precinct and layer, the index of the packet's length.
	numbers []uint32

	// milestones holds the position of each packet whose number is a multiple of stride.
	milestones []int64
}

const (
	noPacket = 1<<32 - 1
	stride   = 64
)

// Locate locates the packets of a tile by their lengths, without reading the codestream. The error
// is ErrNoLengths if the tile must be scanned: it has no lengths, the lengths do not match the
// packets or the tile-parts, or its headers are packed, which the lengths exclude. If ctx ends, the
// error wraps its cause.
func Locate(ctx context.Context, t *codestream.Tile, limits Limits) (*PacketMap, error) {
	if t.PacketLengths == nil || t.PackedHeaders != nil {
		return nil, ErrNoLengths
	}
	layout, err := newLayout(t, limits.withDefaults())
	if err != nil {
		return nil, fmt.Errorf("packets: tile %d: %w", t.Number, err)
	}
	if layout.precincts*t.Layers > 2*len(t.PacketLengths) {
		return nil, ErrNoLengths
	}
	l := &PacketMap{layout: layout, numbers: make([]uint32, layout.precincts*t.Layers)}
	if l.parts, err = newParts(t); err != nil {
		return nil, err
	}
	numbered := l.assignNumbers(newOrder(ctx, layout))
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("packets: tile %d: %w", t.Number, err)
	}
	if !numbered || !l.setMilestones() {
		return nil, ErrNoLengths
	}
	return l, nil
}

// assignNumbers numbers the packets of each precinct in the order of the tile. No packet is empty:
// lengths of 0 are space that an encoder reserved.
func (m *PacketMap) assignNumbers(o *order) bool {
	for i := range m.numbers {
		m.numbers[i] = noPacket
	}
	next, lengths := 0, m.lengths()
	for p := range o.packets {
		for next < len(lengths) && lengths[next] == 0 {
			next++
		}
		if next == len(lengths) {
			return false
		}
		m.numbers[m.firstNumber(p.level, p.precinct)+p.layer] = uint32(next)
		next++
	}
	return !slices.ContainsFunc(lengths[next:], func(length uint32) bool { return length > 0 })
}

// setMilestones sets the milestones. It returns false unless each tile-part ends with a packet.
func (m *PacketMap) setMilestones() bool {
	at, part := int64(0), 0
	for i, length := range m.lengths() {
		if i%stride == 0 {
			m.milestones = append(m.milestones, at)
		}
		at += int64(length)
		for part < len(m.parts) && at >= m.parts[part].start+m.parts[part].length {
			if at > m.parts[part].start+m.parts[part].length {
				return false
			}
			part++
		}
	}
	return at == m.parts.length()
}

func (m *PacketMap) lengths() []uint32 { return m.layout.tile.PacketLengths }

// firstNumber returns the index in numbers of the first layer of a precinct.
func (m *PacketMap) firstNumber(v *level, precinct int) int {
	return (v.firstPrecinct + precinct) * m.layout.tile.Layers
}

// packets returns the numbers of a precinct's packets, by layer, or nil if there is no such
// precinct.
func (m *PacketMap) packets(at PrecinctPosition) []uint32 {
	number := m.layout.precinct(at)
	if number < 0 {
		return nil
	}
	return m.numbers[number*m.layout.tile.Layers:][:m.layout.tile.Layers]
}

// span returns the position and the length of a packet in the run.
func (m *PacketMap) span(number uint32) (at, length int64) {
	at = m.milestones[number/stride]
	for _, n := range m.lengths()[number/stride*stride : number] {
		at += int64(n)
	}
	return at, int64(m.lengths()[number])
}

// AppendRanges appends the ranges of a precinct's packets. Each range is limited to maxBytes from
// the start of the packet, which is where its header is.
func (m *PacketMap) AppendRanges(ranges []Range, at PrecinctPosition, maxBytes int64) []Range {
	for _, number := range m.packets(at) {
		if number != noPacket {
			start, length := m.span(number)
			ranges = m.parts.appendRanges(ranges, start, min(length, maxBytes))
		}
	}
	return ranges
}

// Size returns the memory of l in bytes, without the tile.
func (m *PacketMap) Size() int64 {
	return int64(unsafe.Sizeof(*m)) + m.layout.size() + int64(cap(m.parts))*int64(unsafe.Sizeof(runPart{})) +
		int64(cap(m.numbers))*4 + int64(cap(m.milestones))*8
}
