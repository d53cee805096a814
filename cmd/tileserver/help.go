package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"tileserver/nearest"
)

// overviewHead begins the help of the whole program.
const overviewHead = `tileserver serves very large rasters as map tiles.

Usage:
  tileserver FILE…              serve files and folders on http://` + defaultListen + `
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

const aboutServe = `Serves files, and the rasters in folders and below them, as map tiles. "serve" may be left out.
Files may be added, replaced and removed while the server runs. SIGHUP reloads the
configuration and scans the folders; a configuration with mistakes changes nothing.`

func examplesOfServe() []string {
	return []string{
		"tileserver serve ortho.tif elevation/",
		"tileserver serve --listen 127.0.0.1:8090 --admin-listen \"\" 'scan.tif#2'",
		"tileserver serve --config my.yaml --cache 4GiB",
		"tileserver serve --public-url https://maps.example.org/imagery /srv/rasters",
	}
}

// configTopic is the help topic for the keys of the configuration.
const configTopic = "config"

// optionGroup is a group of options in help.
type optionGroup struct {
	title string
	names []string
}

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
		return usageError("unknown command %q; did you mean %q?", args[0], near)
	}
	return usageError("unknown command %q", args[0])
}

// describe prints the help of the command that a set of options belongs to.
func (p *program) describe(set *flag.FlagSet) {
	c, _ := commandNamed(set.Name())
	var page strings.Builder
	fmt.Fprintf(&page, "tileserver %s\n", c.synopsis)
	if c.about != "" {
		fmt.Fprintf(&page, "\n%s\n", c.about)
	}
	if len(c.examples) > 0 {
		fmt.Fprintf(&page, "\nExamples:\n  %s\n", strings.Join(c.examples, "\n  "))
	}
	var groups []optionGroup
	if c.groups != nil {
		groups = c.groups()
	}
	for _, group := range withOthers(groups, set) {
		writeOptions(&page, group, set)
	}
	fmt.Fprint(p.stdout, page.String())
}

// withOthers prepends a group of the options that are in no group.
func withOthers(groups []optionGroup, set *flag.FlagSet) []optionGroup {
	grouped := make(map[string]bool)
	for _, group := range groups {
		for _, name := range group.names {
			grouped[name] = true
		}
	}
	others := optionGroup{title: "Options"}
	set.VisitAll(func(f *flag.Flag) {
		if !grouped[f.Name] {
			others.names = append(others.names, f.Name)
		}
	})
	return append([]optionGroup{others}, groups...)
}
