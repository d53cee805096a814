package config

import (
	"fmt"
	"strconv"
	"strings"
)

// Numbers is a list of whole numbers.
type Numbers []int

// Set parses a comma-separated list.
func (l *Numbers) Set(text string) error {
	*l = Numbers{}
	for _, part := range strings.Split(text, ",") {
		number, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return fmt.Errorf("%q is not a whole number", part)
		}
		*l = append(*l, number)
	}
	return nil
}

// String returns a comma-separated list.
func (l *Numbers) String() string {
	parts := make([]string, len(*l))
	for i, number := range *l {
		parts[i] = strconv.Itoa(number)
	}
	return strings.Join(parts, ",")
}

// UnmarshalText parses a comma-separated list. A YAML list is decoded without it.
func (l *Numbers) UnmarshalText(text []byte) error { return l.Set(string(text)) }
