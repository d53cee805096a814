// Command tileserver serves very large rasters as map tiles, and inspects them from the
// command line.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"tileserver/cmd/tileserver/damaged"
	"tileserver/cmd/tileserver/demo"
	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/decode/container"
	"tileserver/source"
	"tileserver/source/mount"
	"tileserver/source/web/transport"
)

func main() {
	signals, endOnHangup := hangups() // first: SIGHUP must not end a server while it starts
	if serves(os.Args[1:]) {
		signal.Ignore(syscall.SIGPIPE) // a server outlives the reader of its log
	} else {
		endOnHangup()
	}
	p := program{
		stdout: os.Stdout, stderr: os.Stderr, hangups: signals,
		limit: memory.FindLimit(os.DirFS("/"), debug.SetMemoryLimit(-1)),
	}
	os.Exit(p.run(untilSignal(), os.Args[1:]))
}

// untilSignal returns a context that ends with the first signal to stop. The second one ends the process: it
// is no longer caught by the time anybody learns of the first.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		signal.Stop(signals)
		cancel()
	}()
	return ctx
}

// program runs command lines, and is all that a command shares: main makes one of the process, tests
// make theirs. Output goes to its streams.
type program struct {
	stdout, stderr io.Writer

	// listening, if set, is called with the addresses once the server accepts requests.
	listening func(public, admin string)

	// disk is what a server reads files from; nil is the file system.
	disk source.Store

	// remote are the stores of addresses, once they are mounted.
	remote []mount.Mount

	// visited are those for addresses in requests. They reach web servers only where that is permitted.
	visited []mount.Mount

	client  *transport.Client // asks the servers of both
	notices *notices          // of both

	limit memory.Limit // of the process

	// hangups delivers the signals that ask for a reload; nil delivers none.
	hangups <-chan os.Signal
}

// The exit codes, by shell convention.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
	exitDamaged = 3 // a command finished although the file is damaged
)

// run runs a command line and returns its exit code.
func (p *program) run(ctx context.Context, args []string) int {
	err := p.dispatch(ctx, args)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case isUserError(err):
		p.complain(err)
		if errors.As(err, new(usage.Mistake)) && !config.IsMistake(err) {
			fmt.Fprintf(p.stderr, "Run %q for usage.\n", helpOf(args))
		}
		return exitUsage
	case errors.As(err, new(*damaged.Error)):
		for line := range strings.SplitSeq("tileserver: "+err.Error(), "\n") {
			fmt.Fprintln(p.stderr, usage.WithoutControls(line))
		}
		return exitDamaged
	default:
		p.complain(err)
		return exitFailure
	}
}

// helpOf returns the command line that prints the help for another one.
func helpOf(args []string) string {
	name, _ := commandOf(args)
	if name == "" && (strings.HasPrefix(args[0], "-") || exists(args[0])) {
		name = "serve"
	}
	if name == "" || name == "help" || name == "version" {
		return "tileserver help"
	}
	return "tileserver help " + name
}

// complain prints each line of an error after the name of the program.
func (p *program) complain(err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintf(p.stderr, "tileserver: %s\n", usage.WithoutControls(line))
	}
}

// isUserError reports whether an error is about the command line, the configuration, or the choice
// of a file.
func isUserError(err error) bool {
	refused := dataset.FileError{}
	switch {
	case errors.As(err, new(usage.Mistake)), errors.As(err, new(usage.Unusable)), config.IsMistake(err):
		return true
	case errors.Is(err, source.ErrRemote), errors.Is(err, demo.ErrOtherFiles), errors.As(err, new(container.NoImageError)):
		return true
	}
	return errors.As(err, &refused) && refused.IsUserError()
}
