package disk

import (
	"slices"
	"time"
)

// inventory is what is known of a folder without asking the system. A unit is what is removed as a
// whole, when it has not been used for longest: the file of a Store, or the folder of a Group.
type inventory struct {
	units   map[string]*unit // by the name of the file or folder
	bytes   int64            // of all units
	scanned time.Time        // when the last scan began

	// changed has the places that changed since the running scan began. It is nil if no scan runs.
	changed map[place]bool
}

// unit is what is known of a unit.
type unit struct {
	bytesOf map[string]int64 // by the name of the file; nil for a file that is alone, to save memory
	bytes   int64
	used    time.Time
	touched time.Time // the time of the file or folder, as far as it is known
	writing int       // values that are being written
}

// place is where a value lies below a folder. The unit of a file that is alone has its name.
type place struct{ unit, file string }

// isAlone reports whether the file is a unit.
func (p place) isAlone() bool { return p.unit == p.file }

// newUnit returns the unit of a place, without files.
func newUnit(at place, used time.Time) *unit {
	u := &unit{used: used, touched: used}
	if !at.isAlone() {
		u.bytesOf = make(map[string]int64)
	}
	return u
}

// sizeOf returns the size of a file, or 0 if the unit does not have it.
func (u *unit) sizeOf(file string) int64 {
	if u.bytesOf == nil {
		return u.bytes
	}
	return u.bytesOf[file]
}

func (u *unit) set(file string, bytes int64) {
	u.bytes += bytes - u.sizeOf(file)
	if u.bytesOf != nil {
		u.bytesOf[file] = bytes
	}
}

func (u *unit) remove(file string) {
	u.bytes -= u.sizeOf(file)
	delete(u.bytesOf, file)
}

// clear forgets all files.
func (u *unit) clear() {
	u.bytes = 0
	clear(u.bytesOf)
}

func (u *unit) isEmpty() bool { return u.bytes == 0 && len(u.bytesOf) == 0 }

// contains reports whether there is a value at a place.
func (i *inventory) contains(at place) bool { return i.bytesAt(at) > 0 }

// bytesAt returns the size of the value at a place, or 0.
func (i *inventory) bytesAt(at place) int64 {
	if own := i.units[at.unit]; own != nil {
		return own.sizeOf(at.file)
	}
	return 0
}

// unitWith returns the size of a unit with a value of some bytes at a place.
func (i *inventory) unitWith(at place, bytes int64) int64 {
	if own := i.units[at.unit]; own != nil {
		return own.bytes - own.sizeOf(at.file) + bytes
	}
	return bytes
}

// at returns the unit of a place, which may be a new one.
func (i *inventory) at(at place) *unit {
	own := i.units[at.unit]
	if own == nil {
		own = newUnit(at, time.Time{})
		i.units[at.unit] = own
	}
	return own
}

// set records that there is a value of some bytes at a place.
func (i *inventory) set(at place, bytes int64) {
	own := i.at(at)
	i.bytes -= own.bytes
	own.set(at.file, bytes)
	i.bytes += own.bytes
	i.note(at)
}

// forget records that there is no value at a place.
func (i *inventory) forget(at place) {
	if own := i.units[at.unit]; own != nil {
		i.bytes -= own.sizeOf(at.file)
		own.remove(at.file)
		i.dropEmpty(at.unit)
	}
	i.note(at)
}

// drop forgets a unit.
func (i *inventory) drop(name string) {
	own := i.units[name]
	if own == nil {
		return
	}
	i.bytes -= own.bytes
	delete(i.units, name)
	if own.bytesOf == nil {
		i.note(place{name, name})
	}
	for file := range own.bytesOf {
		i.note(place{name, file})
	}
}

// dropEmpty forgets a unit that has nothing, and gets nothing.
func (i *inventory) dropEmpty(name string) {
	if own := i.units[name]; own.isEmpty() && own.writing == 0 {
		delete(i.units, name)
	}
}

func (i *inventory) note(at place) {
	if i.changed != nil {
		i.changed[at] = true
	}
}

// superfluous forgets the units that have not been used for longest, if there is no room within maxBytes
// for some more bytes of another unit. It goes on until the room is there and spareBytes are, too, so that
// the next values need not look for the oldest units. The caller removes their files.
func (i *inventory) superfluous(maxBytes, spareBytes, more int64, unit string) (names []string) {
	if i.bytes+more <= maxBytes {
		return nil
	}
	more += spareBytes
	for _, name := range i.byAge() {
		if i.bytes+more <= maxBytes {
			break
		}
		if i.units[name].writing == 0 && name != unit {
			i.drop(name)
			names = append(names, name)
		}
	}
	return names
}

// byAge returns the names of all units. The first one has not been used for longest.
func (i *inventory) byAge() []string {
	type aged struct {
		name string
		used time.Time
	}
	all := make([]aged, 0, len(i.units))
	for name, own := range i.units {
		all = append(all, aged{name, own.used})
	}
	slices.SortFunc(all, func(a, b aged) int { return a.used.Compare(b.used) })
	names := make([]string, len(all))
	for n, one := range all {
		names[n] = one.name
	}
	return names
}

// beginScan reports whether a scan may begin: no other one is running.
func (i *inventory) beginScan() bool {
	if i.changed != nil {
		return false
	}
	i.changed, i.scanned = make(map[place]bool), time.Now()
	return true
}

// endScan replaces what was known by what a scan found, except for what changed meanwhile.
func (i *inventory) endScan(found map[string]*unit) {
	for at := range i.changed {
		if i.contains(at) {
			one := found[at.unit]
			if one == nil {
				one = newUnit(at, time.Time{})
				found[at.unit] = one
			}
			one.set(at.file, i.bytesAt(at))
		} else if one := found[at.unit]; one != nil {
			one.remove(at.file)
		}
	}
	for name, known := range i.units {
		if one := found[name]; one != nil {
			one.continueFrom(known)
		} else if known.writing > 0 {
			known.clear()
			found[name] = known
		}
	}
	i.units, i.bytes, i.changed = found, 0, nil
	for name, one := range found {
		i.bytes += one.bytes
		i.dropEmpty(name)
	}
}

// continueFrom takes over from the unit of before a scan what no scan can find.
func (u *unit) continueFrom(known *unit) {
	u.writing = known.writing
	if known.used.After(u.used) {
		u.used, u.touched = known.used, known.touched
	}
}
