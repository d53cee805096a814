// Command tileserver puts very large rasters on maps: it serves tiles of the
// files it is pointed at, and looks into them from the command line.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	signals, endOnHangup := hangups() // first of all: a server that starts must not end of one
	if !serves(os.Args[1:]) {
		endOnHangup()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal ends what the first one lets finish
	p := program{stdout: os.Stdout, stderr: os.Stderr, hangups: signals}
	code := p.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// program is the command line with what it writes to.
type program struct {
	stdout, stderr io.Writer

	// listening, if set, is told the addresses when the server accepts requests.
	listening func(public, admin string)

	// hangups are the signals that say to read the configuration again; of a nil one none
	// come.
	hangups <-chan os.Signal
}

// Exit codes, as a shell expects them.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// errUsage marks a command line that makes no sense.
var errUsage = errors.New("usage")

// usageMistake says what makes no sense, and is errUsage.
type usageMistake string

func usageError(format string, arguments ...any) error {
	return usageMistake(fmt.Sprintf(format, arguments...))
}

func (m usageMistake) Error() string { return string(m) }

// Is makes it errUsage.
func (m usageMistake) Is(target error) bool { return target == errUsage }

// run runs a command line and returns its exit code.
func (p *program) run(ctx context.Context, args []string) int {
	err := p.dispatch(ctx, args)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.Is(err, errUsage):
		fmt.Fprintf(p.stderr, "tileserver: %v\nTry \"tileserver help\".\n", err)
		return exitUsage
	default:
		fmt.Fprintf(p.stderr, "tileserver: %v\n", err)
		return exitFailure
	}
}

// isQuestion tells options that ask something from those of the demo.
func isQuestion(option string) bool {
	switch strings.TrimLeft(option, "-") {
	case "h", "help", "version":
		return true
	}
	return false
}

// serves tells whether a command line starts a server.
func serves(args []string) bool {
	name, _ := commandOf(args)
	return name == "serve" || name == "demo"
}

// commandOf is the command of a command line, and what follows it.
func commandOf(args []string) (name string, rest []string) {
	if len(args) > 0 && (!strings.HasPrefix(args[0], "-") || isQuestion(args[0])) {
		return args[0], args[1:]
	}
	return "demo", args
}

func (p *program) dispatch(ctx context.Context, args []string) error {
	switch name, rest := commandOf(args); name {
	case "demo":
		return p.demo(ctx, rest)
	case "serve":
		return p.serve(ctx, rest)
	case "info":
		return p.info(ctx, rest)
	case "read":
		return p.read(ctx, rest)
	case "render":
		return p.render(ctx, rest)
	case "version", "--version", "-version":
		return p.version(rest)
	case "help", "--help", "-help", "-h":
		return p.help(ctx, rest)
	default:
		return usageError("there is no command %q", name)
	}
}
