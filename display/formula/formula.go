// Package formula implements color formulas: the operations gamma, sigmoidal and saturation of
// rio-color, which TiTiler calls a color formula. Package display compiles and applies them. It
// must never know where channels come from or what they show.
//
// The operations before the first saturation are a curve for each channel. The caller folds them
// into its tables. The operations from there on mix channels and are applied to pixels. Results are
// equal on every machine: products are rounded one by one, and exponentials and logarithms are the
// package's own.
package formula

import (
	"errors"
	"slices"
	"strings"
)

// ErrFormula matches every error about a formula.
var ErrFormula = errors.New("invalid color formula")

// A Formula is a sequence of operations.
type Formula struct {
	operations []operation // without operations that change nothing
}

// String returns the canonical form of the formula. It is empty if the formula changes nothing.
func (f *Formula) String() string {
	texts := make([]string, len(f.operations))
	for i, o := range f.operations {
		texts[i] = o.String()
	}
	return strings.Join(texts, ", ")
}

// IsIdentity reports whether the formula changes nothing.
func (f *Formula) IsIdentity() bool { return len(f.operations) == 0 }

// Saturates reports whether the formula has a saturation and therefore a Mixer.
func (f *Formula) Saturates() bool { return f.firstSaturation() < len(f.operations) }

func (f *Formula) firstSaturation() int {
	if i := slices.IndexFunc(f.operations, operation.isSaturation); i >= 0 {
		return i
	}
	return len(f.operations)
}

// Curve returns the operations on a channel before the first saturation, or nil if there are none.
// Channel 0 is red, 1 green and 2 blue. Pictures with one channel use red.
func (f *Formula) Curve(channel int) *Curve {
	return newCurve(f.operations[:f.firstSaturation()], channel)
}

// Mixer returns the operations from the first saturation on, or nil if there are none. It builds
// tables, so the caller should reuse it.
func (f *Formula) Mixer() *Mixer {
	operations := f.operations[f.firstSaturation():]
	if len(operations) == 0 {
		return nil
	}
	mixer := &Mixer{roots: cubeRoots()}
	for len(operations) > 0 {
		curves := operations[1:]
		if next := slices.IndexFunc(curves, operation.isSaturation); next >= 0 {
			curves = curves[:next]
		}
		mixer.stages = append(mixer.stages, newStage(operations[0].value, curves))
		operations = operations[1+len(curves):]
	}
	return mixer
}
