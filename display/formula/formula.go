// Package formula is the small language in which people ask for brighter, crisper and more colourful pictures: the
// operations gamma, sigmoidal and saturation of rio-color, which TiTiler calls a color formula. It knows channels from 0
// to 1 and pixels of bytes; where they come from and what they show it never knows.
//
// What stands before the first saturation is a curve for each channel, to be folded into a table of the caller. The rest
// mixes channels, and is applied to pixels. All of it is the same on every machine: products are rounded one by one, and
// exponentials and logarithms are the package's own.
package formula

import (
	"errors"
	"slices"
	"strings"
)

// ErrFormula is in the chain of every error about a formula.
var ErrFormula = errors.New("invalid color formula")

// Formula is operations, one after the other.
type Formula struct {
	operations []operation // without those that change nothing
}

// String writes the formula in the one way in which formulas of the same operations are written. It is empty where
// nothing changes.
func (f *Formula) String() string {
	texts := make([]string, len(f.operations))
	for i, o := range f.operations {
		texts[i] = o.String()
	}
	return strings.Join(texts, ", ")
}

// IsIdentity tells that the formula changes nothing.
func (f *Formula) IsIdentity() bool { return len(f.operations) == 0 }

// Saturates tells that the formula needs colours: there is a Rest.
func (f *Formula) Saturates() bool { return f.firstSaturation() < len(f.operations) }

func (f *Formula) firstSaturation() int {
	if i := slices.IndexFunc(f.operations, operation.isSaturation); i >= 0 {
		return i
	}
	return len(f.operations)
}

// Curve is what happens to a channel before the first saturation: 0 is red, 1 green and 2 blue. It is nil where nothing
// happens. A picture of one channel has the red one.
func (f *Formula) Curve(channel int) *Curve {
	return newCurve(f.operations[:f.firstSaturation()], channel)
}

// Rest is what happens from the first saturation on, nil where there is none. It has tables built, and is to be kept.
func (f *Formula) Rest() *Rest {
	operations := f.operations[f.firstSaturation():]
	if len(operations) == 0 {
		return nil
	}
	rest := &Rest{roots: cubeRoots()}
	for len(operations) > 0 {
		after := operations[1:]
		if next := slices.IndexFunc(after, operation.isSaturation); next >= 0 {
			after = after[:next]
		}
		rest.stages = append(rest.stages, newStage(operations[0].value, after))
		operations = operations[1+len(after):]
	}
	return rest
}
