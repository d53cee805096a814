package main

import (
	"os"
	"strconv"
	"strings"

	"tileserver/source"
)

// imageAddress is a file and the number of an image in it, from 1.
type imageAddress struct {
	path   string
	number int
}

// parseAddress parses FILE or FILE#PAGE. If a file with the whole name exists, that file is meant.
func parseAddress(text string) (imageAddress, error) {
	if err := source.CheckLocal(text); err != nil {
		return imageAddress{}, err
	}
	at := strings.LastIndexByte(text, '#')
	if at < 0 {
		return imageAddress{text, 1}, nil
	}
	if _, err := os.Stat(text); err == nil {
		return imageAddress{text, 1}, nil
	}
	number, err := strconv.Atoi(text[at+1:])
	if err != nil {
		return imageAddress{text, 1}, nil
	}
	if number < 1 {
		return imageAddress{}, unusableError("images of a file are counted from 1: there is no image %d", number)
	}
	return imageAddress{text[:at], number}, nil
}

// String returns the address in the notation that parseAddress parses.
func (a imageAddress) String() string {
	if a.number == 1 {
		return a.path
	}
	return a.path + "#" + strconv.Itoa(a.number)
}

// oneFile returns the single argument of a command that takes one file, or an image of it.
func oneFile(command string, arguments []string) (imageAddress, error) {
	if len(arguments) != 1 {
		return imageAddress{}, usageError("%s takes one file, not %d", command, len(arguments))
	}
	return parseAddress(arguments[0])
}
