package tiff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"tileserver/decode/georeference"
)

// ErrLimit is what a file gets that asks for more than Limits allow, and what lies
// beside it.
var ErrLimit = georeference.ErrLimit

// ErrCorrupt is what a file gets whose structure contradicts itself.
var ErrCorrupt = errors.New("corrupt TIFF")

// directory is an IFD: the tags of one image.
type directory struct {
	offset  int64
	parent  int // the directory that this one is a sub-directory of, or -1
	next    int64
	entries map[tag]*entry

	// oldJPEG is what its tags of old-style JPEG point at, if it has such.
	oldJPEG *oldJPEG

	// damaged says what is wrong with a mask of which not all could be read: it is
	// kept, so that what it hides is not shown.
	damaged error
}

// isMask tells whether the directory is known to be that of a mask.
func (d *directory) isMask() bool {
	return d != nil && reading{directory: d}.subfile()&subfileMask != 0
}

// walker collects the directories of a file. Every number that the file gives
// is held against the file's size and the limits before it is believed.
type walker struct {
	in          *readAhead
	order       binary.ByteOrder
	big         bool // BigTIFF
	limits      Limits
	memory      *allowance
	indexBytes  int64          // that may still be kept of block indexes
	visited     map[int64]bool // offsets of directories, so that no chain is a ring
	directories []*directory
	unused      []entry // allocated for directories to come
	ghost       ghost
	damage      damage // of directories that are left out
}

// firstOffset is where the header says that the first directory is.
func (w *walker) firstOffset() (int64, error) {
	if !w.big {
		var header [8]byte
		if _, err := w.in.ReadAt(header[:], 0); err != nil {
			return 0, err
		}
		return int64(w.order.Uint32(header[4:])), nil
	}
	var header [16]byte
	if _, err := w.in.ReadAt(header[:], 0); err != nil {
		return 0, err
	}
	if w.order.Uint16(header[4:]) != 8 || w.order.Uint16(header[6:]) != 0 {
		return 0, fmt.Errorf("BigTIFF with offsets of %d bytes: %w", w.order.Uint16(header[4:]), ErrCorrupt)
	}
	return toOffset(w.order.Uint64(header[8:]))
}

// toOffset is v as an offset, if any file could be that long.
func toOffset(v uint64) (int64, error) {
	if v > math.MaxInt64 {
		return 0, fmt.Errorf("offset %d: %w", v, ErrCorrupt)
	}
	return int64(v), nil
}

// walk follows the chain of directories, and from each those below it.
func (w *walker) walk() error {
	offset, err := w.firstOffset()
	if err != nil {
		return err
	}
	w.readGhost()
	if offset == 0 {
		return fmt.Errorf("no directory: %w", ErrCorrupt)
	}
	for offset != 0 {
		d, err := w.add(offset, -1)
		if err != nil {
			return w.leaveOut(err) // and those behind it, which only it could lead to
		}
		if err := w.addBelow(d, len(w.directories)-1); err != nil {
			return err
		}
		offset = d.next
	}
	return nil
}

