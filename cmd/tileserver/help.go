package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

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
		fmt.Fprint(p.stdout, c.page.Text(set))
	}
	return arguments, err
}
