package style

import (
	"errors"
	"fmt"
	"slices"

	"tileserver/identifier"
)

// A Named is a style that requests can name.
type Named struct {
	Name  string // same rules as ids of layers; not DefaultName
	Title string // shown to people; Name if empty
	Style Style
}

// DefaultName is the name of the style that applies if a request names none.
const DefaultName = "default"

// CheckName returns what is wrong with the name of a style that follows others, or nil.
func CheckName(name string, others []Named) error {
	switch {
	case name == "":
		return errors.New(`style has no "name"`)
	case name == DefaultName:
		return fmt.Errorf("%q is the name of the layer's own style; choose another name", name)
	case !identifier.IsValid(name):
		return fmt.Errorf("style name %q has characters other than letters, digits, \"-\", \"_\" and \".\"", name)
	case slices.ContainsFunc(others, func(s Named) bool { return s.Name == name }):
		return fmt.Errorf("another style has the name %q", name)
	}
	return nil
}
