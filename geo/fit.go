package geo

import (
	"fmt"
	"math"
)

// fit maps points by a function fitted to control points.
type fit interface {
	at(Point) Point
	String() string
}

// scaling maps points to approximately the square from -1 to 1, where equations are well
// conditioned.
type scaling struct {
	middle Point
	factor float64
}

func newScaling(points []Point) scaling {
	b := boundsOf(points)
	return scaling{b.Center(), 2 / max(b.Width(), b.Height())}
}

func (s scaling) apply(p Point) Point {
	return Point{(p.X - s.middle.X) * s.factor, (p.Y - s.middle.Y) * s.factor}
}

func (s scaling) undo(p Point) Point {
	return Point{p.X/s.factor + s.middle.X, p.Y/s.factor + s.middle.Y}
}

// polynomial holds two polynomials in two variables, one for x and one for y.
type polynomial struct {
	from, to scaling
	order    int
	x, y     []float64
}

// maxTerms is the number of terms of a polynomial of second order.
const maxTerms = 6

func terms(p Point, order int) [maxTerms]float64 {
	t := [maxTerms]float64{1, p.X, p.Y}
	if order > 1 {
		t[3], t[4], t[5] = p.X*p.X, p.X*p.Y, p.Y*p.Y
	}
	return t
}

// fitPolynomial returns the polynomial with the least squared error.
func fitPolynomial(from, to []Point, order int) (fit, bool) {
	p := polynomial{from: newScaling(from), to: newScaling(to), order: order}
	n := (order + 1) * (order + 2) / 2
	e := newEquations(n)
	for i := range from {
		t, value := terms(p.from.apply(from[i]), order), p.to.apply(to[i])
		for row := range n {
			for column := range n {
				e.matrix[row][column] += t[row] * t[column]
			}
			e.x[row] += t[row] * value.X
			e.y[row] += t[row] * value.Y
		}
	}
	if !e.solve() {
		return nil, false
	}
	p.x, p.y = e.x, e.y
	return p, true
}

func (p polynomial) at(point Point) Point {
	t := terms(p.from.apply(point), p.order)
	var v Point
	for i := range p.x {
		v.X += p.x[i] * t[i]
		v.Y += p.y[i] * t[i]
	}
	return p.to.undo(v)
}

func (p polynomial) String() string {
	return fmt.Sprintf("a polynomial of order %d", p.order)
}

// spline holds two thin plate splines, one for x and one for y: a plane, plus a bend around each
// point.
type spline struct {
	from, to scaling
	points   []Point // scaled
	x, y     []float64
}

// fitSpline returns the spline through all points.
func fitSpline(from, to []Point) (fit, bool) {
	s := spline{from: newScaling(from), to: newScaling(to), points: make([]Point, len(from))}
	for i, p := range from {
		s.points[i] = s.from.apply(p)
	}
	n := len(from)
	e := newEquations(n + 3)
	for i, p := range s.points {
		for j := range i {
			b := radialBasis(p, s.points[j])
			e.matrix[i][j], e.matrix[j][i] = b, b
		}
		for k, t := range [...]float64{1, p.X, p.Y} {
			e.matrix[i][n+k], e.matrix[n+k][i] = t, t
		}
		value := s.to.apply(to[i])
		e.x[i], e.y[i] = value.X, value.Y
	}
	if !e.solve() {
		return nil, false
	}
	s.x, s.y = e.x, e.y
	return s, true
}

// radialBasis returns the displacement of a point caused by another one of weight 1.
func radialBasis(a, b Point) float64 {
	squared := (a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y)
	if squared == 0 {
		return 0
	}
	return squared * math.Log(squared)
}

func (s spline) at(point Point) Point {
	p, n := s.from.apply(point), len(s.points)
	v := Point{s.x[n] + s.x[n+1]*p.X + s.x[n+2]*p.Y, s.y[n] + s.y[n+1]*p.X + s.y[n+2]*p.Y}
	for i, q := range s.points {
		b := radialBasis(p, q)
		v.X += s.x[i] * b
		v.Y += s.y[i] * b
	}
	return s.to.undo(v)
}

func (s spline) String() string { return "a thin plate spline" }

// equations is a system of linear equations with two right sides. solve replaces these by the
// solutions.
type equations struct {
	matrix [][]float64
	x, y   []float64
}

func newEquations(n int) *equations {
	e := &equations{matrix: make([][]float64, n), x: make([]float64, n), y: make([]float64, n)}
	for i := range e.matrix {
		e.matrix[i] = make([]float64, n)
	}
	return e
}

// solve applies Gaussian elimination with partial pivoting. It returns false if there is no unique
// solution.
func (e *equations) solve() bool {
	const tiny = 1e-12 // limit of a pivot, for values of about 1
	n := len(e.matrix)
	for i := range n {
		pivot := i
		for row := i + 1; row < n; row++ {
			if math.Abs(e.matrix[row][i]) > math.Abs(e.matrix[pivot][i]) {
				pivot = row
			}
		}
		if !(math.Abs(e.matrix[pivot][i]) > tiny) {
			return false
		}
		e.matrix[i], e.matrix[pivot] = e.matrix[pivot], e.matrix[i]
		e.x[i], e.x[pivot] = e.x[pivot], e.x[i]
		e.y[i], e.y[pivot] = e.y[pivot], e.y[i]
		for row := i + 1; row < n; row++ {
			factor := e.matrix[row][i] / e.matrix[i][i]
			if factor == 0 {
				continue
			}
			for column := i; column < n; column++ {
				e.matrix[row][column] -= factor * e.matrix[i][column]
			}
			e.x[row] -= factor * e.x[i]
			e.y[row] -= factor * e.y[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for column := i + 1; column < n; column++ {
			e.x[i] -= e.matrix[i][column] * e.x[column]
			e.y[i] -= e.matrix[i][column] * e.y[column]
		}
		e.x[i] /= e.matrix[i][i]
		e.y[i] /= e.matrix[i][i]
	}
	return true
}
