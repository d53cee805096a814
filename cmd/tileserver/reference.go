package main

import (
	"fmt"
	"reflect"
	"strings"

	"tileserver/config/strictyaml"
)

// referenceSection is a table of keys with an introduction.
type referenceSection struct {
	heading, about string
	plain          string // heading in a terminal
	settings       []setting
	defaults       reflect.Value // a struct with the keys; invalid if no key has a default
	inside         string        // start of the example: the key above the settings
	exampleColumn  bool          // replaces the example, for keys that exclude each other
}

// configReference returns the content of docs/configuration.md.
func configReference() string {
	var page strings.Builder
	page.WriteString(referenceIntro)
	defaults := defaultConfig()
	for _, group := range serverSettings() {
		section := referenceSection{heading: "## " + group.title, settings: group.settings, defaults: reflect.ValueOf(&defaults).Elem()}
		section.write(&page)
	}
	for _, section := range nestedSections() {
		section.write(&page)
	}
	page.WriteString(referenceEnd)
	return page.String()
}

// nestedSections returns the sections of keys below other keys.
func nestedSections() []referenceSection {
	return []referenceSection{
		{heading: "## Service", plain: "Service, below service", about: aboutServiceKeys, settings: serviceSettings(), inside: "service:\n  "},
		{heading: "## Layers", plain: "Layers, in each entry of layers", about: aboutLayerKeys, settings: layerSettings(), inside: "layers:\n  - "},
		{heading: "## Styles", plain: "Styles, in each entry of styles", about: aboutStyleKeys, settings: namedStyleSettings()},
		{heading: "### How it looks", plain: "How it looks, in each layer and style", about: aboutLookKeys, settings: styleSettings(), exampleColumn: true},
	}
}

func (r *referenceSection) write(page *strings.Builder) {
	fmt.Fprintf(page, "\n%s\n\n", r.heading)
	if r.about != "" {
		fmt.Fprintf(page, "%s\n\n", r.about)
	}
	columns := []string{"key", "value", "default", "meaning"}
	if r.exampleColumn {
		columns = append(columns, "example")
	}
	fmt.Fprintf(page, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for i := range r.settings {
		fmt.Fprintf(page, "| %s |\n", strings.Join(r.cells(&r.settings[i]), " | "))
	}
	if example := r.example(); example != "" && !r.exampleColumn {
		fmt.Fprintf(page, "\n```yaml\n%s```\n", example)
	}
}

// cells returns the cells of a setting's row.
func (r *referenceSection) cells(s *setting) []string {
	key := "`" + s.key + "`"
	if s.restart {
		key += " *"
	}
	cells := []string{key, inCell(s.value), inCell(s.defaultIn(r.defaults)), inCell(s.help)}
	if r.exampleColumn {
		cells = append(cells, "`"+inCell(s.example)+"`")
	}
	return cells
}

// example returns the examples of all settings as YAML.
func (r *referenceSection) example() string {
	indent := ""
	if _, start, ok := strings.Cut(r.inside, "\n"); ok {
		indent = strings.Repeat(" ", len(start))
	}
	text, begin := "", r.inside
	for _, s := range r.settings {
		if s.example != "" {
			text += begin + s.key + ": " + s.example + "\n"
			begin = indent
		}
	}
	return text
}

// inCell escapes the separator of table cells.
func inCell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// defaultIn returns the default of a setting as the reference shows it.
func (s *setting) defaultIn(defaults reflect.Value) string {
	if s.initial != "" || !defaults.IsValid() {
		return s.initial
	}
	field, ok := strictyaml.Field(defaults, s.key)
	if !ok || !isOption(field) || field.IsZero() {
		return ""
	}
	return "`" + optionValue{field}.String() + "`"
}
