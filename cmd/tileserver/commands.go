package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"tileserver/nearest"
)

// command is a command of the program.
type command struct {
	name     string
	run      func(p *program, ctx context.Context, args []string) error
	synopsis string   // the command line, after "tileserver"
	summary  string   // one line of the overview
	about    string   // further text of its own help
	examples []string // command lines, each followed by an explanation

	groups func() []optionGroup // of its options; help lists the others first
}

// commands lists all commands in the order of the overview.
func commands() []command {
	return []command{
		{
			name: "serve", run: (*program).serve, synopsis: "serve [options] PATH…", groups: serverGroups,
			summary: "serve files and folders as map tiles", about: aboutServe, examples: examplesOfServe(),
		},
		{
			name: "demo", run: (*program).demo, synopsis: "demo [options]", groups: serverGroups,
			summary: "serve the built-in demo map, or write its files",
			about:   "Serves three layers that are built in, to try the server without a file of your own: a picture\nwith near infrared, heights, and a scanned map.",
			examples: []string{
				"tileserver demo                 serve it on http://" + defaultListen,
				"tileserver demo --save nemo     write its files and tileserver.yaml to the folder nemo",
			},
		},
		{
			name: "info", run: (*program).info, synopsis: "info [options] FILE",
			summary: "print what a file contains",
			about:   "Prints what a file contains, and if it cannot be served, why.\nFILE#2 is the second image of a file that has several.\n" + aboutFoundDamage,
			examples: []string{
				"tileserver info ortho.tif               size, bands, coordinate system, overviews",
				"tileserver info --json 'scan.tif#2'     the second page, as JSON",
			},
		},
		{
			name: "render", run: (*program).render, synopsis: "render [options] FILE -o OUT", groups: renderGroups,
			summary: "write the picture that the server would send",
			about:   "Writes the picture that the server would send: of a tile, of a box, or of the whole file.\nThe format follows from the name of OUT: png, webp, jpg, npy or tif.\n" + aboutDamage,
			examples: []string{
				"tileserver render ortho.tif -o ortho.png",
				"tileserver render ortho.tif --tile 11/322/1344 -o tile.webp",
				"tileserver render scene.tif --expression '(nir-red)/(nir+red)' --rescale -0.2,0.6 \\\n    --colormap_name rdylgn -o ndvi.png",
			},
		},
		{
			name: "read", run: (*program).read, synopsis: "read [options] FILE -o OUT",
			summary: "write the raw samples of a file",
			about:   "Writes raw samples: band after band, row after row, little endian.\n" + aboutDamage,
			examples: []string{
				"tileserver read dem.tif --window 0,0,512,512 -o dem.raw",
			},
		},
		{
			name: "health", run: (*program).health, synopsis: "health [options]",
			summary: "tell whether a server on this machine is ready",
			about: "Asks the server on this machine whether it is ready, and prints the answer in one line.\n" +
				"Exits with 0 if it is ready, else with 1. For health checks of containers.",
			examples: []string{
				"tileserver health                                    a server with the default --admin-listen",
				"tileserver health --config tileserver.yaml           one that was started with this file",
			},
		},
		{name: "version", run: (*program).version, synopsis: "version", summary: "print version, commit and platform"},
		{name: "help", run: (*program).help, synopsis: "help [COMMAND]", summary: "print this overview, the help of a command, or of \"config\""},
	}
}

// commandNamed returns the command with a name.
func commandNamed(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// commandOf returns the command of a command line and its arguments. The name is empty if args name
// no command; they are then files to serve, or options of the demo.
func commandOf(args []string) (name string, rest []string) {
	if len(args) == 0 {
		return "demo", nil
	}
	if _, ok := commandNamed(args[0]); ok {
		return args[0], args[1:]
	}
	switch args[0] {
	case "-h", "-help", "--help":
		return "help", args[1:]
	case "-version", "--version":
		return "version", args[1:]
	}
	return "", args
}

// serves reports whether a command line starts a server.
func serves(args []string) bool {
	name, _ := commandOf(args)
	return name == "serve" || name == "demo" || name == ""
}

func (p *program) dispatch(ctx context.Context, args []string) error {
	name, rest := commandOf(args)
	if name == "" {
		return p.serveOrDemo(ctx, rest)
	}
	c, _ := commandNamed(name)
	return c.run(p, ctx, rest)
}

// serveOrDemo runs a command line without a command: it serves if the arguments or the
// configuration name files or layers, and runs the demo otherwise.
func (p *program) serveOrDemo(ctx context.Context, args []string) error {
	if !strings.HasPrefix(args[0], "-") {
		if err := checkPath(args[0]); err != nil {
			return err
		}
	}
	c, err := p.serverConfig("serve", args)
	if err != nil && !isConfigMistake(err) {
		return err
	}
	isDemo := err == nil || c.source.file == "" // a file with mistakes may still list paths
	if isDemo && len(c.Paths)+len(c.Layers) == 0 {
		return p.demo(ctx, args)
	}
	for _, path := range c.Paths {
		if _, isCommand := commandNamed(path); isCommand && !exists(path) {
			return usageError("the command comes first: tileserver %s …", path)
		}
	}
	return p.serve(ctx, args)
}

// checkPath rejects a first argument that is not a path, and suggests the command that was probably
// meant.
func checkPath(argument string) error {
	at, err := parseAddress(argument)
	if err != nil {
		return err
	}
	if exists(at.path) {
		return nil
	}
	if name, ok := nearest.To(argument, commandNames()); ok {
		return usageError("unknown command %q; did you mean %q?", argument, name)
	}
	return usageError("no such file or command: %s", argument)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func commandNames() []string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}
