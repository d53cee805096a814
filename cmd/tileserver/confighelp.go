package main

import (
	"fmt"
	"strings"

	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
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
	for _, section := range append(config.TopLevel(), config.Below()...) {
		writeKeys(&page, section)
	}
	page.WriteString(configHelpTail)
	return page.String()
}

// writeKeys writes the key, the value and the meaning of settings.
func writeKeys(page *strings.Builder, section config.Section) {
	fmt.Fprintf(page, "\n%s:\n", section.Title)
	for _, s := range section.Settings {
		head := "  " + s.Key + " " + s.Value
		if s.Restart {
			head += " *"
		}
		help := s.Help
		if s.Default != "" {
			help += fmt.Sprintf(" (default %s)", s.Default)
		}
		usage.WriteEntry(page, head, strings.ReplaceAll(help, "`", ""))
	}
}
