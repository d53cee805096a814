package packets

import "encoding/binary"

// An entry describes a code-block with several contributions or pieces. Each contribution is
//
//	the number of layers since the contribution before
//	the number of bytes of the run between the two chunks
//	twice the number of pieces, plus 1 if the first piece continues a segment
//	for each piece, the passes (one byte) and the length
//
// Numbers are varints: seven bits a byte, low bits first.

// finish turns the log into entries, in the order of the tables, and returns all entries.
func (k *recorder) finish() []byte {
	if k.log.size() == 0 {
		return nil
	}
	entries := make([]byte, 0, k.log.size()) // an upper bound
	var notes []int64
	for t := range k.tables {
		for i := range k.tables[t].records {
			r := &k.tables[t].records[i]
			if r.passes == 0 || r.layer != inEntry {
				continue
			}
			notes = k.notes(notes[:0], r.at())
			begin := len(entries)
			entries = k.appendEntry(entries, notes)
			r.setAt(int64(begin))
			r.length = uint32(len(entries) - begin)
		}
	}
	k.log = log{}
	return append(make([]byte, 0, len(entries)), entries...)
}

// notes returns the positions of a code-block's notes in the log, the last note first.
func (k *recorder) notes(notes []int64, at int64) []int64 {
	for {
		notes = append(notes, at)
		previous, _ := binary.Uvarint(k.log.from(at))
		if previous == 0 {
			return notes
		}
		at = int64(previous) - 1
	}
}

func (k *recorder) appendEntry(entries []byte, notes []int64) []byte {
	layer, end := uint64(0), uint64(0)
	for i := len(notes) - 1; i >= 0; i-- {
		n := numbers{data: k.log.from(notes[i])}
		n.next()
		itsLayer, at := n.next(), n.next()
		entries = binary.AppendUvarint(entries, itsLayer-layer)
		entries = binary.AppendUvarint(entries, at-end)
		layer, end = itsLayer, at
		pieces := n.data
		for range n.next() >> 1 {
			n.skip(1)
			end += n.next()
		}
		entries = append(entries, pieces[:len(pieces)-len(n.data)]...)
	}
	return entries
}

// numbers reads the numbers of entries. Beyond the end it reads zeros and sets bad.
type numbers struct {
	data []byte
	bad  bool
}

func (n *numbers) next() uint64 {
	if len(n.data) > 0 && n.data[0] < 0x80 {
		v := uint64(n.data[0])
		n.data = n.data[1:]
		return v
	}
	v, length := binary.Uvarint(n.data)
	if length <= 0 {
		n.data, n.bad = nil, true
		return 0
	}
	n.data = n.data[length:]
	return v
}

// skip skips bytes and returns the first of them.
func (n *numbers) skip(count int) byte {
	if len(n.data) < count {
		n.data, n.bad = nil, true
		return 0
	}
	b := n.data[0]
	n.data = n.data[count:]
	return b
}

// contribution reads the head of a contribution.
func (n *numbers) contribution() (layers, gap, head uint64) { return n.next(), n.next(), n.next() }

// piece reads one piece.
func (n *numbers) piece() (passes int, length uint64) { return int(n.skip(1)), n.next() }

// checkEntry reports whether an entry is possible for a tile with the given layers and bytes.
func checkEntry(entry []byte, layers int, run uint64) bool {
	n := numbers{data: entry}
	layer, at, allPasses := uint64(0), uint64(0), 0
	for len(n.data) > 0 {
		later, gap, head := n.contribution()
		if later >= uint64(layers) || gap > run || head>>1 > uint64(len(n.data)) {
			return false
		}
		layer, at = layer+later, at+gap
		for range head >> 1 {
			passes, length := n.piece()
			if passes == 0 || length >= 1<<maxLengthBits {
				return false
			}
			allPasses, at = allPasses+passes, at+length
		}
		if n.bad || head>>1 == 0 || layer >= uint64(layers) || at > run || allPasses > maxPasses {
			return false
		}
	}
	return allPasses > 0
}
