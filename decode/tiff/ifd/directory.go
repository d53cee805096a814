package ifd

import "fmt"

// Directory is an image file directory.
type Directory struct {
	Offset int64
	Parent int // index of the directory that it is a sub-directory of, or -1
	Link   Tag // of the entry there that points to it, or 0

	// Damage says why the directory could be read only in part, or is nil.
	Damage error

	Entries []Entry // that count, by the Rule, in the order of the file

	next int64
}

// origin says where the offset of a directory stands.
type origin struct {
	parent int
	link   Tag
}

// Entry returns the entry of a tag, or nil. Of several, it returns the first one.
func (d *Directory) Entry(t Tag) *Entry {
	for i := range d.Entries {
		if d.Entries[i].Tag == t {
			return &d.Entries[i]
		}
	}
	return nil
}

// Uint returns the first value of a tag if it is an unsigned integer.
func (d *Directory) Uint(t Tag, otherwise uint64) uint64 {
	e := d.Entry(t)
	if e == nil || !e.Type.IsUnsigned() || len(e.Value) == 0 {
		return otherwise
	}
	return e.Type.Uint(e.Value, 0, e.Order)
}

// Count returns the value of a tag as a count of pixels or samples, which must be between 1 and limit.
// name is that of the tag in errors.
func (d *Directory) Count(t Tag, name string, otherwise uint64, limit int) (int, error) {
	v := d.Uint(t, otherwise)
	if v == 0 {
		return 0, fmt.Errorf("%s is 0 or missing: %w", name, ErrCorrupt)
	}
	if v > uint64(limit) {
		return 0, fmt.Errorf("%s is %d: %w", name, v, ErrLimit)
	}
	return int(v), nil
}

// fieldSizes returns the bytes of a directory's entry count, of an entry, and of an offset.
func (p *parser) fieldSizes() (count, entry, offset int64) {
	if p.big {
		return 8, 20, 8
	}
	return 2, 12, 4
}

// entryBytes is roughly the memory of an entry and of what describes it. It counts if all entries are
// kept: otherwise they are few.
const entryBytes = 512

// typicalEntries is roughly the number of entries of a directory that count.
const typicalEntries = 24

// read parses a directory. If it returns an error, the directory may be incomplete or nil.
func (p *parser) read(offset int64) (*Directory, error) {
	countBytes, entryBytes, offsetBytes := p.fieldSizes()
	var head [8]byte
	if _, err := p.in.ReadAt(head[:countBytes], offset); err != nil {
		return nil, err
	}
	count := uint64(p.order.Uint16(head[:]))
	if p.big {
		count = p.order.Uint64(head[:])
	}
	if count > uint64(p.Limits.Entries) {
		return nil, fmt.Errorf("%d entries: %w: %w", count, ErrLimit, ErrCorrupt)
	}
	bodyBytes := int64(count)*entryBytes + offsetBytes
	if err := p.Memory.Reserve(bodyBytes); err != nil {
		return nil, err
	}
	body := make([]byte, bodyBytes)
	if _, err := p.in.ReadAt(body, offset+countBytes); err != nil {
		return nil, err
	}
	d := &Directory{Offset: offset, Entries: make([]Entry, 0, min(count, typicalEntries))}
	for ; count > 0; count-- {
		if err := p.addEntry(d, body[:entryBytes]); err != nil {
			return d, err
		}
		body = body[entryBytes:]
	}
	next, err := toOffset(p.offsetAt(body))
	d.next = next
	return d, err
}

// offsetAt returns the offset at the start of b, which is longer in a BigTIFF.
func (p *parser) offsetAt(b []byte) uint64 {
	if p.big {
		return p.order.Uint64(b)
	}
	return uint64(p.order.Uint32(b))
}

// addEntry adds an entry with its values, if they are read at once. Unless all are kept, it ignores
// entries of an unknown type or without values, and all but the first of a tag.
func (p *parser) addEntry(d *Directory, field []byte) error {
	tag, kind, count := Tag(p.order.Uint16(field)), Type(p.order.Uint16(field[2:])), p.offsetAt(field[4:])
	rule := p.Rule(tag)
	if rule.Reading == Never || !p.All && (kind.Size() == 0 || count == 0 || d.Entry(tag) != nil) {
		return nil
	}
	if p.All {
		if err := p.Memory.Reserve(entryBytes); err != nil {
			return err
		}
	}
	last := len(d.Entries)
	d.Entries = append(d.Entries, Entry{Tag: tag, Type: kind, Count: count, Order: p.order, name: rule.Name})
	e := &d.Entries[last]
	err := p.readEntry(e, rule, field)
	if p.All && isDamage(err) {
		e.Problem = err
		return nil
	}
	if err != nil {
		d.Entries = d.Entries[:last]
	}
	if rule.Reading == IfSound && isDamage(err) {
		return nil
	}
	return err
}
