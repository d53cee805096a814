package packets

import (
	"encoding/binary"

	"tileserver/decode/jp2k/codestream"
)

// record is what is kept of each code-block: in it, if one packet has one piece of the block, as is so where there is one
// layer; else in an entry elsewhere.
type record struct {
	low     uint32 // of where the chunk begins in the run of the tile's bytes; or the entry in its store
	length  uint32 // of the chunk; or of the entry
	high    uint8
	passes  uint8 // 0 where nothing of the block came
	missing uint8 // bit-planes, and ofHT
	layer   uint8 // that it came in, or elsewhere
}

// ofHT is the bit of record.missing that says that passes are of Part 15.
const ofHT = 0x80

// elsewhere stands for the layer in records that tell where an entry is.
const elsewhere = 0xff

func (r *record) at() int64 { return int64(r.high)<<32 | int64(r.low) }

func (r *record) setAt(at int64) { r.low, r.high = uint32(at), uint8(at>>32) }

// table has the records of a rectangle of one band's code-blocks, row after row.
type table struct {
	blocks  codestream.Rect // columns and rows
	records []record        // nil as long as nothing came
}

func (t *table) record(column, row int) *record {
	if t.records == nil || column < t.blocks.X0 || column >= t.blocks.X1 || row < t.blocks.Y0 || row >= t.blocks.Y1 {
		return nil
	}
	return &t.records[(row-t.blocks.Y0)*t.blocks.Width()+column-t.blocks.X0]
}

// keeper writes records as packets come. What does not fit into a record goes into a log, in which every note of a
// block leads to the one before it.
type keeper struct {
	tables []table
	log    log
}

// keep adds what a packet has of a block, from a place of the run on.
func (k *keeper) keep(table int, column, row, layer int, at int64, c *contribution, pieces []piece) {
	t := &k.tables[table]
	if t.records == nil {
		t.records = make([]record, t.blocks.Width()*t.blocks.Height())
	}
	r := t.record(column, row)
	if r.passes == 0 && len(pieces) == 1 && layer < elsewhere {
		*r = record{length: pieces[0].length, passes: pieces[0].passes, missing: c.missing, layer: uint8(layer)}
		r.setAt(at)
	} else {
		if r.passes > 0 && r.layer != elsewhere {
			k.note(r, int(r.layer), r.at(), false, []piece{{r.passes, r.length}})
		}
		k.note(r, layer, at, c.within, pieces)
		r.missing = c.missing
	}
	if c.ht {
		r.missing |= ofHT
	}
}

// note writes a note to the log and makes the record lead to it.
func (k *keeper) note(r *record, layer int, at int64, within bool, pieces []piece) {
	previous := uint64(0) // there is none
	if r.layer == elsewhere {
		previous = uint64(r.at()) + 1
	}
	*r = record{passes: 1, missing: r.missing, layer: elsewhere}
	chunk, place := k.log.room()
	r.setAt(place)
	data := binary.AppendUvarint(*chunk, previous)
	data = binary.AppendUvarint(data, uint64(layer))
	data = binary.AppendUvarint(data, uint64(at))
	*chunk = appendPieces(data, within, pieces)
}

// appendPieces writes pieces: how many, and whether the first goes on with a segment, then their passes and lengths.
func appendPieces(data []byte, within bool, pieces []piece) []byte {
	head := uint64(len(pieces)) << 1
	if within {
		head |= 1
	}
	data = binary.AppendUvarint(data, head)
	for _, p := range pieces {
		data = append(data, p.passes)
		data = binary.AppendUvarint(data, uint64(p.length))
	}
	return data
}
