// Package damaged words what commands say about files of which parts cannot be decoded. Commands
// info, read, render, export and pyramid call it. It must never know how the damage was found.
package damaged

import (
	"errors"
	"fmt"
	"strings"

	"tileserver/raster"
)

// An Error reports that the output of a command lacks what could not be decoded.
type Error struct {
	head   string
	losses []string
}

// In returns the error for some damage, or nil if there is none.
func In(file string, damage raster.Damage) error {
	if damage.IsZero() {
		return nil
	}
	e := &Error{head: fmt.Sprintf("%s is damaged; lost: %v", file, damage)}
	for _, loss := range damage.Losses() {
		e.losses = append(e.losses, loss.Text)
	}
	return e
}

// LeftOut returns the error for an output without some damaged tiles, or nil if there are none.
func LeftOut(out string, tiles []string) error {
	if len(tiles) == 0 {
		return nil
	}
	return &Error{fmt.Sprintf("%s lacks %d damaged tiles", out, len(tiles)), tiles}
}

// LostBlocks returns the error for an output in which damaged blocks of its input are nodata, or nil if there
// are none. The texts are about the first of them.
func LostBlocks(out string, blocks int, texts []string) error {
	switch blocks {
	case 0:
		return nil
	case 1:
		return &Error{out + " lacks 1 damaged block", texts}
	}
	return &Error{fmt.Sprintf("%s lacks %d damaged blocks", out, blocks), texts}
}

// MaxListed is how many losses are listed one by one.
const MaxListed = 8

func (e *Error) Error() string {
	var text strings.Builder
	text.WriteString(e.head)
	for _, loss := range e.losses[:min(len(e.losses), MaxListed)] {
		fmt.Fprintf(&text, "\n  %s", loss)
	}
	if left := len(e.losses) - MaxListed; left > 0 {
		fmt.Fprintf(&text, "\n  and %d others", left)
	}
	return text.String()
}

// ErrNothingDecoded reports a file too damaged to decode anything of what was requested.
var ErrNothingDecoded = errors.New("the file is damaged: none of the requested data could be decoded")

// NothingDecoded returns ErrNothingDecoded with a description of the damage.
func NothingDecoded(damage raster.Damage) error {
	return fmt.Errorf("%w: %v lost; first: %s", ErrNothingDecoded, damage, damage.Losses()[0].Text)
}

// Unreadable returns the damage of a part that cannot be read because of an error.
func Unreadable(err error) raster.Damage {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return raster.NewDamage([]raster.Loss{{Kind: "unreadable part", Text: text}}, false)
}
