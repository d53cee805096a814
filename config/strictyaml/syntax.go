package strictyaml

import (
	"regexp"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// syntaxErrors maps errors of the YAML parser to explanations.
func syntaxErrors() []struct{ says, means string } {
	return []struct{ says, means string }{
		{"did not find expected ',' or ']'", "the list that begins here with [ is not closed, or lacks a comma"},
		{"did not find expected ',' or '}'", "what begins here with { is not closed, or lacks a comma"},
		{"did not find expected node content", "a value is missing, or a bracket is not closed"},
		{"did not find expected '-' indicator", "this line is not indented like the list that it is in"},
		{"did not find expected key", "this line is not indented like the lines before it, or a quote is missing"},
		{"mapping values are not allowed", "a colon is out of place: indent the line like those before it, or put a value that has a colon into quotes"},
		{"could not find expected ':'", "a key lacks its colon, or the line is not indented like those before it"},
		{"found a tab character", "lines must be indented with blanks, not with tabs"},
		{"found character that cannot start any token", "a value cannot begin with this character; put it into quotes, and indent with blanks, not with tabs"},
		{"found unexpected end of stream", "the quote that begins here is not closed"},
		{"unexpected document indicator", "the quote before this line is not closed"},
		{"escape character", "a backslash has a meaning of its own between double quotes; use single quotes"},
		{"control characters are not allowed", "a character here cannot be shown"},
		{"UTF", "the text is not UTF-8"},
		{"unknown anchor", "an alias (*) stands for something that no anchor (&) has named before"},
		{"block entries are not allowed", "a list cannot begin here; begin it on a line of its own"},
		{"incompatible YAML document", "only YAML 1.1 and 1.2 can be read"},
	}
}

// maxSearchBytes bounds the texts in which a syntax error is located by parsing prefixes.
const maxSearchBytes = 256 << 10

var parserLine = regexp.MustCompile(`line (\d+): `)

// syntaxMistake explains an error of the parser.
func syntaxMistake(text []byte, err error) Mistake {
	m := Mistake{Line: 1, Text: "this cannot be read; check indentation, brackets and quotes"}
	message := err.Error()
	if found := parserLine.FindStringSubmatch(message); found != nil {
		m.Line, _ = strconv.Atoi(found[1])
	}
	for _, word := range syntaxErrors() {
		if !strings.Contains(message, word.says) {
			continue
		}
		m.Text = word.means
		if strings.Contains(word.says, "',' or") {
			m.Line = lineOfBracket(text, m.Line)
		} else if at, ok := lineOfFailure(text, word.says); ok {
			m.Line = at
		}
		break
	}
	return m
}

// maxBracketLines is how many lines before the error an unclosed bracket is searched for.
const maxBracketLines = 100

// lineOfBracket returns the line with the unclosed bracket: the text before it parses. The parser
// itself reports the line where it failed, or the next one.
func lineOfBracket(text []byte, reported int) int {
	if len(text) > maxSearchBytes {
		return reported + 1
	}
	lines := strings.SplitAfter(string(text), "\n")
	for count := min(reported, len(lines)); count > max(0, reported-maxBracketLines); count-- {
		if yaml.Unmarshal([]byte(strings.Join(lines[:count], "")), new(yaml.Node)) == nil {
			return count + 1
		}
	}
	return 1
}

// lineOfFailure returns the first line after which the parser fails with a given error. The parser
// itself mostly reports the line where the failing part began.
func lineOfFailure(text []byte, says string) (line int, ok bool) {
	if len(text) > maxSearchBytes {
		return 0, false
	}
	lines := strings.SplitAfter(string(text), "\n")
	fails := func(count int) bool {
		err := yaml.Unmarshal([]byte(strings.Join(lines[:count], "")), new(yaml.Node))
		return err != nil && strings.Contains(err.Error(), says)
	}
	count := 1 + sort.Search(len(lines)-1, func(i int) bool { return fails(i + 1) })
	return count, fails(count)
}
