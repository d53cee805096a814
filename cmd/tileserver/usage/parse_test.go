package usage

import (
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
			set := Options("info")
			out, asJSON := set.String("o", "", ""), set.Bool("json", false, "")
			arguments, err := Parse(set, test.args)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(arguments, test.arguments) || *out != test.out || *asJSON != test.json {
				t.Errorf("got %q, -o %q, -json %v; want %q, %q, %v", arguments, *out, *asJSON, test.arguments, test.out, test.json)
			}
		})
	}
}

func TestErrorsOfOptionsAreMistakes(t *testing.T) {
	for _, args := range [][]string{{"-nothing"}, {"a", "--nothing"}, {"-o"}, {"-json=perhaps"}, {"---json"}} {
		set := Options("info")
		set.String("o", "", "")
		set.Bool("json", false, "")
		if _, err := Parse(set, args); !errors.As(err, new(Mistake)) {
			t.Errorf("%q: got %v, want a mistake", args, err)
		}
	}
	if _, err := Parse(Options("info"), []string{"a", "-help"}); err != flag.ErrHelp {
		t.Errorf("-help: got %v, want %v", err, flag.ErrHelp)
	}
}
