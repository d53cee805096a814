// Package contents remembers which contents were stored, so that each is stored once: a table of their
// hashes, which lies on disk when it is large.
//
// It never sees where a content is stored: that is a number to it.
package contents

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"

	"tileserver/archive/scratch"
)

// Table has the place of each content. It takes 35 to 80 bytes a content, in memory up to a bound, and one
// read and one write for each that is new. It is not safe for concurrent use.
//
// Records lie in buckets. When a bucket is full, the table is written anew with twice as many, each with a
// part of an old one. So the old table is read from begin to end, and the new one written so.
type Table struct {
	folder      string
	memoryBytes int64
	seed        maphash.Seed // so that nobody can choose contents that have the same bucket

	buckets *scratch.File
	depth   int // there are 1<<depth buckets
	bucket  []byte
}

const (
	digestBytes = 16 // nobody finds two contents with the same digest
	recordBytes = digestBytes + 8
	bucketBytes = 4096 / recordBytes * recordBytes
)

// New returns an empty table with at most memoryBytes in memory, and half as much while it grows. Beyond
// that it lies in a folder.
func New(folder string, memoryBytes int64) *Table {
	return &Table{
		folder: folder, memoryBytes: memoryBytes, seed: maphash.MakeSeed(),
		buckets: scratch.New(folder, memoryBytes), bucket: make([]byte, bucketBytes),
	}
}

// First returns the place of a content. That of a new content is the one that is offered, which is below
// the maximum of its type.
func (t *Table) First(content []byte, offered uint64) (uint64, error) {
	hash := sha256.Sum256(content)
	digest := hash[:digestBytes]
	for {
		offset := t.offsetOf(digest)
		if err := t.read(offset); err != nil {
			return 0, err
		}
		at, place, isKnown := find(t.bucket, digest)
		switch {
		case isKnown:
			return place, nil
		case at < bucketBytes:
			return offered, t.add(digest, offered, offset+int64(at))
		}
		if err := t.double(); err != nil {
			return 0, err
		}
	}
}

// offsetOf returns where the bucket of a digest lies.
func (t *Table) offsetOf(digest []byte) int64 {
	return int64(maphash.Bytes(t.seed, digest)>>(64-t.depth)) * bucketBytes
}

func (t *Table) read(offset int64) error {
	if err := t.buckets.Grow(offset + bucketBytes); err != nil {
		return err
	}
	_, err := t.buckets.ReadAt(t.bucket, offset)
	return err
}

// find returns where the record of a digest lies in a bucket, with its place, or where the next record
// would lie.
func find(bucket, digest []byte) (at int, place uint64, isKnown bool) {
	for ; at < bucketBytes; at += recordBytes {
		record := bucket[at : at+recordBytes]
		stored := binary.LittleEndian.Uint64(record[digestBytes:])
		if stored == 0 {
			return at, 0, false
		}
		if bytes.Equal(record[:digestBytes], digest) {
			return at, stored - 1, true
		}
	}
	return at, 0, false
}

// add writes a record. Its place is stored plus 1, since a record of zeros is none.
func (t *Table) add(digest []byte, place uint64, at int64) error {
	var record [recordBytes]byte
	copy(record[:], digest)
	binary.LittleEndian.PutUint64(record[digestBytes:], place+1)
	_, err := t.buckets.WriteAt(record[:], at)
	return err
}

// Close gives up the table.
func (t *Table) Close() error { return t.buckets.Close() }
