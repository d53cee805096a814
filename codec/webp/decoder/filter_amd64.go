//go:build !purego

package decoder

import "tileserver/internal/cpu"

// The assembly smooths all sixteen lines of an edge at once. It checks no bounds; the functions in
// this file check them.

//go:noescape
func smoothColumns6(first, second *uint8, stride int, limit, interior, rough uint8)

//go:noescape
func smoothColumns4(first, second *uint8, stride int, limit, interior, rough uint8)

//go:noescape
func smoothRows6(first, second *uint8, stride int, limit, interior, rough uint8)

//go:noescape
func smoothRows4(first, second *uint8, stride int, limit, interior, rough uint8)

// acrossColumns returns the first sample behind a vertical edge. The slice expression checks that
// four samples exist on each side of the edge, in eight lines.
func (p *plane) acrossColumns(at int) *uint8 {
	return &p.samples[at-4 : at+7*p.stride+4][4]
}

// acrossRows returns the first sample behind a horizontal edge, with the same check.
func (p *plane) acrossRows(at int) *uint8 {
	return &p.samples[at-4*p.stride : at+3*p.stride+8][4*p.stride]
}

func (e edge16) smoothColumns6(s *strength) {
	if !cpu.Has.AVX2 {
		e.smoothColumns6InGo(s)
		return
	}
	first, second := e.first.acrossColumns(e.atFirst), e.second.acrossColumns(e.atSecond)
	smoothColumns6(first, second, e.first.stride, uint8(s.limit+macroblockExtra), uint8(s.interior), uint8(s.rough))
}

func (e edge16) smoothColumns4(s *strength) {
	if !cpu.Has.AVX2 {
		e.smoothColumns4InGo(s)
		return
	}
	first, second := e.first.acrossColumns(e.atFirst), e.second.acrossColumns(e.atSecond)
	smoothColumns4(first, second, e.first.stride, uint8(s.limit), uint8(s.interior), uint8(s.rough))
}

func (e edge16) smoothRows6(s *strength) {
	if !cpu.Has.AVX2 {
		e.smoothRows6InGo(s)
		return
	}
	first, second := e.first.acrossRows(e.atFirst), e.second.acrossRows(e.atSecond)
	smoothRows6(first, second, e.first.stride, uint8(s.limit+macroblockExtra), uint8(s.interior), uint8(s.rough))
}

func (e edge16) smoothRows4(s *strength) {
	if !cpu.Has.AVX2 {
		e.smoothRows4InGo(s)
		return
	}
	first, second := e.first.acrossRows(e.atFirst), e.second.acrossRows(e.atSecond)
	smoothRows4(first, second, e.first.stride, uint8(s.limit), uint8(s.interior), uint8(s.rough))
}
