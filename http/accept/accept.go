// Package accept parses the headers Accept and Accept-Encoding and chooses among offers. It must
// never know what the offers are.
package accept

import (
	"strconv"
	"strings"
)

// Ranges are the elements of such headers: media types or codings, possibly with wildcards, each
// with its quality.
type Ranges []mediaRange

type mediaRange struct {
	name    string
	quality float64
}

// maxRanges bounds the elements that are parsed; browsers send fewer than ten.
const maxRanges = 64

// Parse parses headers, each a list. Invalid elements become names that match nothing.
func Parse(lists []string) Ranges {
	var ranges Ranges
	for _, list := range lists {
		for part := range strings.SplitSeq(list, ",") {
			name, parameters, _ := strings.Cut(part, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			if name == "" {
				continue
			}
			if len(ranges) == maxRanges {
				return ranges
			}
			ranges = append(ranges, mediaRange{name, qualityOf(parameters)})
		}
	}
	return ranges
}

// qualityOf returns the value of q, or 1 if it is missing or invalid.
func qualityOf(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			if quality, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && quality >= 0 && quality <= 1 {
				return quality
			}
		}
	}
	return 1
}

// Choose returns the index of the offer that the client prefers. An offer is a list of synonymous
// names without parameters. Without headers it is the first. At equal quality, an offer that is
// named precedes one that matches a wildcard: browsers send text/html and */* alike. ok is false if
// no offer is accepted.
func (r Ranges) Choose(offers ...[]string) (chosen int, ok bool) {
	if len(r) == 0 {
		return 0, len(offers) > 0
	}
	var best preference
	for i, names := range offers {
		if found := r.preference(names); found.isBetterThan(best) {
			chosen, best = i, found
		}
	}
	return chosen, best.quality > 0
}

// Accepts reports whether name is accepted. Without headers it is not.
func (r Ranges) Accepts(name string) bool { return r.preference([]string{name}).quality > 0 }

// AcceptsByName reports whether name is accepted other than by a wildcard.
func (r Ranges) AcceptsByName(name string) bool {
	found := r.preference([]string{name})
	return found.quality > 0 && found.specificity == exact
}

// preference is the quality of an offer and how exactly the header names it.
type preference struct {
	quality     float64
	specificity int
}

func (l preference) isBetterThan(other preference) bool {
	return l.quality > other.quality || l.quality > 0 && l.quality == other.quality && l.specificity > other.specificity
}

// preference returns the most specific element that matches one of names.
func (r Ranges) preference(names []string) preference {
	found := preference{specificity: noMatch}
	for _, of := range r {
		for _, name := range names {
			near := specificity(of.name, name)
			if near > found.specificity || near != noMatch && near == found.specificity && of.quality > found.quality {
				found = preference{of.quality, near}
			}
		}
	}
	return found
}

// How specifically an element matches a name.
const (
	noMatch = iota - 1
	anyWildcard
	subtypeWildcard
	exact
)

func specificity(mediaRange, name string) int {
	kind, _, _ := strings.Cut(name, "/")
	switch mediaRange {
	case name:
		return exact
	case kind + "/*":
		return subtypeWildcard
	case "*/*", "*":
		return anyWildcard
	}
	return noMatch
}
