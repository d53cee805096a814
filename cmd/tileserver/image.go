package main

import (
	"os"
	"strconv"
	"strings"
)

// address names an image: a file, and which of the images in it, from 1.
type address struct {
	path string
	page int
}

// parseAddress reads FILE or FILE#PAGE. A file whose own name ends like that is meant itself.
func parseAddress(text string) (address, error) {
	if err := checkLocal(text); err != nil {
		return address{}, err
	}
	at := strings.LastIndexByte(text, '#')
	if at < 0 {
		return address{text, 1}, nil
	}
	if _, err := os.Stat(text); err == nil {
		return address{text, 1}, nil
	}
	page, err := strconv.Atoi(text[at+1:])
	if err != nil {
		return address{text, 1}, nil
	}
	if page < 1 {
		return address{}, unusableError("images of a file are counted from 1: there is no image %d", page)
	}
	return address{text[:at], page}, nil
}

// String is the address as it is written.
func (a address) String() string {
	if a.page == 1 {
		return a.path
	}
	return a.path + "#" + strconv.Itoa(a.page)
}

// pageOf is an image of an open file.
func pageOf(c container, number int) (page, error) {
	images := c.images()
	if number > len(images) {
		return nil, unusableError("no image %d in the file; it has %d", number, len(images))
	}
	return images[number-1], nil
}

// oneFile is the only argument of a command that takes one file, or an image of it.
func oneFile(command string, arguments []string) (address, error) {
	if len(arguments) != 1 {
		return address{}, usageError("%s takes one file, not %d", command, len(arguments))
	}
	return parseAddress(arguments[0])
}
