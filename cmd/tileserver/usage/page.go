package usage

import (
	"flag"
	"fmt"
	"strings"
)

// A Page is the help of a command, without its options.
type Page struct {
	Synopsis string   // the command line, after the name of the program
	About    string   // what the command does; may be empty
	Examples []string // command lines, each followed by an explanation
	Groups   []Group  // of its options; options in no group come first
}

// A Group is a group of options in help.
type Group struct {
	Title string
	Names []string // of options; those that a command lacks are skipped
}

// Text returns the page with the options of a set.
func (p Page) Text(options *flag.FlagSet) string {
	var page strings.Builder
	fmt.Fprintf(&page, "tileserver %s\n", p.Synopsis)
	if p.About != "" {
		fmt.Fprintf(&page, "\n%s\n", p.About)
	}
	if len(p.Examples) > 0 {
		fmt.Fprintf(&page, "\nExamples:\n  %s\n", strings.Join(p.Examples, "\n  "))
	}
	for _, group := range withOthers(p.Groups, options) {
		writeOptions(&page, group, options)
	}
	return page.String()
}

// withOthers prepends a group of the options that are in no group.
func withOthers(groups []Group, options *flag.FlagSet) []Group {
	grouped := make(map[string]bool)
	for _, group := range groups {
		for _, name := range group.Names {
			grouped[name] = true
		}
	}
	others := Group{Title: "Options"}
	options.VisitAll(func(f *flag.Flag) {
		if !grouped[f.Name] {
			others.Names = append(others.Names, f.Name)
		}
	})
	return append([]Group{others}, groups...)
}
