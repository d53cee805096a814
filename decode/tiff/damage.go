package tiff

import (
	"errors"
	"fmt"
	"io"
)

// mostNotes is how many damaged directories a file's notes tell of one by one.
const mostNotes = 8

// damage is what is wrong with directories that are left out. What is sound before
// them is not to suffer from it.
type damage struct {
	notes []string
	more  int
}

func (d *damage) add(err error) {
	if len(d.notes) == mostNotes {
		d.more++
		return
	}
	d.notes = append(d.notes, fmt.Sprintf("left out: %v", err))
}

// tell says what there is to say for people.
func (d *damage) tell() []string {
	if d.more == 0 {
		return d.notes
	}
	return append(d.notes[:mostNotes:mostNotes], fmt.Sprintf("left out: %d more directories", d.more))
}

// leaveOut passes over a directory that contradicts itself or is cut off, if there
// is one before it. What a file asks for beyond the limits is asked of all of it,
// and what cannot be read now may be read later: those stay errors.
func (w *walker) leaveOut(err error) error {
	if len(w.directories) == 0 || !errors.Is(err, ErrCorrupt) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	w.damage.add(err)
	return nil
}
