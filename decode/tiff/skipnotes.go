package tiff

import "fmt"

// maxNotes is how many skipped directories the notes of a file describe one by one.
const maxNotes = 8

// skipNotes describes the damaged directories that were skipped. Sound directories before them stay
// usable.
type skipNotes struct {
	notes []string
	more  int
}

func (n *skipNotes) add(err error) {
	if len(n.notes) == maxNotes {
		n.more++
		return
	}
	n.notes = append(n.notes, fmt.Sprintf("skipped: %v", err))
}

// list returns the notes for people.
func (n *skipNotes) list() []string {
	if n.more == 0 {
		return n.notes
	}
	return append(n.notes[:maxNotes:maxNotes], fmt.Sprintf("skipped: %d more directories", n.more))
}
