package container

import (
	"fmt"
	"strconv"
	"strings"
)

// Counted returns a number and a noun, in the plural if needed.
func Counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// Plain returns a number with all its digits and without an exponent.
func Plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// InRuns joins words and abbreviates long runs of equal ones to a count.
func InRuns(words []string) string {
	const many = 4
	var texts []string
	for len(words) > 0 {
		run := 1
		for run < len(words) && words[run] == words[0] {
			run++
		}
		if run > many {
			texts = append(texts, fmt.Sprintf("%d times %s", run, words[0]))
		} else {
			texts = append(texts, words[:run]...)
		}
		words = words[run:]
	}
	return strings.Join(texts, ", ")
}
