package masks

import (
	"encoding/binary"
	"testing"

	"tileserver/source"
	"tileserver/source/sourcetest"
)

// tables returns tables of offsets, of which any may be nil.
func tables(pad []byte, blocks, pads []uint32) []byte {
	length := func(table []uint32) uint16 {
		if table == nil {
			return 0
		}
		return entryBytes
	}
	data := binary.BigEndian.AppendUint32(nil, uint32(offsetBytes+tablesBytes+len(pad)+4*len(blocks)+4*len(pads)))
	data = binary.BigEndian.AppendUint16(data, length(blocks))
	data = binary.BigEndian.AppendUint16(data, length(pads))
	data = append(binary.BigEndian.AppendUint16(data, uint16(8*len(pad))), pad...)
	for _, table := range [][]uint32{blocks, pads} {
		for _, v := range table {
			data = binary.BigEndian.AppendUint32(data, v)
		}
	}
	return data
}

// open returns the tables in some bytes.
func open(t testing.TB, data []byte, count int64) (*sourcetest.Fake, *Table, Header) {
	t.Helper()
	h, err := ParseHeader(data, count)
	if err != nil {
		t.Fatal(err)
	}
	s := sourcetest.NewFake(data)
	return s, NewTable(h, s, source.Range{Length: int64(len(data))}, count), h
}

func TestEntries(t *testing.T) {
	const none = notStored
	_, table, h := open(t, tables([]byte{1, 2}, []uint32{0, none, 50, 20, 90}, []uint32{none, none, 50, none, 0}), 5)
	if !h.HasPad || h.Pad != 0x0102 || !h.HasBlocks() || !h.HasPads() || h.Data != h.End {
		t.Errorf("header %+v", h)
	}
	got, err := table.Find(t.Context(), []int64{0, 1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		state        State
		offset, next int64
		hasPads      bool
	}{{Stored, 0, 50, false}, {Absent, 0, -1, false}, {Stored, 50, -1, true}, {Stored, 20, 90, false}, {Stored, 90, -1, true}} {
		e := got[i]
		if e.State != want.state || e.Offset != want.offset || e.Next() != want.next || e.HasPads != want.hasPads {
			t.Errorf("block %d is %+v with %d next, want %+v", i, e, e.Next(), want)
		}
	}
}

// Blocks with equal pixels may share their bytes.
func TestSharedBlocks(t *testing.T) {
	_, table, _ := open(t, tables(nil, []uint32{0, 40, notStored, 40, 90}, nil), 5)
	got, err := table.Find(t.Context(), []int64{1, 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range got {
		if e.State != Stored || e.Offset != 40 || e.Next() != 90 {
			t.Errorf("got %+v with %d next", e, e.Next())
		}
	}
}

func TestWithoutTables(t *testing.T) {
	_, table, h := open(t, tables([]byte{7}, nil, nil), 3)
	got, err := table.Find(t.Context(), []int64{2})
	if err != nil || h.HasBlocks() || got[0].State != Stored || !got[0].HasPads {
		t.Errorf("got %+v, %v of %+v", got, err, h)
	}
}

func TestTableThatTheFileCutsOff(t *testing.T) {
	data := tables(nil, []uint32{0, 1, 2, 3}, nil)
	h, err := ParseHeader(data, 4)
	if err != nil {
		t.Fatal(err)
	}
	cut := data[:len(data)-6]
	table := NewTable(h, sourcetest.NewFake(cut), source.Range{Length: int64(len(cut))}, 4)
	got, err := table.Find(t.Context(), []int64{1, 2, 3})
	if err != nil || got[0].State != Stored || got[1].State != Lost || got[2].State != Lost {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Parts of a large table are read as they are needed, in one call, and once.
func TestLargeTableIsReadInParts(t *testing.T) {
	blocks := make([]uint32, 10*chunkEntries)
	for i := range blocks {
		blocks[i] = uint32(i)
	}
	s, table, _ := open(t, tables(nil, blocks, nil), int64(len(blocks)))
	numbers := []int64{3 * chunkEntries, 5, 9*chunkEntries + 7}
	for range 2 {
		got, err := table.Find(t.Context(), numbers)
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range numbers {
			if got[i].Offset != n {
				t.Errorf("block %d is at %d", n, got[i].Offset)
			}
		}
	}
	if len(s.Calls()) != 1 {
		t.Errorf("%d reads, want 1", len(s.Calls()))
	}
}

func TestHeadersThatContradictThemselves(t *testing.T) {
	good := tables([]byte{1}, []uint32{0}, []uint32{0})
	for name, change := range map[string]func(data []byte){
		"pixels within the tables": func(d []byte) { binary.BigEndian.PutUint32(d, 11) },
		"entries of 2 bytes":       func(d []byte) { d[5] = 2 },
		"a pad pixel of 65 bits":   func(d []byte) { d[9] = 65 },
	} {
		data := append([]byte(nil), good...)
		change(data)
		if _, err := ParseHeader(data, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := ParseHeader(good[:7], 1); err == nil {
		t.Error("a short header: no error")
	}
}

// FuzzFind finds entries in damaged tables.
func FuzzFind(f *testing.F) {
	f.Add(tables([]byte{1}, []uint32{0, notStored, 9}, []uint32{0, 1, 2}), int64(3))
	f.Fuzz(func(t *testing.T, data []byte, count int64) {
		if count < 1 || count > 1<<20 {
			return
		}
		h, err := ParseHeader(data, count)
		if err != nil {
			return
		}
		table := NewTable(h, source.NewBytes("mask", data), source.Range{Length: int64(len(data))}, count)
		if _, err := table.Find(t.Context(), []int64{0, count / 2, count - 1}); err != nil {
			t.Error(err)
		}
	})
}
