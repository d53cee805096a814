package main

import (
	"bytes"
	"errors"
	"flag"
	"slices"
	"testing"
)

func TestOptionsAndArgumentsComeInAnyOrder(t *testing.T) {
	for _, test := range []struct {
		name      string
		args      []string
		arguments []string
		out       string
		json      bool
	}{
		{"nothing", nil, nil, "", false},
		{"options first", []string{"-o", "x", "-json", "a", "b"}, []string{"a", "b"}, "x", true},
		{"options last", []string{"a", "b", "--json", "--o=x"}, []string{"a", "b"}, "x", true},
		{"options between", []string{"a", "-json", "b", "-o", "x", "c"}, []string{"a", "b", "c"}, "x", true},
		{"the last of two wins", []string{"-o", "x", "a", "-o", "y"}, []string{"a"}, "y", false},
		{"a dash is an argument", []string{"-", "-o", "x"}, []string{"-"}, "x", false},
		{"nothing is an option after two dashes", []string{"a", "-o", "x", "--", "-json", "b"}, []string{"a", "-json", "b"}, "x", false},
		{"nothing after two dashes", []string{"a", "--"}, []string{"a"}, "", false},
		{"an empty argument", []string{"", "-json"}, []string{""}, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			set := flags("info")
			out, asJSON := set.String("o", "", ""), set.Bool("json", false, "")
			arguments, err := new(program).parse(set, test.args)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(arguments, test.arguments) || *out != test.out || *asJSON != test.json {
				t.Errorf("got %q, -o %q, -json %v; want %q, %q, %v", arguments, *out, *asJSON, test.arguments, test.out, test.json)
			}
		})
	}
}

func TestOptionMistakesAreUsageErrors(t *testing.T) {
	for _, args := range [][]string{{"-nothing"}, {"a", "--nothing"}, {"-o"}, {"-json=perhaps"}, {"---json"}} {
		set := flags("info")
		set.String("o", "", "")
		set.Bool("json", false, "")
		var stdout bytes.Buffer
		_, err := (&program{stdout: &stdout}).parse(set, args)
		if !errors.Is(err, errUsage) {
			t.Errorf("%q: got %v, want a usage error", args, err)
		}
		if stdout.Len() > 0 {
			t.Errorf("%q: printed %q", args, &stdout)
		}
	}
	var stdout bytes.Buffer
	if _, err := (&program{stdout: &stdout}).parse(flags("info"), []string{"a", "-help"}); err != flag.ErrHelp || stdout.Len() == 0 {
		t.Errorf("-help: got %v and %d bytes, want %v and help", err, stdout.Len(), flag.ErrHelp)
	}
}
