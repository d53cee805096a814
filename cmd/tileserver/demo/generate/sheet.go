package main

import (
	"fmt"
	"math"

	"tileserver/decode/tiff/tifftest"
)

// The layout of the paper map, in pixels of the scan.
const (
	pageWidth, pageHeight   = 1800, 1312
	paperWidth, paperHeight = 1752, 1262
	frameLeft, frameTop     = 96, 128
	frameWidth              = 1560
	frameHeight             = frameWidth * groundHeightKilometers / groundWidthKilometers
	pixelMeters             = groundWidthKilometers * 1000 / frameWidth
)

// The colors of the inks and of the paper.
var (
	paper    = color{243, 236, 216}
	seaTint  = color{203, 222, 224}
	landTint = color{249, 244, 226}
	hillTint = color{233, 214, 176}
	blackInk = color{52, 46, 44}
	blueInk  = color{70, 116, 152}
	brownInk = color{164, 116, 78}
	redInk   = color{178, 70, 56}
	lidColor = color{74, 72, 70}
)

// sheet is the paper map on the glass of a scanner.
type sheet struct {
	scene            *scene
	heights          *grid // for each pixel of the frame
	pose             paperPose
	black, blue, red drawing
}

// townNames are from the novels that the archipelago is named after, largest town first.
var townNames = [...]string{
	"PORT NEMO", "ARONNAX", "CONSEIL", "NAUTILUS BAY", "LINCOLN", "SPILETT", "PENCROFF", "HARDING", "AYRTON", "GRANITE HOUSE",
	"NED'S LANDING", "FORT VERNE", "HETZEL", "AMIENS", "TOPAZ", "MERCY",
}

func newSheet(s *scene) *sheet {
	m := &sheet{scene: s, heights: filledGrid(frameWidth, ground, s.heightAt), pose: newPaperPose(-0.28, point{22, 32})}
	page := extent{pageWidth, pageHeight}
	for _, d := range []*drawing{&m.black, &m.blue, &m.red} {
		*d = drawing{newCoverage(pageWidth, page), m.pose}
	}
	m.drawNet()
	m.drawWater()
	m.drawPeople()
	m.drawSummits()
	m.drawMargin()
	return m
}

// onFrame converts a point on the ground to the paper.
func onFrame(p point) point { return point{frameLeft + p.x/pixelMeters, frameTop + p.y/pixelMeters} }

// drawNet draws the frame and a labeled grid line every five kilometers.
func (m *sheet) drawNet() {
	m.black.box(frameLeft, frameTop, frameWidth, frameHeight, 2.2)
	m.black.box(frameLeft-12, frameTop-12, frameWidth+24, frameHeight+24, 1.1)
	small := pen{height: 11, width: 1.3, spacing: 0.25}
	const everyMeters = 5000
	for east := math.Ceil(westMeters/everyMeters) * everyMeters; east < westMeters+ground.width; east += everyMeters {
		x := onFrame(point{east - westMeters, 0}).x
		m.black.line([]point{{x, frameTop}, {x, frameTop + frameHeight}}, 0.55)
		m.black.letter(fmt.Sprintf("%.0f", east/1000), point{x, frameTop - 19}, -0.5, small)
	}
	for north := math.Floor(northMeters/everyMeters) * everyMeters; north > northMeters-ground.height; north -= everyMeters {
		y := onFrame(point{0, northMeters - north}).y
		m.black.line([]point{{frameLeft, y}, {frameLeft + frameWidth, y}}, 0.55)
		m.black.letter(fmt.Sprintf("%.0f", north/1000), point{frameLeft - 19, y + 5}, -1, small)
	}
}

func (m *sheet) drawWater() {
	t := m.scene.terrain
	places := t.smoothedStreams(t.mainStreams())
	for cell, drained := range t.flow.drained {
		to := t.flow.receiver[cell]
		if drained > riverSquareMeters && !t.sea[cell] {
			m.blue.line([]point{onFrame(places[cell]), onFrame(places[to])}, min(0.5+0.32*math.Sqrt(float64(drained)/1e6), 2.4))
		}
	}
	m.blue.letter("SOUTH PACIFIC OCEAN", onFrame(point{11200, 35600}), -0.5, pen{height: 19, width: 1.7, spacing: 1, slant: 0.28})
	m.blue.letter("ARONNAX SOUND", onFrame(point{46600, 17400}), -0.5, pen{height: 15, width: 1.5, spacing: 0.7, slant: 0.28})
	m.blue.letter("NORTH CHANNEL", onFrame(point{20500, 3300}), -0.5, pen{height: 15, width: 1.5, spacing: 0.7, slant: 0.28})
}

