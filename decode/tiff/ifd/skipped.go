package ifd

import "fmt"

// maxNotes is how many skipped directories are described one by one.
const maxNotes = 8

// Skipped describes the damaged directories that were skipped, for people. Sound directories before
// them stay usable.
type Skipped struct {
	notes []string
	more  int
}

// Add adds a directory that was skipped because of err.
func (s *Skipped) Add(err error) {
	if len(s.notes) == maxNotes {
		s.more++
		return
	}
	s.notes = append(s.notes, fmt.Sprintf("skipped: %v", err))
}

// Notes returns the descriptions.
func (s *Skipped) Notes() []string {
	if s.more == 0 {
		return s.notes
	}
	return append(s.notes[:maxNotes:maxNotes], fmt.Sprintf("skipped: %d more directories", s.more))
}
