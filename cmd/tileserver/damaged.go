package main

import (
	"errors"
	"fmt"
	"strings"

	"tileserver/raster"
)

// exitDamaged is the exit code of a command that finished although the file is damaged.
const exitDamaged = 3

// damagedError reports that the output of a command lacks parts of the file that could not be
// decoded.
type damagedError struct {
	file   string
	damage raster.Damage
}

// damagedOf returns the error for some damage, or nil if there is none.
func damagedOf(file string, damage raster.Damage) error {
	if damage.IsZero() {
		return nil
	}
	return &damagedError{file, damage}
}

// maxListedLosses is how many losses are listed one by one.
const maxListedLosses = 8

func (e *damagedError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s is damaged; lost: %v", e.file, e.damage)
	for _, loss := range e.damage.Losses()[:min(len(e.damage.Losses()), maxListedLosses)] {
		fmt.Fprintf(&text, "\n  %s", loss.Text)
	}
	if left := len(e.damage.Losses()) - maxListedLosses; left > 0 {
		fmt.Fprintf(&text, "\n  and %d others", left)
	}
	return text.String()
}

// errNothingDecoded reports a file too damaged to decode anything of what was requested.
var errNothingDecoded = errors.New("the file is damaged: none of the requested data could be decoded")

// nothingDecoded returns errNothingDecoded with a description of the damage.
func nothingDecoded(damage raster.Damage) error {
	return fmt.Errorf("%w: %v lost; first: %s", errNothingDecoded, damage, damage.Losses()[0].Text)
}
