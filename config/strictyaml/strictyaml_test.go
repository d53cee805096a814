package strictyaml

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// grade is a type with its own notation.
type grade int

func (g *grade) UnmarshalText(text []byte) error {
	if len(text) != 1 {
		return fmt.Errorf("%q is not a grade such as A", text)
	}
	*g = grade(text[0])
	return nil
}

// words accepts a list or a single word.
type words struct{ all []string }

func (w *words) UnmarshalValue(value any) error {
	switch v := value.(type) {
	case string:
		w.all = []string{v}
	case []any:
		for _, word := range v {
			w.all = append(w.all, fmt.Sprint(word))
		}
	default:
		return errors.New("must be a word or a list")
	}
	return nil
}

type shared struct {
	Color string `yaml:"color"`
}

type item struct {
	Path   string   `yaml:"path"`
	Sizes  []int    `yaml:"sizes"`
	Empty  *float64 `yaml:"empty"`
	shared `yaml:",inline"`
	Items  []item `yaml:"items"`
}

type document struct {
	Listen string         `yaml:"listen"`
	Queue  int            `yaml:"queue"`
	Pixels int64          `yaml:"pixels"`
	On     bool           `yaml:"on"`
	Grade  grade          `yaml:"grade"`
	Words  words          `yaml:"words"`
	Free   any            `yaml:"free"`
	Map    map[string]any `yaml:"map"`
	Items  []item         `yaml:"items"`
	hidden int
}

func TestEveryKindOfValueIsRead(t *testing.T) {
	empty := -1.5
	got := document{Listen: "as before", Queue: 9, hidden: 1}
	lines, err := Unmarshal([]byte(`# a comment
queue: 0x10
pixels: 1e6
on: yes
grade: B
words: [1, two]
free: {1: [a, 2.5], x: null}
map: {1: {2: true}}
listen:
items:
  - &first
    path: a.tif
    sizes: [1, 2]
    color: red
  - <<: *first
    path: b.tif
    empty: -1.5
    items: [{path: c.tif}]
`), &got)
	if err != nil {
		t.Fatal(err)
	}
	want := document{
		Listen: "as before", Queue: 16, Pixels: 1_000_000, On: true, Grade: 'B', Words: words{[]string{"1", "two"}}, hidden: 1,
		Free: map[any]any{1: []any{"a", 2.5}, "x": nil}, Map: map[string]any{"1": map[any]any{2: true}},
		Items: []item{
			{Path: "a.tif", Sizes: []int{1, 2}, shared: shared{"red"}},
			{Path: "b.tif", Sizes: []int{1, 2}, Empty: &empty, shared: shared{"red"}, Items: []item{{Path: "c.tif"}}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for path, line := range map[string]int{"queue": 2, "items[0]": 11, "items[0].color": 14, "items[1].path": 16, "items[1].items[0].path": 18, "listen": 9} {
		if lines[path] != line {
			t.Errorf("%s is on line %d, want %d", path, lines[path], line)
		}
	}
}

func TestMistakesAreExplainedInTheirLines(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a: 1\n\nlisen: x", "line 1: unknown key \"a\"; known are listen, queue, pixels, on, grade, words, free, map, items\nline 3: unknown key \"lisen\"; did you mean \"listen\"?"},
		{"items:\n- path: a\n- pth: b", `line 3: unknown key "pth" in items[1]; did you mean "path"?`},
		{"items: [{items: [{colr: 1}]}]", `line 1: unknown key "colr" in items[0].items[0]; did you mean "color"?`},
		{"hidden: 1", `line 1: unknown key "hidden"; known are`},
		{"queue: 1\nlisten: x\nqueue: 2", `line 3: key "queue" is given twice; first on line 1`},
		{"queue: many", `line 1: queue: "many" is not a whole number`},
		{"queue: 1.5", `line 1: queue: "1.5" is not a whole number`},
		{"queue: 1e300", `"1e300" is not a whole number`},
		{"queue: 99999999999999999999", `is not a whole number`},
		{"on: perhaps", `on: "perhaps" is neither true nor false`},
		{"grade: ABC", `grade: "ABC" is not a grade such as A`},
		{"items: [{empty: lots}]", `items[0].empty: "lots" is not a number`},
		{"queue: [1]", "line 1: queue: must be a single value, not a list"},
		{"listen: {a: 1}", "listen: must be a single value, not keys and values"},
		{"items: a.tif", "items: must be a list, not a single value"},
		{"items: [a.tif]", "items[0]: must be keys and values, not a single value"},
		{"items: [{sizes: 3}]", "items[0].sizes: must be a list, not a single value"},
		{"items: [{sizes: [x, 2]}]", `items[0].sizes[0]: "x" is not a whole number`},
		{"items:\n- path: a\n-", "line 3: items[1]: is empty"},
		{"map: [1]", "map: must be keys and values, not a list"},
		{"words: {a: b}", "words: must be a word or a list"},
		{"[]", "line 1: must be keys and values, not a list"},
		{"just words", "line 1: must be keys and values, not a single value"},
		{"[a]: 1", "a key must be a single value"},
		{"queue: 1\n---\nqueue: 2", "line 2: a second document begins here"},
		{"free: &a [*a]", "*a stands for something that it is part of"},
		{"items: [{<<: 3}]", `"<<" merges keys and values, not a single value`},
		{"free: !!int x", `"x" is not what its tag says`},

		{"listen: [", "line 1: a value is missing, or a bracket is not closed"},
		{"queue: 1\nfree: [1, 2\nlisten: x\n", "line 2: the list that begins here with [ is not closed"},
		{"free: {a: 1\nlisten: x\n", "line 1: what begins here with { is not closed"},
		{"queue: 1\n\tlisten: x\n", "line 2: lines must be indented with blanks, not with tabs"},
		{"queue: 1\n  listen: x\n", "line 2: a colon is out of place"},
		{"listen: C:\\a: b\n", "line 1: a colon is out of place"},
		{"queue: 1\nlisten\npixels: 2\n", "line 2: a key lacks its colon"},
		{"queue: 1\nlisten: \"x\npixels: 2\n", "line 2: the quote that begins here is not closed"},
		{"queue: 1\nlisten: *q\npixels: 3\n", "line 2: an alias (*) stands for something"},
		{"queue: 1\nlisten: @x\n", "line 2: a value cannot begin with this character"},
		{"queue: 1\npixels: 2\n- b\n", "line 3: this line is not indented like the lines before it"},
		{"queue: 1\nitems:\n  - path: a\n    color: b\n   sizes: [1]\n", "line 5: this line is not indented like"},
		{"queue: 1\nlisten: \"\\q\"\n", "line 2: a backslash has a meaning of its own"},
		{"queue: 1\nlisten: \x01\n", "line 2: a character here cannot be shown"},
		{"queue: 1\nlisten: \xff\n", "line 2: the text is not UTF-8"},
	} {
		_, err := Unmarshal([]byte(test.text), new(document))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %q", test.text, err, test.want)
		}
	}
}

