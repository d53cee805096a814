package legend

import (
	"math"
	"strconv"
	"strings"
)

// formatNumber writes v as short as it can be told from others, large and small ones with an
// exponent.
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

// exponentOf is the exponent of the largest power of ten that is not above v, which is
// positive.
func exponentOf(v float64) int {
	exponent := largestExponent
	for exponent > smallestExponent && math.Pow10(exponent) > v {
		exponent--
	}
	return exponent
}

// decimal is a multiple of a power of ten, rounded once.
func decimal(multiple int64, exponent int) float64 {
	v, err := strconv.ParseFloat(strconv.FormatInt(multiple, 10)+"e"+strconv.Itoa(exponent), 64)
	if err != nil {
		return math.Inf(1) // out of range
	}
	return v
}

// limitDigits are the digits of the numbers at the ends of a bar that matter: so many of what
// lies between them.
const limitDigits = 4

// formatLimit leaves out digits that say nothing beside a span.
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
