package ifd

import "fmt"

// Budget is the memory that the directories of a file may still take. It counts what is built from
// the bytes of a file, not what is read: many directories may point at the same bytes.
type Budget struct{ remaining int64 }

// NewBudget returns a budget of so many bytes.
func NewBudget(bytes int64) *Budget { return &Budget{bytes} }

// Reserve takes bytes from the budget, or fails if they are too many.
func (b *Budget) Reserve(bytes int64) error {
	if bytes > b.remaining {
		return fmt.Errorf("the directories and their values take more memory than a file may: %w", ErrLimit)
	}
	b.remaining -= bytes
	return nil
}
