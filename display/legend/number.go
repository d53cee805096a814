package legend

import (
	"math"
	"strconv"
	"strings"
)

// formatNumber returns the shortest text that identifies v. Very large and very small numbers have
// an exponent.
func formatNumber(v float64) string {
	size := math.Abs(v)
	if v == 0 {
		return "0"
	}
	if size >= 1e-4 && size < 1e7 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	sign := ""
	if exponent != "" && exponent[0] == '-' {
		sign = "-"
	}
	return mantissa + "e" + sign + strings.TrimLeft(exponent, "+-0")
}

const (
	smallestExponent = -307
	largestExponent  = 308
)

// exponentOf returns the exponent of the largest power of ten that does not exceed v; v must be
// positive.
func exponentOf(v float64) int {
	exponent := largestExponent
	for exponent > smallestExponent && math.Pow10(exponent) > v {
		exponent--
	}
	return exponent
}

// decimal returns multiple * 10^exponent, rounded once.
func decimal(multiple int64, exponent int) float64 {
	v, err := strconv.ParseFloat(strconv.FormatInt(multiple, 10)+"e"+strconv.Itoa(exponent), 64)
	if err != nil {
		return math.Inf(1) // out of range
	}
	return v
}

// limitDigits is the number of significant digits at the ends of a bar, relative to the span of
// the bar.
const limitDigits = 4

// formatLimit formats a limit without digits that are insignificant relative to the span.
func formatLimit(v, span float64) string {
	if v == 0 {
		return "0"
	}
	digits := max(0, exponentOf(math.Abs(v))-(exponentOf(span)-limitDigits+1))
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits, 64), 64)
	if err != nil {
		return formatNumber(v)
	}
	return formatNumber(rounded)
}
