package main

import (
	"math"

	"tileserver/decode/tiff/tifftest"
)

const keyWidth, keyHeight = 1312, 1800

// keyPage returns the back of the sheet with its legend, as a bilevel scan.
func keyPage() tifftest.Image {
	d := drawing{newCoverage(keyWidth, extent{keyWidth, keyHeight}), newPaperPose(0.22, point{6, -4})}
	d.box(70, 70, keyWidth-140, keyHeight-140, 5)
	d.box(84, 84, keyWidth-168, keyHeight-168, 1.8)
	const middle = keyWidth / 2
	d.letter("LEGEND", point{middle, 230}, -0.5, pen{height: 72, width: 8, spacing: 0.7})
	d.letter("NEMO ARCHIPELAGO   SHEET 1", point{middle, 300}, -0.5, pen{height: 24, width: 3, spacing: 0.5})
	d.line([]point{{260, 340}, {keyWidth - 260, 340}}, 2.5)
	label := pen{height: 28, width: 3.2, spacing: 0.35}
	for i, sign := range signs {
		y := 440 + 118*float64(i)
		sign.draw(d, point{280, y - 12})
		d.letter(sign.meaning, point{480, y}, 0, label)
	}
	small := pen{height: 19, width: 2.4, spacing: 0.35}
	for i, line := range []string{"ALL ISLANDS, TOWNS AND HEIGHTS ON THIS SHEET", "ARE INVENTED. NOT TO BE USED FOR NAVIGATION."} {
		d.letter(line, point{middle, keyHeight - 190 + 46*float64(i)}, -0.5, small)
	}
	return tifftest.Image{
		Width: keyWidth, Height: keyHeight, Bits: 1, BlockHeight: 64,
		Value: func(x, y, _ int) float64 {
			if d.ink.at(x, y) > 0.5 {
				return 1
			}
			return 0
		},
		Compression: tifftest.Deflate, Photometric: tifftest.WhiteIsZero,
	}
}

// signs lists the symbols of the legend. Each is drawn around a point.
var signs = []struct {
	meaning string
	draw    func(d drawing, at point)
}{
	{"COAST WITH WATER LINES", func(d drawing, at point) {
		for i, width := range []float64{4.5, 1.6, 1.3} {
			d.line(wave(at, 13*float64(i)-13, 8), width)
		}
	}},
	{"CONTOUR, EVERY 100 M", func(d drawing, at point) { d.line(wave(at, 0, 10), 1.8) }},
	{"CONTOUR, EVERY 500 M", func(d drawing, at point) { d.line(wave(at, 0, 10), 4.2) }},
	{"RIVER", func(d drawing, at point) { d.line(wave(at, 0, 16), 3) }},
	{"ROAD", func(d drawing, at point) { d.line([]point{{at.x - 100, at.y}, {at.x + 100, at.y}}, 7) }},
	{"PORT", func(d drawing, at point) { d.circle(at, 20, 7) }},
	{"TOWN", func(d drawing, at point) { d.circle(at, 13, 5) }},
	{"SUMMIT, HEIGHT IN METERS", func(d drawing, at point) {
		d.line([]point{{at.x - 64, at.y + 16}, {at.x - 44, at.y - 20}, {at.x - 24, at.y + 16}, {at.x - 64, at.y + 16}}, 3.2)
		d.letter("1387", point{at.x, at.y + 16}, 0, pen{height: 28, width: 3, spacing: 0.25})
	}},
	{"NET LINE, EVERY 5 KM", func(d drawing, at point) {
		d.line([]point{{at.x - 100, at.y}, {at.x + 100, at.y}}, 1.4)
		d.line([]point{{at.x, at.y - 34}, {at.x, at.y + 34}}, 1.4)
	}},
}

// wave returns a winding line.
func wave(at point, lower, swing float64) []point {
	var line []point
	for x := -100.0; x <= 100; x += 5 {
		line = append(line, point{at.x + x, at.y + lower + swing*math.Sin(x/24)})
	}
	return line
}
