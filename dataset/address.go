package dataset

import (
	"context"
	"strconv"
	"strings"

	"tileserver/decode/container"
	"tileserver/source"
)

// Address is a file and the number of an image in it, from 1.
type Address struct {
	Path   string
	Number int
}

// ParseAddress parses FILE or FILE#PAGE. If a file with the whole name exists, that file is meant.
func ParseAddress(ctx context.Context, files source.Store, text string) (Address, error) {
	if err := source.CheckLocal(text); err != nil {
		return Address{}, err
	}
	at := strings.LastIndexByte(text, '#')
	if at < 0 {
		return Address{text, 1}, nil
	}
	if _, err := files.Stat(ctx, text); err == nil {
		return Address{text, 1}, nil
	}
	number, err := strconv.Atoi(text[at+1:])
	if err != nil {
		return Address{text, 1}, checkNoImage(ctx, files, text[:at], text[at+1:])
	}
	if number < 1 {
		return Address{}, container.NoImageError{Number: number}
	}
	return Address{text[:at], number}, nil
}

// checkNoImage returns an error if a file exists at a path, so that the name after it was meant to be
// that of an image.
func checkNoImage(ctx context.Context, files source.Store, path, name string) error {
	if _, err := files.Stat(ctx, path); err != nil {
		return nil
	}
	return container.NoImageError{Name: name}
}

// Canonical returns an address that is equal for all spellings of a path.
func (a Address) Canonical(files source.Store) Address {
	return Address{files.Canonical(a.Path), a.Number}
}

// String returns the address in the notation that ParseAddress parses.
func (a Address) String() string {
	if a.Number == 1 {
		return a.Path
	}
	return a.Path + "#" + strconv.Itoa(a.Number)
}
