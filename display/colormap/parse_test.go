package colormap

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestParseJSON(t *testing.T) {
	tests := []struct {
		name, text, kind string
		want             string // the kind, then the entries
	}{
		{"categories", `{"0":"#e5f5f9","10":[153,216,201,255]}`, "", "categories 0:#e5f5f9ff 10:#99d8c9ff"},
		{"explicit", `{"0":"#e5f5f9","10":[153,216,201]}`, Explicit, "categories 0:#e5f5f9ff 10:#99d8c9ff"},
		{"in another order", `{"10":"red","-3.5":"#00f"}`, "", "categories -3.5:#0000ffff 10:#ff0000ff"},
		{"labels", `{"1":{"color":"blue","label":"Water"},"2":"green"}`, "", "categories 1:#0000ffff=Water 2:#008000ff"},
		{"spaces", " { \"0\" : [ 1 , 2 , 3 ] ,\n\"1\" : \"#fff\" } ", "", "categories 0:#010203ff 1:#ffffffff"},
		{"intervals", `[[[0,10],[1,2,3,4]],[[10,20],"#aabbcc"]]`, "", "intervals 0..10:#01020304 10..20:#aabbccff"},
		{"intervals by name", `[[[0,10],"red"]]`, "intervals", "intervals 0..10:#ff0000ff"},
		{"intervals in another order", `[[[10,20],"red","high"],[[-1,2.5],"blue"]]`, "", "intervals -1..2.5:#0000ffff 10..20:#ff0000ff=high"},
		{"stops", `[[0,"#000"],[1000,"#ffffff80"]]`, "", "stops 0:#000000ff 1000:#ffffff80"},
		{"stops that are linear", `[[0,"#000"],[1000,"#fff"]]`, Linear, "stops 0:#000000ff 1000:#ffffffff"},
		{"stops by their values", `{"0":"#000","1000":"#fff"}`, "stops", "stops 0:#000000ff 1000:#ffffffff"},
		{"categories in an array", `[[3,"#000","rock"],[1,"#fff"]]`, "categories", "categories 1:#ffffffff 3:#000000ff=rock"},
		{"described stops", `{"type":"stops","entries":[[0,"#000"],[5,"#fff"]]}`, "", "stops 0:#000000ff 5:#ffffffff"},
		{"described by values", `{"entries":{"0":"#000","5":"#fff"},"type":"stops"}`, "", "stops 0:#000000ff 5:#ffffffff"},
		{"description takes precedence", `{"type":"categories","entries":[[0,"#000"]]}`, Linear, "categories 0:#000000ff"},
		{"described without a type", `{"entries":[[0,"#000"],[5,"#fff"]]}`, "", "stops 0:#000000ff 5:#ffffffff"},
		{"entries as objects", `{"type":"categories","entries":[{"value":7,"color":"tan","label":"Sand"}]}`, "", "categories 7:#d2b48cff=Sand"},
		{"intervals as objects", `[{"low":0,"high":2,"color":"tan","label":"some"}]`, "", "intervals 0..2:#d2b48cff=some"},
		{"negative zero", `{"-0":"tan"}`, "", "categories 0:#d2b48cff"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := ParseJSON([]byte(test.text), test.kind)
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(m); got != test.want {
				t.Errorf("got %s\nwant %s", got, test.want)
			}
			again, err := ParseJSON([]byte(jsonOf(m)), Linear)
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(again); got != test.want {
				t.Errorf("%s makes %s", jsonOf(m), got)
			}
		})
	}
}

func describe(m *Map) string {
	var b strings.Builder
	b.WriteString(m.Kind().String())
	for _, e := range m.Entries() {
		fmt.Fprintf(&b, " %v", e.Low)
		if m.Kind() == Intervals {
			fmt.Fprintf(&b, "..%v", e.High)
		}
		b.WriteString(":" + e.Color.String())
		if e.Label != "" {
			b.WriteString("=" + e.Label)
		}
	}
	return b.String()
}

