package packets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"tileserver/decode/jp2k/codestream"
)

// ErrNoLengths says that a tile does not tell how long its packets are, or not in a way that can be right.
var ErrNoLengths = errors.New("packets: no packet lengths")

// Located knows where the packets of each precinct of a tile lie: in four bytes for each packet, beside the lengths that
// the tile has. It is never written.
type Located struct {
	layout *layout
	places places

	// numbers are those of the packets' lengths: of each precinct, of each layer.
	numbers []uint32

	// milestones are where each packet begins whose number is a multiple of the stride.
	milestones []int64
}

const (
	noPacket = 1<<32 - 1
	stride   = 64
)

// Locate finds the packets of a tile by their lengths, without reading anything. The error is ErrNoLengths where the tile has to be walked:
// it has no lengths, or too few or too many, or they are not those of the tile-parts; or its headers are packed, which no
// lengths are told of. If ctx ends it is the cause.
func Locate(ctx context.Context, t *codestream.Tile, limits Limits) (*Located, error) {
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
	l := &Located{layout: layout, numbers: make([]uint32, layout.precincts*t.Layers)}
	if l.places, err = newPlaces(t); err != nil {
		return nil, err
	}
	numbered := l.number(newOrder(ctx, layout))
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("packets: tile %d: %w", t.Number, err)
	}
	if !numbered || !l.measure() {
		return nil, ErrNoLengths
	}
	return l, nil
}

// number tells the packets of precincts by their order. No packet is empty: lengths of 0 are places that an encoder kept free.
func (l *Located) number(o *order) bool {
	for i := range l.numbers {
		l.numbers[i] = noPacket
	}
	next, lengths := 0, l.lengths()
	for p := range o.packets {
		for next < len(lengths) && lengths[next] == 0 {
			next++
		}
		if next == len(lengths) {
			return false
		}
		l.numbers[l.slot(p.level, p.precinct)+p.layer] = uint32(next)
		next++
	}
	return !slices.ContainsFunc(lengths[next:], func(length uint32) bool { return length > 0 })
}

// measure sets the milestones. Packets end where their tile-part ends.
func (l *Located) measure() bool {
	at, part := int64(0), 0
	for i, length := range l.lengths() {
		if i%stride == 0 {
			l.milestones = append(l.milestones, at)
		}
		at += int64(length)
		for part < len(l.places) && at >= l.places[part].start+l.places[part].length {
			if at > l.places[part].start+l.places[part].length {
				return false
			}
			part++
		}
	}
	return at == l.places.length()
}

func (l *Located) lengths() []uint32 { return l.layout.tile.PacketLengths }

// slot is where in numbers those of a precinct begin.
func (l *Located) slot(v *level, precinct int) int {
	return (v.firstPrecinct + precinct) * l.layout.tile.Layers
}

// packets are the numbers of a precinct's packets, layer after layer, or nil if there is no such precinct.
func (l *Located) packets(at PrecinctPosition) []uint32 {
	number := l.layout.precinct(at)
	if number < 0 {
		return nil
	}
	return l.numbers[number*l.layout.tile.Layers:][:l.layout.tile.Layers]
}

// span is where a packet is in the run of the tile's bytes.
func (l *Located) span(number uint32) (at, length int64) {
	at = l.milestones[number/stride]
	for _, n := range l.lengths()[number/stride*stride : number] {
		at += int64(n)
	}
	return at, int64(l.lengths()[number])
}

// AppendRanges appends where the packets of a precinct lie: of each at most so many bytes from its beginning, where the
// header is.
func (l *Located) AppendRanges(ranges []Range, at PrecinctPosition, most int64) []Range {
	for _, number := range l.packets(at) {
		if number != noPacket {
			start, length := l.span(number)
			ranges = l.places.appendRanges(ranges, start, min(length, most))
		}
	}
	return ranges
}

// Size is how many bytes of memory l holds, without those of the tile.
func (l *Located) Size() int64 {
	return int64(unsafe.Sizeof(*l)) + l.layout.size() + int64(cap(l.places))*int64(unsafe.Sizeof(place{})) +
		int64(cap(l.numbers))*4 + int64(cap(l.milestones))*8
}
