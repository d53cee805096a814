package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/nearest"
	"tileserver/source"
)

// command is a command of the program.
type command struct {
	name    string
	run     func(p *program, ctx context.Context, args []string) error
	summary string // one line of the overview
	page    func() usage.Page
}

// commands lists all commands in the order of the overview.
func commands() []command {
	return []command{
		{"serve", (*program).serve, "serve files and folders as map tiles", servePage},
		{"demo", (*program).demo, "serve the built-in demo map, or write its files", demoPage},
		{"info", (*program).info, "print what a file contains", infoPage},
		{"render", (*program).render, "write the picture that the server would send", renderPage},
		{"export", (*program).export, "write all tiles of a map", exportPage},
		{"pyramid", (*program).pyramid, "write a GeoTIFF with overviews, for fast reading", pyramidPage},
		{"read", (*program).read, "write the raw samples of a file", readPage},
		{"health", (*program).health, "tell whether a server on this machine is ready", healthPage},
		{"gpu", (*program).gpu, "list the GPUs, check them, and tell when they are worth it", gpuPage},
		{"sign", (*program).sign, "sign an address, so that whoever has it may ask for more", signPage},
		{"version", (*program).version, "print version, commit and platform", versionPage},
		{"help", (*program).help, "print this overview, the help of a command, or of \"config\"", helpPage},
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
	if len(args) > 0 && args[0] == gpuWorkerCommand {
		return p.gpuWorker(args[1:])
	}
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
		if err := p.checkPath(ctx, args[0]); err != nil {
			return err
		}
	}
	c, err := p.serverConfig("serve", args)
	if err != nil && !config.IsMistake(err) {
		return err
	}
	isDemo := err == nil || c.File() == "" // a file with mistakes may still list paths
	if isDemo && len(c.Paths)+len(c.Layers) == 0 {
		return p.demo(ctx, args)
	}
	for _, p := range c.Paths {
		if _, isCommand := commandNamed(p.Path); isCommand && !exists(p.Path) {
			return usage.Mistakef("the command comes first: tileserver %s …", p.Path)
		}
	}
	return p.serve(ctx, args)
}

// checkPath rejects a first argument that is not a path, and suggests the command that was probably
// meant.
func (p *program) checkPath(ctx context.Context, argument string) error {
	if source.IsRemote(argument) { // the server tells what is wrong with it
		return nil
	}
	at, err := dataset.ParseAddress(ctx, p.files(), argument)
	if err != nil {
		return err
	}
	if exists(at.Path) {
		return nil
	}
	if name, ok := nearest.To(argument, commandNames()); ok {
		return usage.Mistakef("unknown command %q; did you mean %q?", argument, name)
	}
	return usage.Mistakef("no such file or command: %s", argument)
}

// exists reports whether a path exists. Nobody asks for addresses.
func exists(path string) bool {
	if source.IsRemote(path) {
		return true
	}
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