func (m *sheet) drawPeople() {
	for _, road := range build(m.scene.terrain, m.scene.towns) {
		var line []point
		for _, at := range road {
			line = append(line, onFrame(at))
		}
		m.red.line(line, 1.7)
	}
	for i, w := range m.scene.towns {
		at := onFrame(w.center)
		size := 13 - 2.5*min(float64(i), 2)
		m.black.circle(at, 5.2-float64(min(i, 2)), 2)
		aside, from := 0.0, at.x+11
		if at.x > frameLeft+0.86*frameWidth {
			aside, from = -1, at.x-11
		}
		m.black.letter(townNames[i%len(townNames)], point{from, at.y - 5}, aside, pen{height: size, width: 1.5, spacing: 0.3})
	}
}

// drawSummits marks the highest points with their heights.
func (m *sheet) drawSummits() {
	const apart, count = 4200, 11
	var found []point
	for len(found) < count {
		best, at := 250.0, point{-1, -1}
		for y := 2; y < m.heights.height; y += 2 {
			for x := 2; x < m.heights.width; x += 2 {
				p := m.heights.center(x, y)
				isNear := false
				for _, other := range found {
					isNear = isNear || other.to(p) < apart
				}
				if height := m.heights.at(x, y); height > best && !isNear {
					best, at = height, p
				}
			}
		}
		if at.x < 0 {
			return
		}
		found = append(found, at)
		top := onFrame(at)
		m.black.line([]point{{top.x - 5, top.y + 4}, {top.x, top.y - 5}, {top.x + 5, top.y + 4}, {top.x - 5, top.y + 4}}, 1.3)
		m.black.letter(fmt.Sprintf("%.0f", best), point{top.x + 10, top.y + 5}, 0, pen{height: 10, width: 1.3, spacing: 0.22})
	}
}

func (m *sheet) drawMargin() {
	const middle = frameLeft + frameWidth/2
	m.black.letter("NEMO ARCHIPELAGO", point{middle, 76}, -0.5, pen{height: 40, width: 4, spacing: 0.62})
	label := pen{height: 12, width: 1.4, spacing: 0.35}
	m.black.letter("1:250 000", point{frameLeft, 70}, 0, label)
	m.black.letter("SHEET 1", point{frameLeft + frameWidth, 70}, -1, label)
	const bottom = frameTop + frameHeight + 44
	m.black.letter("UTM ZONE 10 S   WGS 84   HEIGHTS IN METERS", point{frameLeft, bottom}, 0, label)
	m.black.letter("CONTOURS EVERY 100 M", point{frameLeft + frameWidth, bottom}, -1, label)
	for i := range 5 { // a scale bar in kilometers
		const kilometers = 2
		step := kilometers * 1000 / pixelMeters
		x := middle - 2.5*step + float64(i)*step
		m.black.box(x, bottom-10, step, 8, 1.3)
		if i%2 == 0 {
			m.black.line([]point{{x, bottom - 6}, {x + step, bottom - 6}}, 8)
		}
		m.black.letter(fmt.Sprint(i*kilometers), point{x, bottom + 16}, -0.5, pen{height: 9, width: 1.2, spacing: 0.2})
	}
	m.black.letter("10 KM", point{middle + 2.5*5*1000/pixelMeters*0.4, bottom + 16}, -0.5, pen{height: 9, width: 1.2, spacing: 0.2})
}

func (m *sheet) image() tifftest.Image {
	pixels := make([]color, pageWidth*pageHeight)
	parallelRows(pageHeight, func(y int) {
		for x := range pageWidth {
			pixels[y*pageWidth+x] = m.seen(x, y)
		}
	})
	return tifftest.Image{
		Width: pageWidth, Height: pageHeight, Samples: 3,
		Value: func(x, y, band int) float64 { return min(max(pixels[y*pageWidth+x][band], 0), 255) },
		Tiled: true, BlockWidth: 256, BlockHeight: 256,
		Compression: tifftest.JPEGBlocks, Photometric: tifftest.YCbCr, JPEG: tifftest.JPEG{Quality: 58, Subsampled: true},
	}
}

// file returns both pages as a TIFF.
func (m *sheet) file() ([]byte, error) {
	return tifftest.File{Images: []tifftest.Image{m.image(), keyPage()}}.Encode()
}