// addBelow adds the sub-directories of d, which have none of their own.
func (w *walker) addBelow(d *directory, number int) error {
	for _, v := range d.entries[tagSubIFDs].uints() {
		offset, err := toOffset(v)
		if err == nil {
			_, err = w.add(offset, number)
		}
		if err != nil {
			err = w.leaveOut(fmt.Errorf("below directory %d: %w", number+1, err))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) add(offset int64, parent int) (*directory, error) {
	number := len(w.directories)
	if w.visited[offset] {
		return nil, fmt.Errorf("directory %d at %d is linked to twice: %w", number+1, offset, ErrCorrupt)
	}
	if number == w.limits.Directories {
		return nil, fmt.Errorf("more than %d directories: %w", number, ErrLimit)
	}
	w.visited[offset] = true
	d, err := w.read(offset)
	if err != nil {
		err = fmt.Errorf("directory %d at %d: %w", number+1, offset, err)
		if !d.isMask() || w.leaveOut(err) != nil {
			return nil, err
		}
		d.damaged = err
	}
	d.parent = parent
	w.directories = append(w.directories, d)
	return d, nil
}

// sizes are the bytes of a directory's count, of an entry, and of an offset.
func (w *walker) sizes() (count, entry, offset int64) {
	if w.big {
		return 8, 20, 8
	}
	return 2, 12, 4
}

// read reads a directory. With an error there may be a part of it.
func (w *walker) read(offset int64) (*directory, error) {
	countBytes, entryBytes, offsetBytes := w.sizes()
	var head [8]byte
	if _, err := w.in.ReadAt(head[:countBytes], offset); err != nil {
		return nil, err
	}
	count := uint64(w.order.Uint16(head[:]))
	if w.big {
		count = w.order.Uint64(head[:])
	}
	if count > uint64(w.limits.Entries) {
		return nil, fmt.Errorf("%d entries: %w: %w", count, ErrLimit, ErrCorrupt)
	}
	bodyBytes := int64(count)*entryBytes + offsetBytes
	if err := w.memory.take(bodyBytes); err != nil {
		return nil, err
	}
	body := make([]byte, bodyBytes)
	if _, err := w.in.ReadAt(body, offset+countBytes); err != nil {
		return nil, err
	}
	d := &directory{offset: offset, entries: make(map[tag]*entry, min(count, usualEntries))}
	for ; count > 0; count-- {
		if err := w.addEntry(d, body[:entryBytes]); err != nil {
			return d, err
		}
		body = body[entryBytes:]
	}
	d.oldJPEG = w.readOldJPEG(d)
	next, err := toOffset(w.offsetAt(body))
	d.next = next
	return d, err
}

// offsetAt is the offset or, in a BigTIFF, the longer offset that b begins with.
func (w *walker) offsetAt(b []byte) uint64 {
	if w.big {
		return w.order.Uint64(b)
	}
	return uint64(w.order.Uint32(b))
}

// addEntry adds an entry to d, with its values if they are wanted at once. Tags
// that nobody asks for are left out, whatever is wrong with them, and so are
// those of no known type or without values.
func (w *walker) addEntry(d *directory, raw []byte) error {
	_, _, offsetBytes := w.sizes()
	id, kind, count := tag(w.order.Uint16(raw)), fieldType(w.order.Uint16(raw[2:])), w.offsetAt(raw[4:])
	inside := raw[4+offsetBytes:]
	if !id.readAtOpen() && !id.ofIndex() || kind.size() == 0 || count == 0 || d.entries[id] != nil {
		return nil
	}
	e := w.newEntry()
	*e = entry{tag: id, kind: kind, count: count, order: w.order}
	if e.count > uint64(w.in.size)/e.kind.size()+8 {
		return fmt.Errorf("%v of %d values: %w", e.tag, e.count, ErrCorrupt)
	}
	d.entries[e.tag] = e
	if e.bytes() <= offsetBytes {
		e.value = inside[:e.bytes():e.bytes()]
		return nil
	}
	offset, err := toOffset(w.offsetAt(inside))
	if err != nil || offset > w.in.size || e.bytes() > w.in.size-offset {
		return fmt.Errorf("%v: %d bytes at %d of a file of %d: %w", e.tag, e.bytes(), offset, w.in.size, ErrCorrupt)
	}
	e.offset = offset
	if e.tag.ofIndex() {
		w.takeSmallIndex(e)
		return nil
	}
	return w.readValue(e)
}

// usualEntries is about how many entries a directory has that are of use.
const usualEntries = 24

// newEntry is one of several that are allocated together.
func (w *walker) newEntry() *entry {
	if len(w.unused) == 0 {
		w.unused = make([]entry, usualEntries)
	}
	e := &w.unused[0]
	w.unused = w.unused[1:]
	return e
}

// smallIndexBytes is what a file's tag of the block index may take to be kept
// from the start, if it has been read anyway.
const smallIndexBytes = 64 << 10

// smallIndexesBytes is what all of them may take in a file of many images.
const smallIndexesBytes = 1 << 20

// takeSmallIndex saves a remote file the read for the index before its first
// block. Larger ones wait until somebody wants a block.
func (w *walker) takeSmallIndex(e *entry) {
	if e.bytes() > min(smallIndexBytes, w.indexBytes) {
		return
	}
	if e.value = bytes.Clone(w.in.kept(e.offset, e.bytes())); e.value != nil {
		w.indexBytes -= e.bytes()
	}
}

// readValue reads as many values as can have a meaning.
func (w *walker) readValue(e *entry) error {
	e.count = min(e.count, e.tag.mostValues(w.limits))
	if e.bytes() > w.limits.ValueBytes {
		return fmt.Errorf("%v of %d bytes: %w", e.tag, e.bytes(), ErrLimit)
	}
	if err := w.memory.take(e.memoryBytes()); err != nil {
		return fmt.Errorf("%v: %w", e.tag, err)
	}
	e.value = make([]byte, e.bytes())
	if _, err := w.in.ReadAt(e.value, e.offset); err != nil {
		return fmt.Errorf("%v: %w", e.tag, err)
	}
	return nil
}