func TestParseRamps(t *testing.T) {
	all := func(name func(i int) string) string {
		var members []string
		for i := range 256 {
			members = append(members, fmt.Sprintf(`"%s":[%d,0,%d]`, name(i), i, 255-i))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	whole := func(i int) string { return fmt.Sprint(i) }
	tests := []struct {
		name, text, kind string
		want             Kind
	}{
		{"all of 0 to 255", all(whole), "", Ramp},
		{"all as categories", all(whole), "categories", Categories},
		{"all but one", all(func(i int) string { return fmt.Sprint(i + i/255) }), "", Categories},
		{"all, one of them a fraction", all(func(i int) string {
			if i == 7 {
				return "7.5"
			}
			return fmt.Sprint(i)
		}), "", Categories},
		{"linear", `{"0":[0,0,255],"255":[255,0,0]}`, Linear, Ramp},
		{"a ramp", `{"type":"ramp","entries":[[0,[0,0,255]],[255,[255,0,0]]]}`, "", Ramp},
		{"a ramp from an array", `[[0,[0,0,255]],[255,[255,0,0]]]`, "ramp", Ramp},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := ParseJSON([]byte(test.text), test.kind)
			if err != nil {
				t.Fatal(err)
			}
			if m.Kind() != test.want {
				t.Fatalf("got %v, want %v", m.Kind(), test.want)
			}
			colors, isRamp := m.Ramp()
			if isRamp != (test.want == Ramp) {
				t.Fatalf("a ramp: %v", isRamp)
			}
			if isRamp && (colors[0] != Color{0, 0, 255, 255} || colors[100] != Color{100, 0, 155, 255} || colors[255] != Color{255, 0, 0, 255}) {
				t.Errorf("got %v, %v, %v", colors[0], colors[100], colors[255])
			}
		})
	}
}

// TestLinearExtendsEnds uses stops that begin above 0 and end below 255.
func TestLinearExtendsEnds(t *testing.T) {
	m, err := ParseJSON([]byte(`{"10":"#102030","20":"#ffffff00"}`), Linear)
	if err != nil {
		t.Fatal(err)
	}
	colors, _ := m.Ramp()
	want := map[int]string{0: "#102030ff", 10: "#102030ff", 15: "#88909880", 20: "#ffffff00", 255: "#ffffff00"}
	for i, color := range want {
		if colors[i].String() != color {
			t.Errorf("at %d: got %v, want %v", i, colors[i], color)
		}
	}
}

