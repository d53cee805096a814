package dataset

import (
	"context"
	"log/slog"
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

// ParseAddress parses FILE or FILE#PAGE. If a file with the whole name exists, that file is meant. What
// follows # in the address of a web server is never a part of the file.
func ParseAddress(ctx context.Context, files source.Store, text string) (Address, error) {
	at := strings.LastIndexByte(text, '#')
	if at < 0 {
		return Address{text, 1}, nil
	}
	isWeb := source.IsWeb(text)
	if !isWeb {
		if _, err := files.Stat(ctx, text); err == nil {
			return Address{text, 1}, nil
		}
	}
	number, err := strconv.Atoi(text[at+1:])
	switch {
	case err != nil && isWeb:
		return Address{}, container.NoImageError{Name: "…"}
	case err != nil:
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

// Written returns the address in the notation that ParseAddress parses. It may have secrets.
func (a Address) Written() string {
	if a.Number == 1 {
		return a.Path
	}
	return a.Path + "#" + strconv.Itoa(a.Number)
}

// String returns the address as it may be told: as Written, without secrets.
func (a Address) String() string { return Address{source.Redacted(a.Path), a.Number}.Written() }

// LogValue returns the address as text, for logs of any format.
func (a Address) LogValue() slog.Value { return slog.StringValue(a.String()) }
