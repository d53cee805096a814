package packets

import (
	"encoding/binary"

	"tileserver/decode/jp2k/wavelet"
)

// record is the index of a code-block. It suffices if one packet has one piece of the block, as
// with one layer. Otherwise it refers to an entry.
type record struct {
	low     uint32 // lower bits of the chunk's position in the run, or of the entry's offset
	length  uint32 // of the chunk, or of the entry
	high    uint8
	passes  uint8 // 0 if there is no contribution
	missing uint8 // missing bit-planes, and htFlag
	layer   uint8 // layer of the contribution, or inEntry
}

// htFlag is the bit of record.missing for passes of Part 15.
const htFlag = 0x80

// inEntry is the layer of records that refer to an entry.
const inEntry = 0xff

func (r *record) at() int64 { return int64(r.high)<<32 | int64(r.low) }

func (r *record) setAt(at int64) { r.low, r.high = uint32(at), uint8(at>>32) }

// table holds the records of a rectangle of one band's code-blocks, row by row.
type table struct {
	blocks  wavelet.Rect // columns and rows
	records []record     // nil before the first contribution
}

func (t *table) record(column, row int) *record {
	if t.records == nil || column < t.blocks.X0 || column >= t.blocks.X1 || row < t.blocks.Y0 || row >= t.blocks.Y1 {
		return nil
	}
	return &t.records[(row-t.blocks.Y0)*t.blocks.Width()+column-t.blocks.X0]
}

// recorder writes records as packets come. What does not fit into a record goes to a log. Each note
// of a code-block holds the position of the note before.
type recorder struct {
	tables []table
	log    log
}

// add adds a contribution whose chunk begins at a position of the run.
func (k *recorder) add(table int, column, row, layer int, at int64, c *contribution, pieces []piece) {
	t := &k.tables[table]
	if t.records == nil {
		t.records = make([]record, t.blocks.Width()*t.blocks.Height())
	}
	r := t.record(column, row)
	if r.passes == 0 && len(pieces) == 1 && layer < inEntry {
		*r = record{length: pieces[0].length, passes: pieces[0].passes, missing: c.missing, layer: uint8(layer)}
		r.setAt(at)
	} else {
		if r.passes > 0 && r.layer != inEntry {
			k.note(r, int(r.layer), r.at(), false, []piece{{r.passes, r.length}})
		}
		k.note(r, layer, at, c.continues, pieces)
		r.missing = c.missing
	}
	if c.ht {
		r.missing |= htFlag
	}
}

// note writes a note to the log and makes the record refer to it.
func (k *recorder) note(r *record, layer int, at int64, continues bool, pieces []piece) {
	previous := uint64(0) // 0 if there is none
	if r.layer == inEntry {
		previous = uint64(r.at()) + 1
	}
	*r = record{passes: 1, missing: r.missing, layer: inEntry}
	chunk, position := k.log.end()
	r.setAt(position)
	data := binary.AppendUvarint(*chunk, previous)
	data = binary.AppendUvarint(data, uint64(layer))
	data = binary.AppendUvarint(data, uint64(at))
	*chunk = appendPieces(data, continues, pieces)
}

// appendPieces writes the number of pieces and whether the first continues a segment, then their
// passes and lengths.
func appendPieces(data []byte, continues bool, pieces []piece) []byte {
	head := uint64(len(pieces)) << 1
	if continues {
		head |= 1
	}
	data = binary.AppendUvarint(data, head)
	for _, p := range pieces {
		data = append(data, p.passes)
		data = binary.AppendUvarint(data, uint64(p.length))
	}
	return data
}
