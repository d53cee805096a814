package usage

import (
	"flag"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// Width is how many columns a page has.
	Width = 96

	indent = 32 // columns before a description
)

// writeOptions writes the options of a group that the set contains.
func writeOptions(page *strings.Builder, group Group, set *flag.FlagSet) {
	title := "\n" + group.Title + ":\n"
	for _, name := range group.Names {
		option := set.Lookup(name)
		if option == nil {
			continue
		}
		page.WriteString(title)
		title = ""
		writeOption(page, option)
	}
}

func writeOption(page *strings.Builder, option *flag.Flag) {
	value, help := flag.UnquoteUsage(option)
	help = strings.TrimPrefix(help, value+" ") // the head names the value already
	head := "  " + dashed(option.Name)
	if value != "" && !isSwitch(option) {
		head += " " + value
	}
	if text := defaultOf(option); text != "" && !strings.Contains(help, "(default") {
		help += fmt.Sprintf(" (default %s)", text)
	}
	WriteEntry(page, head, help)
}

// WriteEntry writes a head and its description next to it.
func WriteEntry(page *strings.Builder, head, help string) {
	lines := wrap(help, Width-indent)
	if utf8.RuneCountInString(head) > indent-2 {
		fmt.Fprintln(page, head)
		head = ""
	}
	for _, line := range lines {
		padding := indent - utf8.RuneCountInString(head)
		fmt.Fprintf(page, "%s%s%s\n", head, strings.Repeat(" ", padding), line)
		head = ""
	}
}

// defaultOf returns the default of an option as help shows it; "" if it is obvious.
func defaultOf(option *flag.Flag) string {
	switch option.DefValue {
	case "", "false", "[]":
		return ""
	}
	return option.DefValue
}

// wrap breaks a text into lines of at most width characters.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
