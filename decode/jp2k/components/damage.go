package components

import (
	"fmt"
	"sync"
)

// maxNotes is the maximum number of kinds of damage that are reported for one file.
const maxNotes = 8

// damage collects the damage of a file. Only the first damage of each kind is reported, with its
// position.
type damage struct {
	warn func(note string)

	mu    sync.Mutex // guards the fields below
	kinds map[string]bool
	notes []string
}

// report calls warn if the damage is the first of its kind.
func (d *damage) report(kind, format string, values ...any) {
	if note, first := d.note(kind, format, values); first {
		d.warn(note)
	}
}

func (d *damage) note(kind, format string, values []any) (note string, first bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kinds[kind] || len(d.notes) == maxNotes {
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

// reported returns the notes so far.
func (d *damage) reported() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.notes...)
}
