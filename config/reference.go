package config

import (
	"cmp"
	"fmt"
	"strings"
)

// Reference returns the content of docs/configuration.md.
func Reference() string {
	var page strings.Builder
	page.WriteString(referenceIntro)
	for _, section := range append(TopLevel(), Below()...) {
		section.write(&page)
	}
	page.WriteString(referenceEnd)
	return page.String()
}

func (r *Section) write(page *strings.Builder) {
	fmt.Fprintf(page, "\n%s\n\n", cmp.Or(r.heading, "## "+r.Title))
	if r.about != "" {
		fmt.Fprintf(page, "%s\n\n", r.about)
	}
	columns := []string{"key", "value", "default", "meaning"}
	if r.exampleColumn {
		columns = append(columns, "example")
	}
	fmt.Fprintf(page, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for i := range r.Settings {
		fmt.Fprintf(page, "| %s |\n", strings.Join(r.cells(&r.Settings[i]), " | "))
	}
	if example := r.example(); example != "" && !r.exampleColumn {
		fmt.Fprintf(page, "\n```yaml\n%s```\n", example)
	}
}

// cells returns the cells of a setting's row.
func (r *Section) cells(s *Setting) []string {
	key := "`" + s.Key + "`"
	if s.Restart {
		key += " *"
	}
	cells := []string{key, inCell(s.Value), inCell(s.Default), inCell(s.Help)}
	if r.exampleColumn {
		cells = append(cells, "`"+inCell(s.Example)+"`")
	}
	return cells
}

// example returns the examples of all settings as YAML.
func (r *Section) example() string {
	indent := ""
	if _, start, ok := strings.Cut(r.inside, "\n"); ok {
		indent = strings.Repeat(" ", len(start))
	}
	text, begin := "", r.inside
	for _, s := range r.Settings {
		if s.Example != "" {
			text += begin + s.Key + ": " + s.Example + "\n"
			begin = indent
		}
	}
	return text
}

// inCell escapes the separator of table cells.
func inCell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
