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

// parseAddress reads FILE or FILE#PAGE. A file whose own name has such an end is
// meant itself.
func parseAddress(text string) (address, error) {
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
		return address{}, usageError("images of a file are counted from 1, not %d", page)
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
		return nil, usageError("there is no image %d in the file; the last is %d", number, len(images))
	}
	return images[number-1], nil
}
