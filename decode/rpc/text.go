package rpc

import (
	"strconv"
	"strings"
)

// FromMetadata returns the model in the RPC domain of GDAL's metadata, which stores the numbers of
// a polynomial as one item.
func FromMetadata(from string, domain map[string]string) (*Model, error) {
	texts := make(map[string]string)
	for name, text := range domain {
		addNumbers(texts, name, strings.Fields(text))
	}
	return fromTexts(from, texts, func(f field) string { return f.text })
}

// ParseText parses a file NAME_RPC.TXT: lines of a name, a colon, a number and an optional unit.
func ParseText(from, text string) (*Model, error) {
	texts := make(map[string]string)
	for line := range strings.Lines(text) {
		name, rest, _ := strings.Cut(line, ":")
		if fields := strings.Fields(rest); len(fields) > 0 {
			texts[strings.TrimSpace(name)] = fields[0]
		}
	}
	return fromTexts(from, texts, func(f field) string { return f.text })
}

// ParseRPB parses a file NAME.RPB: statements of a name, an equals sign, and a number or a list of
// numbers.
func ParseRPB(from, text string) (*Model, error) {
	texts := make(map[string]string)
	for statement := range strings.SplitSeq(text, ";") {
		name, rest, _ := strings.Cut(statement, "=")
		if words := strings.Fields(name); len(words) > 0 { // the last word; a group name may precede it
			name = words[len(words)-1]
		}
		if at := strings.LastIndexByte(rest, '='); at >= 0 { // a group begins with a statement without a semicolon
			before := strings.Fields(rest[:at])
			if len(before) == 0 {
				continue
			}
			name, rest = before[len(before)-1], rest[at+1:]
		}
		addNumbers(texts, name, strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" \t\r\n(),\"", r) }))
	}
	return fromTexts(from, texts, func(f field) string { return f.rpb })
}

// fromTexts returns the model in texts of numbers, under the names that name returns.
func fromTexts(from string, texts map[string]string, name func(field) string) (*Model, error) {
	return fill(from, func(f field) (float64, bool) {
		v, err := strconv.ParseFloat(texts[name(f)], 64)
		return v, err == nil
	})
}

// addNumbers stores a single number under a name, and several under names with a suffix that counts
// from 1.
func addNumbers(texts map[string]string, name string, numbers []string) {
	if len(numbers) == 1 {
		texts[name] = numbers[0]
		return
	}
	for i, number := range numbers {
		texts[name+"_"+strconv.Itoa(i+1)] = number
	}
}
