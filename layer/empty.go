package layer

import "fmt"

// EmptyAnswer is what is answered for a tile that shows nothing of the image.
type EmptyAnswer uint8

// The answers. Each protocol has a usual one, which is meant where none is said.
const (
	EmptyUnset     EmptyAnswer = iota
	EmptyBlank                 // a blank picture of the size and format that was asked for
	EmptyNoContent             // nothing, and that all is well
	EmptyNotFound              // that there is no such tile
)

// ParseEmptyAnswer reads blank, 204 or 404; of an empty text nothing is said.
func ParseEmptyAnswer(text string) (EmptyAnswer, error) {
	switch text {
	case "":
		return EmptyUnset, nil
	case "blank":
		return EmptyBlank, nil
	case "204":
		return EmptyNoContent, nil
	case "404":
		return EmptyNotFound, nil
	}
	return EmptyUnset, fmt.Errorf("unknown answer %q for empty tiles; use blank, 204 or 404", text)
}
