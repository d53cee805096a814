package pyramid

import (
	"math"

	"tileserver/geo/sensor"
)

// reliefLine is a row of the relief of a cell. Its pixels are counted from the cell's first column.
type reliefLine struct {
	level, zero line // positions on level ground, and at a height of 0
	terrain     *sensor.Terrain
	under       sensor.Line // points of the terrain

	// perMeterU and perMeterV are how far each meter of height moves a position.
	perMeterU, perMeterV interpolated

	size      int
	tolerance float64 // as that of the relief
}

// interpolated is a number that changes evenly along a row of a cell.
type interpolated struct{ first, step float64 }

func (v interpolated) at(i float64) float64 { return v.first + float64(v.step*i) }

// most returns the largest number of a row of a cell with the given side, without the signs.
func (v interpolated) most(size float64) float64 { return max(math.Abs(v.first), math.Abs(v.at(size))) }

// line returns the row of the relief at row y of the lattice.
func (r *relief) line(k *cell, y int) reliefLine {
	row := y - k.y
	under, perMeter := r.under.line(row, k.shift), r.perMeter.line(row, k.shift)
	position := func(first, step int64) interpolated {
		const unit = 1.0 / (1 << perMeterBits)
		return interpolated{float64(first) * unit, float64(step) * unit}
	}
	return reliefLine{
		level: k.line(y), zero: r.zero.line(row, k.shift), terrain: r.terrain,
		under: sensor.Line{
			X: sensor.Fixed(under.u), Y: sensor.Fixed(under.v), StepX: sensor.Fixed(under.stepU), StepY: sensor.Fixed(under.stepV),
		},
		perMeterU: position(perMeter.u, perMeter.stepU), perMeterV: position(perMeter.v, perMeter.stepV),
		size: 1 << k.shift, tolerance: r.tolerance,
	}
}

// at returns the position under a pixel. Where the height is unknown, the ground is level.
func (l *reliefLine) at(pixel int, height float64) (u, v int64) {
	if height != height {
		return l.level.at(pixel)
	}
	u, v = l.zero.at(pixel)
	return u + int64(height*l.perMeterU.at(float64(pixel))), v + int64(height*l.perMeterV.at(float64(pixel)))
}

// minStretch is the mean number of pixels between two lines of the terrain's grid from which on
// paths are cheaper than the heights of all pixels.
const minStretch = 16

// isSmooth reports whether the terrain is so coarse that positions are interpolated between some of
// the pixels.
func (l *reliefLine) isSmooth() bool {
	step := max(l.under.StepX, -l.under.StepX) + max(l.under.StepY, -l.under.StepY)
	return minStretch*step <= 1<<sensor.FixedBits
}

// path is a part of a row with positions on a line, which begins at the part.
type path struct {
	line
	first, end int // pixels of the row
}

// paths appends the paths of some pixels of smooth ground. Paths follow one another from the cell's
// first column, so that positions do not depend on which pixels are needed.
func (l *reliefLine) paths(to []path, first, end int) []path {
	for at, next := 0, 0; at < end; at = next {
		s := l.terrain.StretchAt(l.under, at, l.size-at)
		steps := l.straightSteps(&s)
		next = at + steps + 1
		if next <= first {
			continue
		}
		p := path{l.along(at, &s, steps), max(at, first) - first, min(next, end) - first}
		p.u, p.v = p.at(p.first + first - at)
		to = append(to, p)
	}
	return to
}

// straightSteps returns how many steps along a stretch deviate by no more than the tolerance from a
// straight line. The deviation of n steps is at most n*n/8 times the second derivative, which is
// that of the height times perMeter.
func (l *reliefLine) straightSteps(s *sensor.Stretch) int {
	steps, size := float64(s.Points-1), float64(l.size)
	bend := math.Abs(2 * s.Bend)
	slope := math.Abs(s.Slope) + float64(bend*steps)
	curvature := max(
		float64(bend*l.perMeterU.most(size))+float64(2*slope*math.Abs(l.perMeterU.step)),
		float64(bend*l.perMeterV.most(size))+float64(2*slope*math.Abs(l.perMeterV.step)),
	)
	if curvature*steps*steps > 8*l.tolerance {
		return int(math.Sqrt(8 * l.tolerance / curvature))
	}
	return s.Points - 1
}

// along returns the line from the first point of a stretch, which is under a pixel, to that after
// some steps.
func (l *reliefLine) along(pixel int, s *sensor.Stretch, steps int) line {
	u, v := l.at(pixel, s.Height)
	if s.Height != s.Height {
		return line{u, v, l.level.stepU, l.level.stepV}
	}
	end, slope := float64(pixel+steps), s.Slope+float64(s.Bend*float64(steps))
	return line{
		u, v,
		l.zero.stepU + int64(float64(s.Height*l.perMeterU.step)+float64(slope*l.perMeterU.at(end))),
		l.zero.stepV + int64(float64(s.Height*l.perMeterV.step)+float64(slope*l.perMeterV.at(end))),
	}
}