// If an alias cannot be resolved, its missing values are not reported as mistakes.
func TestNothingFollowsFromAliasesThatCannotBeRead(t *testing.T) {
	many := "free: {a: &a0 [x, x, x, x, x, x, x, x, x]"
	for i := range 6 {
		many += fmt.Sprintf(", a%d: &a%d [%s*a%d]", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	for text, want := range map[string]string{
		many + "}\nitems:\n- {sizes: *a6}\n- {sizes: *a6}\n": "aliases stand for more than",
		"items:\n- &a\n  items: [*a]\n":                      "line 3: *a stands for something that it is part of",
	} {
		_, err := Unmarshal([]byte(text), new(document))
		if mistakes := (Mistakes)(nil); !errors.As(err, &mistakes) || len(mistakes) != 1 || !strings.Contains(err.Error(), want) {
			t.Errorf("it says\n%v\nwant only %q", err, want)
		}
	}
}

func TestMistakesAreBoundedInNumber(t *testing.T) {
	_, err := Unmarshal([]byte(strings.Repeat("- a\n", 5)+"- b: [\n"), new(document))
	if err == nil {
		t.Fatal("no mistake")
	}
	_, err = Unmarshal([]byte("items:\n"+strings.Repeat("- a\n", 500)), new(document))
	if mistakes := (Mistakes)(nil); !errors.As(err, &mistakes) || len(mistakes) != maxMistakes || mistakes[3].Line != 5 {
		t.Errorf("got %v", err)
	}
}

// A few lines of aliases can expand to more values than fit into memory.
func TestAliasesAreBounded(t *testing.T) {
	text := "free:\n- &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 12; i++ {
		text += fmt.Sprintf("- &a%d [%s*a%d]\n", i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 8), i-1)
	}
	if _, err := Unmarshal([]byte(text), new(document)); err == nil || !strings.Contains(err.Error(), "aliases stand for more than 100000 values") {
		t.Errorf("got %v", err)
	}
}

func TestADocumentMayHaveNothingInIt(t *testing.T) {
	for _, text := range []string{"", "# a comment\n", "---\n", "null", "queue:\n"} {
		got := document{Queue: 3}
		if _, err := Unmarshal([]byte(text), &got); err != nil || got.Queue != 3 {
			t.Errorf("%q: %+v and %v", text, got, err)
		}
	}
}

func TestNumbersAreThoseOfYAML(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "-2.5": -2.5, "1e3": 1000, "0x10": 16, "1_000": 1000, ".inf": math.Inf(1), "-.inf": math.Inf(-1)} {
		if got, err := parseNumber(text); err != nil || got != want {
			t.Errorf("%s: got %v and %v, want %v", text, got, err, want)
		}
	}
	if got, err := parseNumber(".NaN"); err != nil || !math.IsNaN(got) {
		t.Errorf(".NaN: got %v and %v", got, err)
	}
}

func TestKeysAreListedWithThoseOfInlinedStructs(t *testing.T) {
	if got, want := Keys(reflect.TypeFor[item]()), []string{"path", "sizes", "empty", "color", "items"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Any document is either decoded or rejected with a message free of Go and parser terms.
func FuzzUnmarshal(f *testing.F) {
	for _, text := range []string{
		"queue: 1", "items: [{path: a, <<: {color: b}}]", "a: &a [*a]", "free: !!binary x", "free: 2001-01-01", "? [a]\n: b", "map: {.nan: 1}",
		"free: {!!float x: 1}", "free: !!timestamp x", "<<: {queue: 1}", "<<: [{queue: 1}, {queue: 2}]", "queue: 1\n b: *x\n", "%YAML 3.0\n---\n",
		"a: |\n  x\n y\nb: 1\n", "free: !own {a: 1}", "*a : 1", "&a a: *a", "a: b: c", "free: 'a\n---\n'", "words: !!int []",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<14 {
			return
		}
		_, err := Unmarshal(text, new(document))
		if err == nil {
			return
		}
		for _, word := range []string{"yaml", "!!", "unmarshal", "strictyaml", "strconv", "reflect", "interface", "map[", "int64", "%!"} {
			if strings.Contains(err.Error(), word) && !strings.Contains(string(text), word) {
				t.Errorf("%q: it says %q: %v", text, word, err)
			}
		}
		if mistakes := (Mistakes)(nil); !errors.As(err, &mistakes) || mistakes[0].Line < 1 {
			t.Errorf("%q: %v", text, err)
		}
	})
}
