package formula

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	maxBytes      = 512
	maxOperations = 16
)

// Parse parses a formula in the syntax of rio-color: "gamma BANDS VALUE", "sigmoidal BANDS CONTRAST
// BIAS" and "saturation PROPORTION", separated by commas or spaces, in any case. BANDS are letters
// of r, g and b, or digits of 1, 2 and 3. They may contain commas, but no spaces.
func Parse(text string) (*Formula, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%w: %d bytes exceed the limit of %d", ErrFormula, len(text), maxBytes)
	}
	f := &Formula{}
	rest := scanner(text)
	count := 0
	for name := rest.word(); name != ""; name = rest.word() {
		if count++; count > maxOperations {
			return nil, fmt.Errorf("%w: more than %d operations", ErrFormula, maxOperations)
		}
		o, err := rest.operation(name)
		if err != nil {
			return nil, fmt.Errorf("%w: operation %d: %w", ErrFormula, count, err)
		}
		if !o.isIdentity() {
			f.operations = append(f.operations, o)
		}
	}
	if count == 0 {
		return nil, fmt.Errorf("%w: no operation", ErrFormula)
	}
	return f, nil
}

// scanner is the text that remains to be read.
type scanner string

const (
	spaces     = " \t\r\n"
	separators = spaces + ","
)

// word reads up to the next separator. It is empty at the end of the text.
func (s *scanner) word() string { return s.until(separators) }

// bands reads a list of bands, which may contain commas.
func (s *scanner) bands() string { return s.until(spaces) }

func (s *scanner) until(end string) string {
	text := strings.TrimLeft(string(*s), separators)
	length := strings.IndexAny(text, end)
	if length < 0 {
		length = len(text)
	}
	*s = scanner(text[length:])
	return text[:length]
}

func (s *scanner) operation(name string) (operation, error) {
	for k, g := range grammars() {
		if strings.EqualFold(name, g.name) {
			return s.arguments(operation{kind: kind(k), channels: allChannels}, g)
		}
	}
	return operation{}, fmt.Errorf("%.32q is not gamma, sigmoidal or saturation", name)
}

func (s *scanner) arguments(o operation, g grammar) (operation, error) {
	if g.hasBands {
		channels, err := parseBands(s.bands())
		if err != nil {
			return o, fmt.Errorf("%s: %w", g.name, err)
		}
		o.channels = channels
	}
	for i, to := range []*float64{&o.value, &o.bias}[:len(g.numbers)] {
		value, err := parseNumber(s.word(), g.numbers[i])
		if err != nil {
			return o, fmt.Errorf("%s: %w", g.name, err)
		}
		*to = value
	}
	return o, nil
}

func parseBands(text string) (channels uint8, err error) {
	for _, letter := range text {
		switch letter {
		case 'r', 'R', '1':
			channels |= 1
		case 'g', 'G', '2':
			channels |= 2
		case 'b', 'B', '3':
			channels |= 4
		case ',':
		default:
			return 0, fmt.Errorf("invalid bands %.32q; use r, g and b", text)
		}
	}
	if channels == 0 {
		return 0, fmt.Errorf("no bands")
	}
	return channels, nil
}

func parseNumber(text string, within bounds) (float64, error) {
	if text == "" {
		return 0, fmt.Errorf("no %s", within.name)
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, fmt.Errorf("%s %.32q is not a number", within.name, text)
	}
	if !(value >= within.low && value <= within.high) {
		return 0, fmt.Errorf("%s %g is not from %g to %g", within.name, value, within.low, within.high)
	}
	return value, nil
}
