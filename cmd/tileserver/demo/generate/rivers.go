package main

import "math"

// riverSquareMeters is the drained area from which a stream is drawn as a river.
const riverSquareMeters = 0.9e6

// drawRivers draws the rivers, wider with the area that they drain.
func drawRivers(t *terrain, onto *coverage) {
	upstream := t.mainStreams()
	places := t.smoothedStreams(upstream)
	for cell, drained := range t.flow.drained {
		to := t.flow.receiver[cell]
		if drained < riverSquareMeters || t.sea[cell] || to == int32(cell) {
			continue
		}
		onto.draw(places[cell], places[to], riverMeters(drained), riverMeters(max(t.flow.drained[to], drained)))
	}
}

func riverMeters(drained float32) float64 {
	return min(3+6.5*math.Sqrt(float64(drained)/1e6), 60)
}

// mainStreams returns for each cell of a river its largest tributary cell, or -1.
func (t *terrain) mainStreams() []int32 {
	upstream := make([]int32, len(t.sea))
	for cell := range upstream {
		upstream[cell] = -1
	}
	for cell, to := range t.flow.receiver {
		drained := t.flow.drained[cell]
		if t.sea[cell] || drained < riverSquareMeters {
			continue
		}
		if known := upstream[to]; known < 0 || drained > t.flow.drained[known] {
			upstream[to] = int32(cell)
		}
	}
	return upstream
}

// smoothedStreams moves the points of rivers toward their neighbors along the river. All streams
// share the points, so they still meet.
func (t *terrain) smoothedStreams(upstream []int32) []point {
	const turns = 8
	places := append([]point(nil), t.places...)
	for range turns {
		before := append([]point(nil), places...)
		for cell, up := range upstream {
			down := t.flow.receiver[cell]
			if up < 0 || t.sea[cell] {
				continue
			}
			places[cell] = point{
				before[cell].x/2 + (before[up].x+before[down].x)/4,
				before[cell].y/2 + (before[up].y+before[down].y)/4,
			}
		}
	}
	return places
}
