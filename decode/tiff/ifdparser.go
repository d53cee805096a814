package tiff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"tileserver/decode/georeference"
)

// ErrLimit marks a file or side file that demands more than Limits allows.
var ErrLimit = georeference.ErrLimit

// ErrCorrupt marks a file whose structure contradicts itself.
var ErrCorrupt = errors.New("corrupt TIFF")

// ifd is a directory as parsed: the tags of one image.
type ifd struct {
	offset  int64
	parent  int // number of the directory that it is a sub-directory of, or -1
	next    int64
	entries map[tag]*entry

	// oldJPEG holds what the tags of old-style JPEG point to, or is nil.
	oldJPEG *oldJPEG

	// damaged says why a mask could be read only in part. The mask is not skipped, so that the
	// image does not show what it hides.
	damaged error
}

// isMask reports whether the directory is known to be a mask.
func (raw *ifd) isMask() bool {
	return raw != nil && tagReader{ifd: raw}.subfile()&subfileMask != 0
}

// ifdParser parses the directories of a file. It checks every number from the file against the
// file's size and the limits.
type ifdParser struct {
	in          *readAhead
	order       binary.ByteOrder
	big         bool // BigTIFF
	limits      Limits
	memory      *budget
	indexBytes  int64          // remaining budget for caching block indexes
	visited     map[int64]bool // offsets of directories, to detect cycles
	ifds        []*ifd
	freeEntries []entry // allocated but unused
	ghost       ghost
	skipped     skipNotes // damaged directories that were skipped
}

// firstOffset returns the offset of the first directory from the header.
func (p *ifdParser) firstOffset() (int64, error) {
	if !p.big {
		var header [8]byte
		if _, err := p.in.ReadAt(header[:], 0); err != nil {
			return 0, err
		}
		return int64(p.order.Uint32(header[4:])), nil
	}
	var header [16]byte
	if _, err := p.in.ReadAt(header[:], 0); err != nil {
		return 0, err
	}
	if p.order.Uint16(header[4:]) != 8 || p.order.Uint16(header[6:]) != 0 {
		return 0, fmt.Errorf("BigTIFF with offsets of %d bytes: %w", p.order.Uint16(header[4:]), ErrCorrupt)
	}
	return toOffset(p.order.Uint64(header[8:]))
}

// toOffset converts v to an offset. It fails if no file can be that long.
func toOffset(v uint64) (int64, error) {
	if v > math.MaxInt64 {
		return 0, fmt.Errorf("offset %d: %w", v, ErrCorrupt)
	}
	return int64(v), nil
}

// parseChain parses the chain of directories and the sub-directories of each.
func (p *ifdParser) parseChain() error {
	offset, err := p.firstOffset()
	if err != nil {
		return err
	}
	p.readGhost()
	if offset == 0 {
		return fmt.Errorf("no directory: %w", ErrCorrupt)
	}
	for offset != 0 {
		raw, err := p.add(offset, -1)
		if err != nil {
			return p.skipDamaged(err) // and the rest of the chain, which only it links to
		}
		if err := p.addBelow(raw, len(p.ifds)-1); err != nil {
			return err
		}
		offset = raw.next
	}
	return nil
}

