package pyramid

import "math"

// kernel is how far a resampling looks around a position, and with what weights.
type kernel struct {
	weight  func(distance float64) float64 // nil for Nearest
	support float64                        // weight is 0 from there on

	// interpolates is true of kernels that leave a pixel alone on whose center
	// they are, since they have no weight on those of others.
	interpolates bool

	stretch float64 // 0 of Nearest; kernels of one resampling and one stretch are equal
}

// maxStretch bounds how many pixels a kernel looks at where a provider has no
// level that is coarse enough.
const maxStretch = 32

const (
	// stretchSteps is how finely kernels are told apart: neighboring cells of a view,
	// whose scales differ a little, share one.
	stretchSteps = 16

	// stretchSlack is how far, in steps, a scale may lie above a step without being taken for
	// the next one. A scale of exactly 2 is computed as a little more or less than that, in
	// one cell and in another, and on one processor and on another.
	stretchSlack = 1.0 / 1024
)

// kernelFor returns the kernel of r where a pixel of the view spans scale pixels of
// the level. Bilinear looks at its two neighbors up to a scale of 2, as long as
// every pixel of the level still counts, and at all that lies between beyond;
// the sharper kernels widen from 1 on.
func kernelFor(r Resampling, scale float64) kernel {
	stretch := min(max(scale, 1), maxStretch)
	if stretch <= levelSlack || r == Bilinear && stretch <= 2*levelSlack {
		stretch = 1
	}
	stretch = math.Ceil(stretch*stretchSteps-stretchSlack) / stretchSteps
	interpolates := stretch == 1
	switch r {
	case Nearest:
		return kernel{support: 0}
	case Average:
		return kernel{box(stretch), (stretch + 1) / 2, interpolates, stretch}
	case Cubic:
		return kernel{stretched(catmullRom, stretch), 2 * stretch, interpolates, stretch}
	case Lanczos:
		return kernel{stretched(lanczos3, stretch), 3 * stretch, interpolates, stretch}
	default:
		return kernel{stretched(triangle, stretch), stretch, interpolates, stretch}
	}
}

// reach returns how many pixels beyond the one under a position a kernel looks at.
func (k kernel) reach() int { return int(math.Ceil(k.support)) }

// taps returns how many neighboring pixels get a weight.
func (k kernel) taps() int { return 2 * int(math.Ceil(k.support)) }

func stretched(f func(float64) float64, by float64) func(float64) float64 {
	return func(x float64) float64 { return f(x / by) }
}

func triangle(x float64) float64 { return max(0, 1-math.Abs(x)) }

// box returns the share of a pixel, x away, in an interval of the given width.
func box(width float64) func(float64) float64 {
	return func(x float64) float64 {
		return max(0, min(x+0.5, width/2)-max(x-0.5, -width/2))
	}
}

// catmullRom converts products, so that no processor adds to them before they are rounded.
func catmullRom(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x < 1:
		return float64((float64(1.5*x)-2.5)*x*x) + 1
	case x < 2:
		return float64((float64((float64(-0.5*x)+2.5)*x)-4)*x) + 2
	default:
		return 0
	}
}

func lanczos3(x float64) float64 {
	if x == 0 {
		return 1
	}
	if math.Abs(x) >= 3 {
		return 0
	}
	a := math.Pi * x
	return 3 * math.Sin(a) * math.Sin(a/3) / (a * a)
}

const (
	phaseBits = 8 // positions between pixels are told apart to 1/256
	phases    = 1 << phaseBits
)

// weights is a kernel for every phase: weights[p*taps+i] belongs to the i-th of
// the pixels around a position that lies p/phases behind a pixel's center. The
// pixel that it lies behind is number taps/2-1. Each phase sums to 1.
type weights struct {
	taps  int
	table []float32
}

func (k kernel) weights() weights {
	w := weights{taps: k.taps()}
	w.table = make([]float32, phases*w.taps)
	row := make([]float64, w.taps)
	for p := range phases {
		sum := 0.0
		for i := range row {
			row[i] = k.weight(float64(i-(w.taps/2-1)) - float64(p)/phases)
			sum += row[i]
		}
		for i := range row {
			w.table[p*w.taps+i] = float32(row[i] / sum)
		}
	}
	return w
}
