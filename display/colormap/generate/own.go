package main

import "math"

// A stop is a color at a position from 0 to 1.
type stop struct {
	at    float64
	color [3]float64
}

// hypsometric holds the usual tints of physical maps: green plains, yellow hills, brown mountains
// and white peaks.
var hypsometric = []stop{
	{0.00, [3]float64{104, 152, 106}},
	{0.09, [3]float64{139, 177, 120}},
	{0.20, [3]float64{184, 202, 142}},
	{0.34, [3]float64{226, 217, 163}},
	{0.50, [3]float64{216, 187, 131}},
	{0.66, [3]float64{187, 150, 109}},
	{0.80, [3]float64{164, 134, 116}},
	{0.90, [3]float64{198, 186, 179}},
	{1.00, [3]float64{250, 249, 247}},
}

// ownTables returns the maps of this project.
func ownTables() []table {
	return []table{newTable("hypsometric", hypsometric)}
}

func newTable(name string, stops []stop) table {
	t := table{name: name}
	for i := range t.forward {
		t.forward[i] = between(stops, float64(i)/255)
		t.reversed[255-i] = t.forward[i]
	}
	return t
}

func between(stops []stop, at float64) (color [3]uint8) {
	next := 1
	for next < len(stops)-1 && stops[next].at < at {
		next++
	}
	from, to := stops[next-1], stops[next]
	part := (at - from.at) / (to.at - from.at)
	for channel := range color {
		color[channel] = uint8(math.Round(from.color[channel] + part*(to.color[channel]-from.color[channel])))
	}
	return color
}
