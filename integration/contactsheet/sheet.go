package main

import (
	"image"
	"image/color"
	"image/draw"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// Sizes are in pixels, except for the numbers of pictures, lines and letters.
const (
	columns, rows    = 10, 9
	picturesPerSheet = columns * rows

	pictureSide = 140
	margin      = 5
	lineHeight  = 12
	letterWidth = 7
	nameLines   = 3
	cellWidth   = pictureSide + 2*margin
	cellHeight  = pictureSide + 2*margin + nameLines*lineHeight
	letters     = pictureSide / letterWidth
)

var (
	paper = color.Gray{0x50}
	ink   = color.White
	alarm = color.NRGBA{R: 0xC0, A: 0xFF}
)

// drawSheet arranges pictures in rows, with their names below.
func drawSheet(entries []entry) image.Image {
	used := (len(entries) + columns - 1) / columns
	sheet := image.NewRGBA(image.Rect(0, 0, columns*cellWidth, used*cellHeight))
	draw.Draw(sheet, sheet.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	for i, e := range entries {
		left, top := i%columns*cellWidth+margin, i/columns*cellHeight+margin
		frame := image.Rect(left, top, left+pictureSide, top+pictureSide)
		if e.err != nil {
			draw.Draw(sheet, frame, image.NewUniform(alarm), image.Point{}, draw.Src)
			write(sheet, frame.Inset(1), e.err.Error())
		} else {
			drawPicture(sheet, frame, e.picture)
		}
		write(sheet, image.Rect(left, frame.Max.Y, frame.Max.X, frame.Max.Y+nameLines*lineHeight), e.name)
	}
	return sheet
}

// drawPicture draws a picture in the center of a frame. It enlarges a small one by an integer
// factor. A checkered background shows through transparent pixels.
func drawPicture(sheet *image.RGBA, frame image.Rectangle, picture image.Image) {
	size := picture.Bounds().Size()
	scale := max(1, min(frame.Dx()/size.X, frame.Dy()/size.Y))
	width, height := min(size.X*scale, frame.Dx()), min(size.Y*scale, frame.Dy())
	left, top := frame.Min.X+(frame.Dx()-width)/2, frame.Min.Y+(frame.Dy()-height)/2
	for y := range height {
		for x := range width {
			at := image.Rect(left+x, top+y, left+x+1, top+y+1)
			draw.Draw(sheet, at, image.NewUniform(checkered(x, y)), image.Point{}, draw.Src)
			draw.Draw(sheet, at, picture, picture.Bounds().Min.Add(image.Pt(x/scale, y/scale)), draw.Over)
		}
	}
}

// checkered returns the background behind transparent pixels, in colors that pictures rarely have.
func checkered(x, y int) color.Color {
	const side = 7
	if (x/side+y/side)%2 == 0 {
		return color.NRGBA{R: 0xE0, G: 0x90, B: 0xE0, A: 0xFF}
	}
	return color.NRGBA{R: 0xB0, G: 0x60, B: 0xB0, A: 0xFF}
}

// write fills a box with as much of a text as fits. A letter that the font lacks is drawn as a box.
func write(sheet *image.RGBA, box image.Rectangle, text string) {
	text = strings.Join(strings.Fields(text), " ")
	drawer := font.Drawer{Dst: sheet, Src: image.NewUniform(ink), Face: basicfont.Face7x13}
	for y := box.Min.Y + lineHeight - 2; y < box.Max.Y && text != ""; y += lineHeight {
		line := text[:min(len(text), letters)]
		drawer.Dot = fixed.P(box.Min.X, y)
		drawer.DrawString(line)
		text = text[len(line):]
	}
}
