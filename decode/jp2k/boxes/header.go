package boxes

import (
	"encoding/binary"
	"fmt"
	"math"
)

// ImageHeader describes the image. If it contradicts the codestream, the codestream is right.
type ImageHeader struct {
	Width, Height uint32
	Components    int
	Bits          BitDepth // of all components; zero if they differ
	Compression   uint8    // 7 for JPEG 2000

	UnknownColors bool // the color space is a guess of the writer
	Property      bool // the file has a box about intellectual property
}

// BitDepth is the type of samples.
type BitDepth struct {
	Bits   int // 1 to 128
	Signed bool
}

// bitDepth parses the byte that all boxes use for it.
func bitDepth(b byte) BitDepth { return BitDepth{int(b&0x7f) + 1, b&0x80 != 0} }

// String returns a short form such as u8 or s12.
func (d BitDepth) String() string {
	if d.Signed {
		return fmt.Sprintf("s%d", d.Bits)
	}
	return fmt.Sprintf("u%d", d.Bits)
}

// Resolution is the number of pixels per meter.
type Resolution struct{ X, Y float64 }

// headerParser parses one kind of box of the image header.
type headerParser func(*parser, box, []byte)

// readHeaderBox reads a box of the image header.
func (w *parser) readHeaderBox(b box) error {
	var parse headerParser
	switch b.kind {
	case "ihdr":
		parse = (*parser).imageHeader
	case "bpcc":
		parse = (*parser).bitsPerComponent
	case "pclr":
		parse = (*parser).palette
	case "cmap":
		parse = (*parser).componentMapping
	case "cdef":
		parse = (*parser).channelDefinitions
	case "colr":
		return w.colorSpec(b)
	case "cgrp":
		return w.visitInner(b, w.readHeaderBox)
	default: // a wrong length may have put the following boxes into the header
		return w.readBox(b)
	}
	content, err := w.content(b, w.limits.HeaderBytes)
	if content != nil {
		parse(w, b, content)
	}
	return err
}

func (w *parser) imageHeader(b box, content []byte) {
	const length, varying = 14, 255
	if w.c.ImageHeader != nil {
		w.note("%v is another header of the image and is ignored", b)
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

func (w *parser) bitsPerComponent(b box, content []byte) {
	if w.c.BitsPerComponent != nil || len(content) > math.MaxUint16 {
		w.note("%v is present twice or too long and is ignored", b)
		return
	}
	for _, bits := range content {
		w.c.BitsPerComponent = append(w.c.BitsPerComponent, bitDepth(bits))
	}
}

// resolution reads the box of the capture or the display resolution.
func (w *parser) resolution(b box) error {
	target := &w.c.Capture
	switch b.kind {
	case "resc":
	case "resd":
		target = &w.c.Display
	default:
		w.note("%v is unexpected in a resolution box", b)
		return nil
	}
	const length = 10
	content, err := w.content(b, w.limits.HeaderBytes)
	if err != nil {
		return err
	}
	var perMeter [2]float64 // vertical, horizontal
	for i := range perMeter {
		if len(content) < length {
			break
		}
		numerator, denominator := binary.BigEndian.Uint16(content[4*i:]), binary.BigEndian.Uint16(content[4*i+2:])
		perMeter[i] = float64(numerator) / float64(denominator) * math.Pow10(int(int8(content[8+i])))
	}
	if !isResolution(perMeter[0]) || !isResolution(perMeter[1]) {
		w.note("%v has no valid resolution", b)
		return nil
	}
	if *target == nil {
		*target = &Resolution{X: perMeter[1], Y: perMeter[0]}
	}
	return nil
}

func isResolution(v float64) bool { return v > 0 && !math.IsInf(v, 0) }
