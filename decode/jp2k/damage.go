package jp2k

import (
	"fmt"
	"sync"
)

// mostNotes is how many kinds of damage are told of one file.
const mostNotes = 8

// damage is what is wrong with parts of a file. Each costs that part and is told once: the
// first of its kind with its place, the others not at all.
type damage struct {
	warn func(note string)

	mu    sync.Mutex // guards what follows
	kinds map[string]bool
	notes []string
}

// tell tells of damage, if it is the first of its kind.
func (d *damage) tell(kind, format string, values ...any) {
	if note, first := d.note(kind, format, values); first {
		d.warn(note)
	}
}

func (d *damage) note(kind, format string, values []any) (note string, first bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kinds[kind] || len(d.notes) == mostNotes {
		return "", false
	}
	if d.kinds == nil {
		d.kinds = make(map[string]bool)
	}
	d.kinds[kind] = true
	note = fmt.Sprintf(format, values...)
	d.notes = append(d.notes, note)
	return note, true
}

// told are the notes up to now.
func (d *damage) told() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.notes...)
}
