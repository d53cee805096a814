package main

import "math"

// glyphs holds the strokes of letters for a plotter. A stroke is a list of grid points; each point
// is a column and a row from the top, as hexadecimal digits. Capitals are twelve rows high. A
// stroke that begins with ~ has rounded corners.
var glyphs = map[rune][]string{
	'A': {"0c408c", "1979"}, 'B': {"000c", "~00707606", "~06868c0c"}, 'C': {"~8380000c8c89"}, 'D': {"000c", "~00808c0c"},
	'E': {"80000c8c", "0666"}, 'F': {"80000c", "0666"}, 'G': {"~8380000c8c87", "8757"}, 'H': {"000c", "808c", "0686"},
	'I': {"000c"}, 'J': {"~606c0c09"}, 'K': {"000c", "8007", "358c"}, 'L': {"000c7c"}, 'M': {"0c0059a0ac"}, 'N': {"0c008c80"},
	'O': {"~40808c0c0040"}, 'P': {"0c00", "~00808707"}, 'Q': {"~40808c0c0040", "589d"}, 'R': {"0c00", "~00808707", "478c"},
	'S': {"~82800006868c0c0a"}, 'T': {"0080", "404c"}, 'U': {"~000c8c80"}, 'V': {"004c80"}, 'W': {"003c609cc0"},
	'X': {"008c", "800c"}, 'Y': {"004680", "464c"}, 'Z': {"00800c8c"},
	'0': {"~40707c1c1040"}, '1': {"02303c"}, '2': {"~020080850c", "0c8c"}, '3': {"~0100808636", "~36868c0c0b"},
	'4': {"6c600888"}, '5': {"800005", "~05858c0c0b"}, '6': {"~70000c8c860607"}, '7': {"00803c"},
	'8': {"~407076161040", "~46868c0c0646"}, '9': {"~1c8c8000068685"},
	'.': {"0c0c"}, ',': {"1b0e"}, '-': {"0757"}, ':': {"0404", "0c0c"}, '\'': {"0003"}, '/': {"0c60"},
	'(': {"~30000c3c"}, ')': {"~00303c0c"}, '°': {"~204044040020"},
}

// pen is a style of lettering.
type pen struct {
	height  float64 // of a capital
	width   float64 // of a stroke
	spacing float64 // between letters, as a share of their height
	slant   float64 // of upright strokes: 0 for land, more for water
}

const capitalRows = 12

// strokesOf returns the lines of a text that begins at 0, 0 on its base line, and its length.
func (p pen) strokesOf(text string) (strokes [][]point, length float64) {
	scale := p.height / capitalRows
	for _, letter := range text {
		width := 6.0 // of a space
		for i, code := range glyphs[letter] {
			points := pointsOf(code)
			if i == 0 {
				width = 0
			}
			for _, at := range points {
				width = max(width, at.x)
			}
			for j, at := range points {
				points[j] = point{length + (at.x+(capitalRows-at.y)*p.slant)*scale, (at.y - capitalRows) * scale}
			}
			strokes = append(strokes, points)
		}
		length += width*scale + p.spacing*p.height
	}
	return strokes, length - p.spacing*p.height
}

func pointsOf(code string) []point {
	round := code[0] == '~'
	if round {
		code = code[1:]
	}
	var points []point
	for ; len(code) > 1; code = code[2:] {
		points = append(points, point{digit(code[0]), digit(code[1])})
	}
	if round {
		for range 3 {
			points = rounded(points)
		}
	}
	return points
}

func digit(c byte) float64 {
	if c >= 'a' {
		return float64(c-'a') + 10
	}
	return float64(c - '0')
}

// rounded cuts the corners of a line and keeps its ends.
func rounded(line []point) []point {
	cut := []point{line[0]}
	for i := range len(line) - 1 {
		from, to := line[i], line[i+1]
		cut = append(cut, point{lerp(from.x, to.x, 0.25), lerp(from.y, to.y, 0.25)}, point{lerp(from.x, to.x, 0.75), lerp(from.y, to.y, 0.75)})
	}
	return append(cut, line[len(line)-1])
}

// drawing is ink on paper that lies askew under a scanner.
type drawing struct {
	ink  *coverage
	pose paperPose
}

// letter writes a text at a point of the paper. The value aside shifts the text as a share of its
// length: 0 starts it at the point, -0.5 centers it.
func (d drawing) letter(text string, at point, aside float64, p pen) {
	strokes, length := p.strokesOf(text)
	for _, stroke := range strokes {
		for i := range stroke {
			stroke[i] = point{at.x + aside*length + stroke[i].x, at.y + stroke[i].y}
		}
		d.line(stroke, p.width)
	}
}

// line draws a line on the paper.
func (d drawing) line(line []point, width float64) {
	for i := range len(line) - 1 {
		d.ink.draw(d.pose.onPage(line[i]), d.pose.onPage(line[i+1]), width, width)
	}
}

// box draws the outline of a rectangle.
func (d drawing) box(x, y, width, height, stroke float64) {
	d.line([]point{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}, {x, y}}, stroke)
}

// circle draws the outline of a circle.
func (d drawing) circle(center point, radius, stroke float64) {
	const corners = 24
	var line []point
	for i := range corners + 1 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		line = append(line, point{center.x + radius*cos, center.y + radius*sin})
	}
	d.line(line, stroke)
}

// paperPose is the rotation and offset of the paper on the glass of the scanner.
type paperPose struct {
	sin, cos float64
	corner   point // of the paper, on the page
}

func newPaperPose(degrees float64, corner point) paperPose {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return paperPose{sin, cos, corner}
}

// onPage converts a point of the paper to the page.
func (l paperPose) onPage(p point) point {
	return point{l.corner.x + l.cos*p.x - l.sin*p.y, l.corner.y + l.sin*p.x + l.cos*p.y}
}

// onPaper converts a point of the page to the paper.
func (l paperPose) onPaper(p point) point {
	x, y := p.x-l.corner.x, p.y-l.corner.y
	return point{l.cos*x + l.sin*y, l.cos*y - l.sin*x}
}
