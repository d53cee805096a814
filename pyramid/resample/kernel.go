package resample

import "math"

// Kernel is the weight function of a method at a scale, and its reach around a position.
type Kernel struct {
	weight  func(distance float64) float64 // nil for Nearest
	support float64                        // weight is 0 from this distance on

	interpolates bool
	stretch      float64 // 0 for Nearest; kernels of one method and one stretch are equal
}

// maxStretch limits the pixels under a kernel if a provider has no level that is coarse enough.
const maxStretch = 32

const (
	// stretchSteps is the number of distinct stretches per unit. Neighboring cells of a view, whose
	// scales differ slightly, then share a kernel.
	stretchSteps = 16

	// stretchSlack is the fraction of a step by which a scale may exceed a step without moving to
	// the next one. A scale of exactly 2 is computed as slightly more or less than 2, depending on
	// the cell and the processor.
	stretchSlack = 1.0 / 1024
)

// ScaleSlack is the factor by which scales may differ and still count as equal. Resolutions that are
// equal but for rounding need neither a finer level nor a wider kernel.
const ScaleSlack = 1.02

// Kernel returns the kernel of m for a view whose pixels span scale pixels of the level.
// Bilinear uses its two neighbors up to a scale of 2, at which every pixel of the level still
// counts; beyond that it widens. The sharper kernels widen from 1 on.
func (m Method) Kernel(scale float64) Kernel {
	stretch := min(max(scale, 1), maxStretch)
	if stretch <= ScaleSlack || m == Bilinear && stretch <= 2*ScaleSlack {
		stretch = 1
	}
	stretch = math.Ceil(stretch*stretchSteps-stretchSlack) / stretchSteps
	interpolates := stretch == 1
	switch m {
	case Nearest:
		return Kernel{support: 0}
	case Average:
		return Kernel{box(stretch), (stretch + 1) / 2, interpolates, stretch}
	case Cubic:
		return Kernel{stretched(catmullRom, stretch), 2 * stretch, interpolates, stretch}
	case Lanczos:
		return Kernel{stretched(lanczos3, stretch), 3 * stretch, interpolates, stretch}
	default:
		return Kernel{stretched(triangle, stretch), stretch, interpolates, stretch}
	}
}

// IsNearest reports whether k picks the pixel under a position.
func (k Kernel) IsNearest() bool { return k.weight == nil }

// Interpolates reports whether k reproduces a pixel at its center, because its weights for the
// neighbors are 0 there.
func (k Kernel) Interpolates() bool { return k.interpolates }

// Reach returns how many pixels beyond the one under a position a kernel uses.
func (k Kernel) Reach() int { return int(math.Ceil(k.support)) }

// taps returns the number of neighboring pixels with a weight.
func (k Kernel) taps() int { return 2 * int(math.Ceil(k.support)) }

func stretched(f func(float64) float64, by float64) func(float64) float64 {
	return func(x float64) float64 { return f(x / by) }
}

func triangle(x float64) float64 { return max(0, 1-math.Abs(x)) }

// box returns the fraction of a pixel at distance x that lies in an interval of the given width.
func box(width float64) func(float64) float64 {
	return func(x float64) float64 {
		return max(0, min(x+0.5, width/2)-max(x-0.5, -width/2))
	}
}

// catmullRom wraps products in conversions, which prevents fused multiply-add, so that all
// processors compute the same.
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

// weights tabulates a kernel for every phase. weights[p*taps+i] is the weight of the i-th pixel
// around a position that lies p/phases behind a pixel center. Number taps/2-1 is the pixel of that
// center. The weights of a phase sum to 1.
type weights struct {
	taps  int
	table []float32
}

func (k Kernel) weights() weights {
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
