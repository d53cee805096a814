package contents

import (
	"encoding/binary"

	"tileserver/archive/scratch"
)

// double writes the table with twice as many buckets. The records of a bucket go to the two in its place, by
// the next bit of their hashes.
func (t *Table) double() error {
	old, count := t.buckets, int64(1)<<t.depth
	t.buckets, t.depth = scratch.New(t.folder, t.memoryBytes), t.depth+1
	defer old.Close() // nothing in it is needed any more
	if err := old.Grow(count * bucketBytes); err != nil {
		return err
	}
	halves := make([]byte, 2*bucketBytes)
	for number := range count {
		if _, err := old.ReadAt(t.bucket, number*bucketBytes); err != nil {
			return err
		}
		t.split(halves, 2*number*bucketBytes)
		if _, err := t.buckets.WriteAt(halves, 2*number*bucketBytes); err != nil {
			return err
		}
	}
	return nil
}

// split divides the records of the bucket that was read between two, the first of which will lie at an offset.
func (t *Table) split(halves []byte, offset int64) {
	clear(halves)
	ends := [2]int{0, bucketBytes}
	for at := 0; at < bucketBytes; at += recordBytes {
		record := t.bucket[at : at+recordBytes]
		if binary.LittleEndian.Uint64(record[digestBytes:]) == 0 {
			return
		}
		half := (t.offsetOf(record[:digestBytes]) - offset) / bucketBytes
		ends[half] += copy(halves[ends[half]:], record)
	}
}
