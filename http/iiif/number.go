package iiif

import (
	"math"
	"strconv"
	"strings"
)

// most is what larger numbers of pixels are taken for. No image and no limit comes near it,
// and two of them can be multiplied.
const most = math.MaxInt32

// wholeNumber reads digits.
func wholeNumber(text string) (n int, ok bool) {
	if text == "" {
		return 0, false
	}
	for _, digit := range []byte(text) {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		n = min(10*n+int(digit-'0'), most)
	}
	return n, true
}

// decimal reads digits with or without a point. There are no signs, exponents or words.
func decimal(text string) (v float64, ok bool) {
	if strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// percent is that part of a number of pixels, to the nearest whole one.
func percent(pixels int, part float64) int {
	return int(math.Round(min(float64(pixels)*part/100, most)))
}

// scaled is pixels·numerator/denominator, to the nearest whole one but at least 1. All of
// them are at most most.
func scaled(pixels, numerator, denominator int) int {
	return max(1, int((2*int64(pixels)*int64(numerator)+int64(denominator))/(2*int64(denominator))))
}
