package main

import (
	"fmt"
	"reflect"
	"strings"

	"tileserver/cmd/tileserver/usage"
)

const configHelpHead = `tileserver serve --config my.yaml reads its settings from a YAML file.
Every key may be left out.

A minimal configuration:

  listen: 0.0.0.0:8080
  cache: 4GiB
  paths:
    - /srv/rasters

Most keys of the top level are options of the command line as well, with dashes in place of
underscores; options override the file. Relative paths start from the folder of the file.
Sizes are bytes or have a unit (MiB, GiB, MB, GB), durations have one (500ms, 10s, 1m30s).
SIGHUP reads the file again; keys marked * take effect after a restart only.
`

const configHelpTail = `
docs/configuration.md has examples, tile matrix sets, and the variables of the environment.
`

// configHelp returns the output of "tileserver help config": the keys of the reference, laid out
// for a terminal.
func configHelp() string {
	var page strings.Builder
	page.WriteString(configHelpHead)
	defaults := defaultConfig()
	for _, group := range serverSettings() {
		writeKeys(&page, group.title, group.settings, reflect.ValueOf(&defaults).Elem())
	}
	for _, section := range nestedSections() {
		writeKeys(&page, section.plain, section.settings, section.defaults)
	}
	page.WriteString(configHelpTail)
	return page.String()
}

// writeKeys writes the key, the value and the meaning of settings.
func writeKeys(page *strings.Builder, title string, settings []setting, defaults reflect.Value) {
	fmt.Fprintf(page, "\n%s:\n", title)
	for i := range settings {
		s := &settings[i]
		head := "  " + s.key + " " + s.value
		if s.restart {
			head += " *"
		}
		help := s.help
		if initial := s.defaultIn(defaults); initial != "" {
			help += fmt.Sprintf(" (default %s)", initial)
		}
		usage.WriteEntry(page, head, strings.ReplaceAll(help, "`", ""))
	}
}
