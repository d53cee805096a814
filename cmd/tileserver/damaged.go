package main

import (
	"errors"
	"fmt"
	"strings"

	"tileserver/raster"
)

// exitDamaged is the exit code of a command that did what it could with a damaged file.
const exitDamaged = 3

// What the help of commands says of damaged files.
const (
	aboutFoundDamage = "If the file is damaged, what is lost is listed on stderr too and the exit code is 3."
	aboutDamage      = "Of a damaged file, what can be decoded is written, what is lost is listed on stderr, and the\n" +
		"exit code is 3. If nothing can be decoded, nothing is written and the exit code is 1."
)

// damagedError says that what a command gave lacks parts of the file that could not be decoded.
type damagedError struct {
	file   string
	damage raster.Damage
}

// damagedOf is the error for what is lost, or nil if nothing is.
func damagedOf(file string, damage raster.Damage) error {
	if damage.IsZero() {
		return nil
	}
	return &damagedError{file, damage}
}

// maxToldLosses is how many losses are told one by one.
const maxToldLosses = 8

func (e *damagedError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s is damaged; lost: %v", e.file, e.damage)
	for _, loss := range e.damage.Losses()[:min(len(e.damage.Losses()), maxToldLosses)] {
		fmt.Fprintf(&text, "\n  %s", loss.Text)
	}
	if left := len(e.damage.Losses()) - maxToldLosses; left > 0 {
		fmt.Fprintf(&text, "\n  and %d others", left)
	}
	return text.String()
}

// errNothingDecoded says that a file is damaged so much that there is nothing to give.
var errNothingDecoded = errors.New("the file is damaged: none of the requested data could be decoded")

// nothingDecoded is that error with what was lost.
func nothingDecoded(damage raster.Damage) error {
	return fmt.Errorf("%w: %v, the first: %s", errNothingDecoded, damage, damage.Losses()[0].Text)
}
