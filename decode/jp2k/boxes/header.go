package boxes

import (
	"encoding/binary"
	"fmt"
	"math"
)

// ImageHeader is what the container says of the codestream, which knows better.
type ImageHeader struct {
	Width, Height uint32
	Components    int
	Bits          BitDepth // of all components; zero where they differ
	Compression   uint8    // 7 in all that are JPEG 2000

	UnknownColors bool // colours are a guess of who wrote the file
	Property      bool // somebody's rights are told of
}

// BitDepth is how samples are stored.
type BitDepth struct {
	Bits   int // 1 to 128
	Signed bool
}

// bitDepth reads the byte that all boxes have for it.
func bitDepth(b byte) BitDepth { return BitDepth{int(b&0x7f) + 1, b&0x80 != 0} }

// String is like u8 or s12.
func (d BitDepth) String() string {
	if d.Signed {
		return fmt.Sprintf("s%d", d.Bits)
	}
	return fmt.Sprintf("u%d", d.Bits)
}

// Resolution is how many pixels there are to a metre.
type Resolution struct{ X, Y float64 }

// headerParser reads one kind of box of the image's header.
type headerParser func(*walker, box, []byte)

// enterHeader reads a box of the header.
func (w *walker) enterHeader(b box) error {
	var parse headerParser
	switch b.kind {
	case "ihdr":
		parse = (*walker).imageHeader
	case "bpcc":
		parse = (*walker).bitsPerComponent
	case "pclr":
		parse = (*walker).palette
	case "cmap":
		parse = (*walker).componentMapping
	case "cdef":
		parse = (*walker).channelDefinitions
	case "colr":
		return w.colorSpec(b)
	case "cgrp":
		return w.inside(b, w.enterHeader)
	default: // a damaged length may have put what follows the header into it
		return w.enter(b)
	}
	content, err := w.content(b, w.limits.HeaderBytes)
	if content != nil {
		parse(w, b, content)
	}
	return err
}

func (w *walker) imageHeader(b box, content []byte) {
	const length, varying = 14, 255
	if w.c.ImageHeader != nil {
		w.note("%v is another header of the image, and is left out", b)
		return
	}
	if len(content) < length {
		w.note("%v has %d bytes of %d", b, len(content), length)
		return
	}
	h := &ImageHeader{
		Height: binary.BigEndian.Uint32(content), Width: binary.BigEndian.Uint32(content[4:]),
		Components:  int(binary.BigEndian.Uint16(content[8:])),
		Compression: content[11], UnknownColors: content[12] != 0, Property: content[13] != 0,
	}
	if content[10] != varying {
		h.Bits = bitDepth(content[10])
	}
	w.c.ImageHeader = h
}

func (w *walker) bitsPerComponent(b box, content []byte) {
	if w.c.BitsPerComponent != nil || len(content) > math.MaxUint16 {
		w.note("%v is there twice or too long, and is left out", b)
		return
	}
	for _, bits := range content {
		w.c.BitsPerComponent = append(w.c.BitsPerComponent, bitDepth(bits))
	}
}

// resolution reads one of the two boxes that tell how large pixels were, or are to be shown.
func (w *walker) resolution(b box) error {
	target := &w.c.Capture
	switch b.kind {
	case "resc":
	case "resd":
		target = &w.c.Display
	default:
		w.note("%v is in one of resolutions", b)
		return nil
	}
	const length = 10
	content, err := w.content(b, w.limits.HeaderBytes)
	if err != nil {
		return err
	}
	var perMeter [2]float64 // by rows, by columns
	for i := range perMeter {
		if len(content) < length {
			break
		}
		numerator, denominator := binary.BigEndian.Uint16(content[4*i:]), binary.BigEndian.Uint16(content[4*i+2:])
		perMeter[i] = float64(numerator) / float64(denominator) * math.Pow10(int(int8(content[8+i])))
	}
	if !isResolution(perMeter[0]) || !isResolution(perMeter[1]) {
		w.note("%v says nothing sound", b)
		return nil
	}
	if *target == nil {
		*target = &Resolution{X: perMeter[1], Y: perMeter[0]}
	}
	return nil
}

func isResolution(v float64) bool { return v > 0 && !math.IsInf(v, 0) }
