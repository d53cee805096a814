// Package accept reads what clients say that they take: the headers Accept and
// Accept-Encoding. It must never know what there is to be had, nor who asks.
package accept

import (
	"strconv"
	"strings"
)

// Ranges are the parts of the headers of a request: media types or codings, some of them with
// wildcards, and how much each is liked.
type Ranges []mediaRange

type mediaRange struct {
	name    string
	quality float64
}

// maxRanges is how much of the headers is read; browsers send less than ten.
const maxRanges = 64

// Parse reads headers, each a list. What makes no sense is taken for a name that nothing has.
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

// qualityOf is how much a name is liked, 1 where that is not said, or not understood.
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

// Choose is the index of what a client likes best of offers, each of which has some names, all
// without parameters: the first one where nothing is said. Of those that are liked equally,
// one that is named goes before one that a wildcard means: browsers name text/html, and */* as
// well. It is false where nothing of it is taken.
func (r Ranges) Choose(offers ...[]string) (chosen int, ok bool) {
	if len(r) == 0 {
		return 0, len(offers) > 0
	}
	var best liking
	for i, names := range offers {
		if likes := r.liking(names); likes.moreThan(best) {
			chosen, best = i, likes
		}
	}
	return chosen, best.quality > 0
}

// Take tells whether something is taken. It is not where nothing is said.
func (r Ranges) Take(name string) bool { return r.liking([]string{name}).quality > 0 }

// Name tells whether something is taken by its name, and not only by a wildcard.
func (r Ranges) Name(name string) bool {
	likes := r.liking([]string{name})
	return likes.quality > 0 && likes.nearness == exactly
}

// liking is how much a client wants something, and how exactly it says so.
type liking struct {
	quality  float64
	nearness int
}

func (l liking) moreThan(other liking) bool {
	return l.quality > other.quality || l.quality > 0 && l.quality == other.quality && l.nearness > other.nearness
}

// liking is what the range says that names something most exactly.
func (r Ranges) liking(names []string) liking {
	found := liking{nearness: notAtAll}
	for _, of := range r {
		for _, name := range names {
			near := nearness(of.name, name)
			if near > found.nearness || near != notAtAll && near == found.nearness && of.quality > found.quality {
				found = liking{of.quality, near}
			}
		}
	}
	return found
}

// How exactly a range names something.
const (
	notAtAll = iota - 1
	amongAll
	amongItsKind
	exactly
)

func nearness(mediaRange, name string) int {
	kind, _, _ := strings.Cut(name, "/")
	switch mediaRange {
	case name:
		return exactly
	case kind + "/*":
		return amongItsKind
	case "*/*", "*":
		return amongAll
	}
	return notAtAll
}
