package formula

import (
	"fmt"
	"math"
	"strconv"
)

type kind uint8

const (
	gamma kind = iota
	sigmoidal
	saturation
)

// A grammar describes the arguments of an operation.
type grammar struct {
	name     string
	hasBands bool
	numbers  []bounds
}

// bounds are the name and the limits of a number.
type bounds struct {
	name      string
	low, high float64
}

// grammars returns the grammar of each kind. The bounds are those of rio-color, or narrower where
// the result would not be a useful picture.
func grammars() [3]grammar {
	return [3]grammar{
		gamma:      {"gamma", true, []bounds{{"value", 0.001, 1000}}},
		sigmoidal:  {"sigmoidal", true, []bounds{{"contrast", -100, 100}, {"bias", 0, 1}}},
		saturation: {"saturation", false, []bounds{{"proportion", 0, 100}}},
	}
}

const allChannels = 1<<3 - 1

// An operation is one step of a formula. Its value is the gamma, the contrast or the proportion.
type operation struct {
	kind        kind
	channels    uint8 // one bit per channel, red the lowest
	value, bias float64
}

func (o operation) isSaturation() bool { return o.kind == saturation }

// minContrast is the smallest effective contrast. A lower one changes less than the rounding error
// of a float64.
const minContrast = 1e-6

func (o operation) isIdentity() bool {
	if o.kind == sigmoidal {
		return math.Abs(o.value) < minContrast
	}
	return o.value == 1
}

func (o operation) String() string {
	if o.kind == saturation {
		return "saturation " + number(o.value)
	}
	bands := ""
	for i, letter := range "rgb" {
		if o.channels>>i&1 != 0 {
			bands += string(letter)
		}
	}
	if o.kind == gamma {
		return fmt.Sprintf("gamma %s %s", bands, number(o.value))
	}
	return fmt.Sprintf("sigmoidal %s %s %s", bands, number(o.value), number(o.bias))
}

// number formats v. It adds 0 to turn -0 into 0.
func number(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }

// inverse returns the operation that undoes a gamma or a contrast.
func (o operation) inverse() operation {
	if o.kind == gamma {
		o.value = 1 / o.value
	} else {
		o.value = -o.value
	}
	return o
}
