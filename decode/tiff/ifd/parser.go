package ifd

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// parser parses the directories of a file.
type parser struct {
	Config
	in          *readAhead
	order       binary.ByteOrder
	big         bool
	earlyBytes  int64          // remaining budget for values that may be read later
	followed    int            // links to directories, of which those that are skipped take time too
	visited     map[int64]bool // offsets of directories, to detect cycles
	directories []*Directory
}

// firstOffset returns the offset of the first directory from the header.
func (p *parser) firstOffset() (int64, error) {
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
func (p *parser) parseChain() error {
	offset, err := p.firstOffset()
	if err != nil {
		return err
	}
	p.readGhost()
	if offset == 0 {
		return fmt.Errorf("no directory: %w", ErrCorrupt)
	}
	for offset != 0 {
		d, err := p.add(offset, origin{parent: -1})
		if err != nil {
			return p.skipDamaged(err) // and the rest of the chain, which only it links to
		}
		if err := p.addBelow(d, len(p.directories)-1, 1); err != nil {
			return err
		}
		offset = d.next
	}
	return nil
}

// addBelow parses the sub-directories of a directory, which are at a depth. Deeper levels than
// Config.Depth are ignored.
func (p *parser) addBelow(d *Directory, number, depth int) error {
	if depth > p.Depth {
		return nil
	}
	for _, link := range p.Links {
		for _, v := range d.Entry(link).Uints() {
			if err := p.addLinked(v, origin{number, link}, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// addLinked parses a sub-directory and those below it.
func (p *parser) addLinked(v uint64, from origin, depth int) error {
	offset, err := toOffset(v)
	if err != nil {
		return p.skipBelow(err, from)
	}
	d, err := p.add(offset, from)
	if err != nil {
		return p.skipBelow(err, from)
	}
	return p.addBelow(d, len(p.directories)-1, depth+1)
}

func (p *parser) skipBelow(err error, from origin) error {
	return p.skipDamaged(fmt.Errorf("below directory %d: %w", from.parent+1, err))
}

// add parses the directory at an offset.
func (p *parser) add(offset int64, from origin) (*Directory, error) {
	if p.followed == p.Limits.Directories {
		return nil, fmt.Errorf("more than %d directories: %w", p.followed, ErrLimit)
	}
	p.followed++
	number := len(p.directories)
	if p.visited[offset] {
		return nil, fmt.Errorf("directory %d at %d is linked to twice: %w", number+1, offset, ErrCorrupt)
	}
	p.visited[offset] = true
	d, err := p.read(offset)
	if err != nil {
		err = fmt.Errorf("directory %d at %d: %w", number+1, offset, err)
		if !p.keeps(d) || p.skipDamaged(err) != nil {
			return nil, err
		}
		d.Damage = err
	}
	d.Parent, d.Link = from.parent, from.link
	p.directories = append(p.directories, d)
	return d, nil
}

// keeps reports whether a damaged directory is kept as far as it could be read.
func (p *parser) keeps(d *Directory) bool { return d != nil && p.Keep != nil && p.Keep(d) }

// skipDamaged reports err to Skip and returns nil if it is damage, and another directory comes
// before.
func (p *parser) skipDamaged(err error) error {
	if len(p.directories) == 0 || !isDamage(err) {
		return err
	}
	p.Skip(err)
	return nil
}

// isDamage reports whether err says that the file contradicts itself or is cut off. Other errors
// fail Parse: limits apply to the file as a whole, and a failed read may succeed later.
func isDamage(err error) bool {
	return errors.Is(err, ErrCorrupt) || errors.Is(err, io.ErrUnexpectedEOF)
}
