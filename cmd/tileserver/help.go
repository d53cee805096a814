package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
)

const overview = `tileserver puts very large rasters on maps.

  tileserver [options]          a demo map on http://` + defaultListen + `; options as of serve
  tileserver serve PATH…        serve files and folders
  tileserver info FILE          what is in a file
  tileserver read FILE -o OUT   raw samples of a file
  tileserver render FILE -o OUT what the server would send
  tileserver version
  tileserver help COMMAND       the options of a command

FILE#2 is the second image of a file that has several.
`

var synopses = map[string]string{
	"demo":    "tileserver [options]\n\nServes a demo map that is built in.",
	"serve":   "tileserver serve [options] PATH…\n\nServes the files, and the rasters in the folders and below, as map tiles. Files may come,\nchange and go meanwhile. SIGHUP has the configuration read again and the folders\nlooked into; a configuration that is wrong changes nothing.",
	"info":    "tileserver info [--json] FILE\n\nPrints what is in a file, and why it cannot be served, if so. FILE#2 is the\nsecond image of a file that has several.",
	"read":    "tileserver read [options] FILE -o OUT\n\nWrites raw samples: band after band, row after row, little endian.",
	"version": "tileserver version\n\nPrints which version this is.",
	"render":  "tileserver render [options] FILE -o OUT.png\n\nWrites the picture that the server would send: of a tile, of a box, or of\nthe whole file. OUT ends in png, webp, jpg, npy or tif.",
}

func (p *program) help(ctx context.Context, args []string) error {
	if len(args) == 0 {
		_, err := io.WriteString(p.stdout, overview)
		return err
	}
	if _, ok := synopses[args[0]]; !ok {
		return usageError("there is no command %q", args[0])
	}
	return p.dispatch(ctx, []string{args[0], "--help"})
}

// flags returns an empty set of options for a command. It prints nothing itself,
// for it would print help for every mistake: to the standard output, where what
// was asked for is to come.
func flags(command string) *flag.FlagSet {
	set := flag.NewFlagSet(command, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	return set
}

// describe prints a command's synopsis and options to the standard output.
func (p *program) describe(set *flag.FlagSet) {
	fmt.Fprintf(p.stdout, "%s\n", synopses[set.Name()])
	options := 0
	set.VisitAll(func(*flag.Flag) { options++ })
	if options == 0 {
		return
	}
	fmt.Fprint(p.stdout, "\nOptions:\n")
	set.SetOutput(p.stdout)
	set.PrintDefaults()
}

// parse parses options and arguments in any order, as people write them. Where
// help is among them, it is printed.
func (p *program) parse(set *flag.FlagSet, args []string) (arguments []string, err error) {
	for {
		switch err := set.Parse(args); {
		case err == flag.ErrHelp:
			p.describe(set)
			return nil, err
		case err != nil:
			return nil, usageError("%s: %v", set.Name(), err)
		}
		parsed := len(args) - set.NArg()
		if parsed > 0 && args[parsed-1] == "--" {
			return append(arguments, set.Args()...), nil
		}
		if set.NArg() == 0 {
			return arguments, nil
		}
		arguments = append(arguments, set.Arg(0))
		args = set.Args()[1:]
	}
}

// oneFile is the only argument of a command that takes one file, or an image of it.
func oneFile(command string, arguments []string) (address, error) {
	if len(arguments) != 1 {
		return address{}, usageError("%s takes one file, not %d", command, len(arguments))
	}
	return parseAddress(arguments[0])
}

func (p *program) version(args []string) error {
	arguments, err := p.parse(flags("version"), args)
	if err != nil {
		return err
	}
	if len(arguments) > 0 {
		return usageError("version takes no file")
	}
	_, err = fmt.Fprintln(p.stdout, "tileserver", version())
	return err
}

// version is what the build says it is.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && info.Main.Version == "(devel)" {
			return "devel " + s.Value[:min(12, len(s.Value))]
		}
	}
	return info.Main.Version
}
