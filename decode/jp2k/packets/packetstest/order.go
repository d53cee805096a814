package packetstest

import "tileserver/decode/jp2k/codestream"

// Packet is one layer of one precinct. Precincts are numbered row by row in their resolution.
type Packet struct{ Component, Resolution, Precinct, Layer int }

// Order lists the packets of a tile with the loops of the standard, over every point of the
// reference grid.
func Order(t *codestream.Tile) []Packet {
	o := &orderer{tile: t, came: map[Packet]bool{}}
	for _, p := range t.Progressions {
		o.progression = p
		o.follow()
	}
	return o.packets
}

type orderer struct {
	tile        *codestream.Tile
	progression codestream.Progression
	came        map[Packet]bool
	packets     []Packet
}

func (o *orderer) follow() {
	switch o.progression.Order {
	case codestream.LRCP:
		o.layers(func(l int) { o.resolutions(func(r int) { o.components(func(c int) { o.precincts(l, r, c) }) }) })
	case codestream.RLCP:
		o.resolutions(func(r int) { o.layers(func(l int) { o.components(func(c int) { o.precincts(l, r, c) }) }) })
	case codestream.RPCL:
		o.resolutions(func(r int) { o.points(func(x, y int) { o.components(func(c int) { o.at(x, y, r, c) }) }) })
	case codestream.PCRL:
		o.points(func(x, y int) { o.components(func(c int) { o.resolutions(func(r int) { o.at(x, y, r, c) }) }) })
	case codestream.CPRL:
		o.components(func(c int) { o.points(func(x, y int) { o.resolutions(func(r int) { o.at(x, y, r, c) }) }) })
	}
}

func (o *orderer) layers(do func(int)) {
	for l := range min(o.progression.EndLayer, o.tile.Layers) {
		do(l)
	}
}

func (o *orderer) resolutions(do func(int)) {
	for r := o.progression.FirstResolution; r < min(o.progression.EndResolution, 33); r++ {
		do(r)
	}
}

func (o *orderer) components(do func(int)) {
	for c := o.progression.FirstComponent; c < min(o.progression.EndComponent, len(o.tile.Components)); c++ {
		do(c)
	}
}

func (o *orderer) points(do func(x, y int)) {
	for y := o.tile.Rect.Y0; y < o.tile.Rect.Y1; y++ {
		for x := o.tile.Rect.X0; x < o.tile.Rect.X1; x++ {
			do(x, y)
		}
	}
}

func (o *orderer) resolution(r, c int) *codestream.Resolution {
	if all := o.tile.Components[c].Resolutions; r < len(all) {
		return &all[r]
	}
	return &codestream.Resolution{}
}

func (o *orderer) precincts(l, r, c int) {
	res := o.resolution(r, c)
	for k := range res.PrecinctColumns * res.PrecinctRows {
		o.packet(Packet{c, r, k, l})
	}
}

// at adds the precinct that begins at a point.
func (o *orderer) at(x, y, r, c int) {
	res, tc := o.resolution(r, c), &o.tile.Components[c]
	if res.PrecinctColumns*res.PrecinctRows == 0 {
		return
	}
	reduction := len(tc.Resolutions) - 1 - r
	begins := func(at, edge, edgeSample, step, precinct int) bool {
		return at%(step<<(precinct+reduction)) == 0 || at == edge && (edgeSample<<reduction)%(1<<(precinct+reduction)) != 0
	}
	width, height := res.PrecinctWidthLog2, res.PrecinctHeightLog2
	if !begins(y, o.tile.Rect.Y0, res.Rect.Y0, tc.DY, height) || !begins(x, o.tile.Rect.X0, res.Rect.X0, tc.DX, width) {
		return
	}
	column := up(x, tc.DX<<reduction)>>width - res.Rect.X0>>width
	row := up(y, tc.DY<<reduction)>>height - res.Rect.Y0>>height
	o.layers(func(l int) { o.packet(Packet{c, r, row*res.PrecinctColumns + column, l}) })
}

func (o *orderer) packet(p Packet) {
	if !o.came[p] {
		o.came[p] = true
		o.packets = append(o.packets, p)
	}
}
