package layer

import "fmt"

// EmptyAnswer is the answer to a request for a tile without pixels of the image.
type EmptyAnswer uint8

// The answers.
const (
	EmptyUnset     EmptyAnswer = iota // the default of the protocol
	EmptyBlank                        // a blank picture of the requested size and format
	EmptyNoContent                    // success without content
	EmptyNotFound                     // an error: no such tile
)

// ParseEmptyAnswer parses blank, 204 or 404. An empty text gives EmptyUnset.
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
