// Package usage parses the options of commands and lays out their help. Package main of tileserver
// has the commands and calls it. The package owns the notation of command lines and the types of
// the mistakes in them. It must never know what a command does.
//
// Words: an *option* is --name VALUE; a *switch* is an option that needs no value; an *argument* is
// anything else on a command line; a *page* is the help of a command.
package usage

import (
	"flag"
	"io"
	"slices"
	"strings"
	"time"

	"tileserver/nearest"
)

// Options returns an empty set of options for a command. It prints nothing.
func Options(command string) *flag.FlagSet {
	set := flag.NewFlagSet(command, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	return set
}

// Parse parses options and arguments in any order. If help is requested, the error is flag.ErrHelp.
// Other errors are Mistakes.
func Parse(set *flag.FlagSet, args []string) (arguments []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			return append(arguments, args...), nil
		case len(arg) < 2 || arg[0] != '-':
			arguments = append(arguments, arg)
			continue
		case arg == "-h" || arg == "-help" || arg == "--help":
			return nil, flag.ErrHelp
		}
		if args, err = setOption(set, arg, args); err != nil {
			return nil, err
		}
	}
	return arguments, nil
}

// setOption sets the option that arg names, and returns the arguments after its value.
func setOption(set *flag.FlagSet, arg string, args []string) (rest []string, err error) {
	name, value, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	option := lookup(set, name)
	switch {
	case option == nil:
		return nil, unknownOption(set, arg, name)
	case hasValue:
	case isSwitch(option):
		value = "true"
	case len(args) == 0:
		return nil, Mistakef("%s needs a value", dashed(option.Name))
	default:
		value, args = args[0], args[1:]
	}
	if err := set.Set(option.Name, value); err != nil {
		return nil, Mistakef("%s: %s", dashed(option.Name), whatIsWrong(option, value, err))
	}
	return args, nil
}

// lookup returns the option with a name, in which dashes and underscores are equal.
func lookup(set *flag.FlagSet, name string) *flag.Flag {
	for _, spelling := range []string{name, strings.ReplaceAll(name, "_", "-"), strings.ReplaceAll(name, "-", "_")} {
		if option := set.Lookup(spelling); option != nil {
			return option
		}
	}
	return nil
}

func unknownOption(set *flag.FlagSet, arg, name string) error {
	names := []string{"help"}
	set.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	arg, _, _ = strings.Cut(arg, "=")
	if listen := set.Lookup("listen"); listen != nil && slices.Contains(addressOptions(), name) {
		return Mistakef("%s: unknown option %s; did you mean --listen HOST:PORT, such as --listen %s?", set.Name(), arg, listen.DefValue)
	}
	if near, ok := nearest.To(name, names); ok {
		return Mistakef("%s: unknown option %s; did you mean %s?", set.Name(), arg, dashed(spelledLike(name, near)))
	}
	return Mistakef("%s: unknown option %s", set.Name(), arg)
}

// spelledLike returns the name of an option with dashes, if that is how the user separates words.
func spelledLike(typed, name string) string {
	if strings.Contains(typed, "-") && !strings.Contains(typed, "_") {
		return strings.ReplaceAll(name, "_", "-")
	}
	return name
}

// addressOptions returns the names that other servers have for --listen.
func addressOptions() []string { return []string{"p", "port", "host", "b", "bind", "address", "addr"} }

// dashed returns an option in the notation of the command line.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// isSwitch reports whether an option needs no value.
func isSwitch(option *flag.Flag) bool {
	value, ok := option.Value.(interface{ IsBoolFlag() bool })
	return ok && value.IsBoolFlag()
}

// whatIsWrong explains why an option rejects a value. The errors of package flag say "parse error"
// only.
func whatIsWrong(option *flag.Flag, value string, err error) string {
	expected := ""
	if getter, ok := option.Value.(flag.Getter); ok {
		switch getter.Get().(type) {
		case int, int64, uint, uint64:
			expected = "a whole number"
		case float64:
			expected = "a number"
		case bool:
			expected = "true or false"
		case time.Duration:
			expected = "a duration such as 10s"
		}
	}
	if expected == "" {
		return err.Error()
	}
	return `"` + value + `" is not ` + expected
}