func TestParseJSONRejects(t *testing.T) {
	many := make([]string, MaxEntries+1)
	for i := range many {
		many[i] = fmt.Sprintf(`"%d":"red"`, i)
	}
	tests := []struct{ name, text, kind, want string }{
		{"nothing", ``, "", "object or an array"},
		{"a string", `"viridis"`, "", "object or an array"},
		{"a number", `12`, "", "object or an array"},
		{"null", `null`, "", "object or an array"},
		{"an empty object", `{}`, "", "0 categories"},
		{"an empty array", `[]`, "", "0 stops"},
		{"one stop", `[[0,"red"]]`, "", "1 stops"},
		{"cut short", `{"0":"red"`, "", "unexpected EOF"},
		{"cut in a name", `{"0`, "", "unexpected EOF"},
		{"cut in an array", `[[0,"red"]`, "", "unexpected EOF"},
		{"trailing data", `{"0":"red"} {}`, "", "data after the end"},
		{"trailing data after an array", `[[0,"red"],[1,"red"]]]`, "", "data after the end"},
		{"the wrong bracket", `{"0":"red"]`, "", "invalid character"},
		{"a name that is not a number", `{"water":"red"}`, "", "not a finite number"},
		{"an empty name", `{"":"red"}`, "", "not a finite number"},
		{"not a number", `{"NaN":"red"}`, "", "not a finite number"},
		{"infinity", `{"Inf":"red"}`, "", "not a finite number"},
		{"hexadecimal", `{"0x10":"red"}`, "", "not a finite number"},
		{"an underscore", `{"1_0":"red"}`, "", "not a finite number"},
		{"too large", `{"1e999":"red"}`, "", "not a finite number"},
		{"too far", `{"-1.7e308":"red","1.7e308":"red"}`, "", "too wide"},
		{"twice", `{"1":"red","1.0":"blue"}`, "", "two categories contain 1"},
		{"zero twice", `{"0":"red","-0":"blue"}`, "", "two categories contain 0"},
		{"stops twice", `[[1,"red"],[1,"blue"]]`, "", "two stops contain 1"},
		{"overlap", `[[[0,10],"red"],[[9,20],"red"]]`, "", "two intervals contain 9"},
		{"the same interval", `[[[0,10],"red"],[[0,10],"red"]]`, "", "two intervals contain 0"},
		{"descending", `[[[10,0],"red"]]`, "", "does not ascend: 10, 0"},
		{"empty interval", `[[[1,1],"red"]]`, "", "does not ascend"},
		{"half an interval", `[[[1],"red"]]`, "", "an interval of 1 numbers"},
		{"an interval of strings", `[[["1","2"],"red"]]`, "", "not a finite number"},
		{"an interval without an end", `[[[1,null],"red"]]`, "", "not a finite number"},
		{"a mixture", `[[[0,10],"red"],[20,"red"]]`, "", "1 of 2 entries are intervals"},
		{"linear intervals", `[[[0,10],"red"]]`, Linear, `intervals cannot be of type "linear"`},
		{"no intervals", `[[0,"red"],[1,"red"]]`, "intervals", "needs entries with intervals"},
		{"a ramp beyond 255", `{"0":"red","256":"blue"}`, Linear, "0 to 255, not 0 to 256"},
		{"an unknown type", `{"0":"red","25":"blue"}`, "discrete", `unknown type "discrete"`},
		{"an unknown color", `{"0":"redd"}`, "", `entry 1: unknown color "redd"`},
		{"a color of five digits", `{"0":"#12345"}`, "", `"#12345" is not one of`},
		{"a color of no digits", `{"0":"#"}`, "", "is not one of"},
		{"a color of letters", `{"0":"#gghhii"}`, "", "is not one of"},
		{"a color of two channels", `{"0":[1,2]}`, "", "2 channels"},
		{"a color of five channels", `{"0":[1,2,3,4,5]}`, "", "5 channels"},
		{"a channel above 255", `{"0":[1,2,256]}`, "", "256 is not a whole number"},
		{"a channel below 0", `{"0":[1,2,-1]}`, "", "-1 is not a whole number"},
		{"a fraction of a channel", `{"0":[0.5,0.5,0.5]}`, "", "0.5 is not a whole number"},
		{"a channel as string", `{"0":["1","2","3"]}`, "", "not a finite number"},
		{"no color", `{"0":null}`, "", `"null" is not a color`},
		{"a missing element", `[[0]]`, "", "1 elements"},
		{"an extra element", `[[0,"red","a",1]]`, "", "4 elements"},
		{"a label that is not a string", `[[0,"red",1]]`, "", `"1" is not a string`},
		{"an invalid entry", `[0,1]`, "", `entry 1: "0" is not an entry`},
		{"an unknown member", `[{"value":1,"colour":"red"}]`, "", `unknown member "colour"`},
		{"an entry without a color", `[{"value":1}]`, "", "without a color"},
		{"an entry without a position", `[{"color":"red"}]`, "", `needs "value"`},
		{"an entry with two positions", `[{"value":1,"low":1,"high":2,"color":"red"}]`, "", `needs "value"`},
		{"half an interval in an object", `[{"low":1,"color":"red"}]`, "", `needs "value"`},
		{"a keyed entry with a position", `{"1":{"value":2,"color":"red"}}`, "", "two positions"},
		{"beside a description", `{"type":"stops","entries":[],"unit":"m"}`, "", `"unit" beside`},
		{"a description without entries", `{"type":"stops"}`, "", "entries: a color map must"},
		{"a type that is not a string", `{"type":1,"entries":[[1,"red"]]}`, "", `"1" is not a string`},
		{"a description within one", `{"type":"stops","entries":{"type":"stops","entries":[]}}`, "", `entries: entry 1: unknown color "stops"`},
		{"too many", "{" + strings.Join(many, ",") + "}", "", "more than 1024 members"},
		{"too long", `{"0":"red"}` + strings.Repeat(" ", MaxTextBytes), "", "bytes of text"},
		{"deep", strings.Repeat("[", 60000), "", "exceeded max depth"},
		{"deep descriptions", strings.Repeat(`{"entries":`, 5900), "", "unexpected EOF"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := ParseJSON([]byte(test.text), test.kind)
			if err == nil {
				t.Fatalf("got %s", describe(m))
			}
			if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %q, want %q in it", err, test.want)
			}
			if strings.Count(err.Error(), ErrInvalid.Error()) != 1 {
				t.Errorf("%q repeats its prefix", err)
			}
			if len(err.Error()) > 200 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}
