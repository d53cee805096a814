package imageapi

import (
	"math"
	"strconv"
	"strings"
)

// maxNumber replaces larger numbers of pixels. It exceeds all images and limits, and the product of
// two such numbers fits into 64 bits.
const maxNumber = math.MaxInt32

// wholeNumber parses digits and bounds the number by maxNumber.
func wholeNumber(text string) (n int, ok bool) {
	if text == "" {
		return 0, false
	}
	for _, digit := range []byte(text) {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		n = min(10*n+int(digit-'0'), maxNumber)
	}
	return n, true
}

// decimal parses digits with an optional point, without signs, exponents or words.
func decimal(text string) (v float64, ok bool) {
	if strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// percent returns a percentage of a number of pixels, rounded.
func percent(pixels int, part float64) int {
	return int(math.Round(min(float64(pixels)*part/100, maxNumber)))
}

// scaled returns pixels·numerator/denominator, rounded but at least 1. No argument may exceed
// maxNumber.
func scaled(pixels, numerator, denominator int) int {
	return max(1, int((2*int64(pixels)*int64(numerator)+int64(denominator))/(2*int64(denominator))))
}
