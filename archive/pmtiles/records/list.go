// Package records lists where the tiles of an archive are: as many records as there are tiles, in memory up
// to a bound, and on disk beyond it; and sorts them so.
//
// It must never know what records become.
package records

import (
	"encoding/binary"
	"iter"

	"tileserver/archive/scratch"
)

// Record says that Run tiles, from that with a Number on, have the content of Length bytes at Offset.
type Record struct {
	Number      uint64
	Offset      uint64
	Length, Run uint32
}

// End returns the number behind those of the record.
func (r Record) End() uint64 { return r.Number + uint64(r.Run) }

// recordBytes is the size of a record on disk.
const recordBytes = 24

func (r Record) append(to []byte) []byte {
	to = binary.LittleEndian.AppendUint64(to, r.Number)
	to = binary.LittleEndian.AppendUint64(to, r.Offset)
	to = binary.LittleEndian.AppendUint32(to, r.Length)
	return binary.LittleEndian.AppendUint32(to, r.Run)
}

func parse(b []byte) Record {
	return Record{
		Number: binary.LittleEndian.Uint64(b), Offset: binary.LittleEndian.Uint64(b[8:]),
		Length: binary.LittleEndian.Uint32(b[16:]), Run: binary.LittleEndian.Uint32(b[20:]),
	}
}

// List is a list of records. It is not safe for concurrent use.
type List struct {
	file     *scratch.File
	written  int64  // records in file
	appended []byte // those that are not yet
}

// bufferRecords is how many records are written or read at a time.
const bufferRecords = 1024

// NewList returns an empty list with at most memoryBytes in memory. Beyond that it lies in a folder.
func NewList(folder string, memoryBytes int64) *List {
	return &List{file: scratch.New(folder, memoryBytes)}
}

// Len returns the number of records.
func (l *List) Len() int64 { return l.written + int64(len(l.appended)/recordBytes) }

// Append appends a record.
func (l *List) Append(r Record) error {
	l.appended = r.append(l.appended)
	if len(l.appended) < bufferRecords*recordBytes {
		return nil
	}
	return l.flush()
}

func (l *List) flush() error {
	if _, err := l.file.WriteAt(l.appended, l.written*recordBytes); err != nil {
		return err
	}
	l.written, l.appended = l.Len(), l.appended[:0]
	return nil
}

// All returns the records in their order. It ends behind an error.
func (l *List) All() iter.Seq2[Record, error] { return l.between(0, l.Len()) }

// between returns the records from one on up to another.
func (l *List) between(first, end int64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if err := l.flush(); err != nil {
			yield(Record{}, err)
			return
		}
		buffer := make([]byte, bufferRecords*recordBytes)
		for ; first < end; first += bufferRecords {
			part := buffer[:min(bufferRecords, end-first)*recordBytes]
			if _, err := l.file.ReadAt(part, first*recordBytes); err != nil {
				yield(Record{}, err)
				return
			}
			for ; len(part) > 0; part = part[recordBytes:] {
				if !yield(parse(part), nil) {
					return
				}
			}
		}
	}
}

// Close gives up the records.
func (l *List) Close() error { return l.file.Close() }
