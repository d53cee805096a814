package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/nearest"
)

// overviewHead begins the help of the whole program.
const overviewHead = `tileserver serves very large rasters as map tiles.

Usage:
  tileserver FILE…              serve files and folders on http://` + config.DefaultListen + `
  tileserver                    serve the built-in demo map
  tileserver COMMAND [options]

Commands:
`

// overviewTail ends it.
const overviewTail = `
Examples:
  tileserver ortho.tif elevation/
  tileserver --listen 0.0.0.0:8080 --cache 4GiB /srv/rasters
  tileserver serve --config my.yaml
  tileserver info ortho.tif

FILE#2 is the second image of a file that has several.
"tileserver help COMMAND" or "tileserver COMMAND --help" shows the options of a command,
"tileserver help config" all keys of the configuration file.
`

// configTopic is the help topic for the keys of the configuration.
const configTopic = "config"

func (p *program) help(ctx context.Context, args []string) error {
	if len(args) == 0 {
		fmt.Fprint(p.stdout, overviewHead)
		for _, c := range commands() {
			fmt.Fprintf(p.stdout, "  %-10s %s\n", c.name, c.summary)
		}
		_, err := fmt.Fprint(p.stdout, overviewTail)
		return err
	}
	if args[0] == configTopic {
		_, err := fmt.Fprint(p.stdout, configHelp())
		return err
	}
	c, ok := commandNamed(args[0])
	switch near, isNear := nearest.To(args[0], commandNames()); {
	case ok && c.name == "help":
		return p.help(ctx, nil)
	case ok:
		return c.run(p, ctx, []string{"--help"})
	case isNear:
		return usage.Mistakef("unknown command %q; did you mean %q?", args[0], near)
	}
	return usage.Mistakef("unknown command %q", args[0])
}

// parse parses options and arguments. If help is requested, it prints the page of the command and
// returns flag.ErrHelp.
func (p *program) parse(set *flag.FlagSet, args []string) (arguments []string, err error) {
	arguments, err = usage.Parse(set, args)
	if errors.Is(err, flag.ErrHelp) {
		c, _ := commandNamed(set.Name())
		fmt.Fprint(p.stdout, c.page().Text(set))
	}
	return arguments, err
}

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