// addBelow parses the sub-directories of a directory. Deeper levels are ignored.
func (p *ifdParser) addBelow(raw *ifd, number int) error {
	for _, v := range raw.entries[tagSubIFDs].uints() {
		offset, err := toOffset(v)
		if err == nil {
			_, err = p.add(offset, number)
		}
		if err != nil {
			err = p.skipDamaged(fmt.Errorf("below directory %d: %w", number+1, err))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *ifdParser) add(offset int64, parent int) (*ifd, error) {
	number := len(p.ifds)
	if p.visited[offset] {
		return nil, fmt.Errorf("directory %d at %d is linked to twice: %w", number+1, offset, ErrCorrupt)
	}
	if number == p.limits.Directories {
		return nil, fmt.Errorf("more than %d directories: %w", number, ErrLimit)
	}
	p.visited[offset] = true
	raw, err := p.read(offset)
	if err != nil {
		err = fmt.Errorf("directory %d at %d: %w", number+1, offset, err)
		if !raw.isMask() || p.skipDamaged(err) != nil {
			return nil, err
		}
		raw.damaged = err
	}
	raw.parent = parent
	p.ifds = append(p.ifds, raw)
	return raw, nil
}

// fieldSizes returns the bytes of a directory's entry count, of an entry, and of an offset.
func (p *ifdParser) fieldSizes() (count, entry, offset int64) {
	if p.big {
		return 8, 20, 8
	}
	return 2, 12, 4
}

// read parses a directory. If it returns an error, the directory may be incomplete or nil.
func (p *ifdParser) read(offset int64) (*ifd, error) {
	countBytes, entryBytes, offsetBytes := p.fieldSizes()
	var head [8]byte
	if _, err := p.in.ReadAt(head[:countBytes], offset); err != nil {
		return nil, err
	}
	count := uint64(p.order.Uint16(head[:]))
	if p.big {
		count = p.order.Uint64(head[:])
	}
	if count > uint64(p.limits.Entries) {
		return nil, fmt.Errorf("%d entries: %w: %w", count, ErrLimit, ErrCorrupt)
	}
	bodyBytes := int64(count)*entryBytes + offsetBytes
	if err := p.memory.reserve(bodyBytes); err != nil {
		return nil, err
	}
	body := make([]byte, bodyBytes)
	if _, err := p.in.ReadAt(body, offset+countBytes); err != nil {
		return nil, err
	}
	raw := &ifd{offset: offset, entries: make(map[tag]*entry, min(count, typicalEntries))}
	for ; count > 0; count-- {
		if err := p.addEntry(raw, body[:entryBytes]); err != nil {
			return raw, err
		}
		body = body[entryBytes:]
	}
	raw.oldJPEG = p.readOldJPEG(raw)
	next, err := toOffset(p.offsetAt(body))
	raw.next = next
	return raw, err
}

// offsetAt returns the offset at the start of b, which is longer in a BigTIFF.
func (p *ifdParser) offsetAt(b []byte) uint64 {
	if p.big {
		return p.order.Uint64(b)
	}
	return uint64(p.order.Uint32(b))
}

// addEntry adds an entry with its values, if they are read at opening. It ignores unused tags,
// whatever is wrong with them, and entries of an unknown type or without values.
func (p *ifdParser) addEntry(raw *ifd, field []byte) error {
	_, _, offsetBytes := p.fieldSizes()
	id, kind, count := tag(p.order.Uint16(field)), fieldType(p.order.Uint16(field[2:])), p.offsetAt(field[4:])
	inside := field[4+offsetBytes:]
	if !id.isReadAtOpen() && !id.isBlockIndex() || kind.size() == 0 || count == 0 || raw.entries[id] != nil {
		return nil
	}
	e := p.newEntry()
	*e = entry{tag: id, kind: kind, count: count, order: p.order}
	if e.count > uint64(p.in.size)/e.kind.size()+8 {
		return fmt.Errorf("%v of %d values: %w", e.tag, e.count, ErrCorrupt)
	}
	raw.entries[e.tag] = e
	if e.bytes() <= offsetBytes {
		e.value = inside[:e.bytes():e.bytes()]
		return nil
	}
	offset, err := toOffset(p.offsetAt(inside))
	if err != nil || offset > p.in.size || e.bytes() > p.in.size-offset {
		return fmt.Errorf("%v: %d bytes at %d of a file of %d: %w", e.tag, e.bytes(), offset, p.in.size, ErrCorrupt)
	}
	e.offset = offset
	if e.tag.isBlockIndex() {
		p.cacheSmallIndex(e)
		return nil
	}
	return p.readValue(e)
}

// typicalEntries is roughly the number of used entries of a directory.
const typicalEntries = 24

// newEntry returns a new entry. Entries are allocated in groups.
func (p *ifdParser) newEntry() *entry {
	if len(p.freeEntries) == 0 {
		p.freeEntries = make([]entry, typicalEntries)
	}
	e := &p.freeEntries[0]
	p.freeEntries = p.freeEntries[1:]
	return e
}

// smallIndexBytes is the largest array of a block index that is cached at opening, if its bytes
// have been read anyway.
const smallIndexBytes = 64 << 10

// smallIndexesBytes bounds all such arrays of a file with many images.
const smallIndexesBytes = 1 << 20

// cacheSmallIndex caches a small array of the block index. That saves a read before the first block
// of a remote file. Larger arrays are read on demand.
func (p *ifdParser) cacheSmallIndex(e *entry) {
	if e.bytes() > min(smallIndexBytes, p.indexBytes) {
		return
	}
	if e.value = bytes.Clone(p.in.cached(e.offset, e.bytes())); e.value != nil {
		p.indexBytes -= e.bytes()
	}
}

// readValue reads the values of an entry, as many as can have a meaning.
func (p *ifdParser) readValue(e *entry) error {
	e.count = min(e.count, e.tag.maxValues(p.limits))
	if e.bytes() > p.limits.ValueBytes {
		return fmt.Errorf("%v of %d bytes: %w", e.tag, e.bytes(), ErrLimit)
	}
	if err := p.memory.reserve(e.memoryBytes()); err != nil {
		return fmt.Errorf("%v: %w", e.tag, err)
	}
	e.value = make([]byte, e.bytes())
	if _, err := p.in.ReadAt(e.value, e.offset); err != nil {
		return fmt.Errorf("%v: %w", e.tag, err)
	}
	return nil
}
