package query_test

import (
	"errors"
	"net/url"
	"slices"
	"testing"

	"tileserver/query"
)

func TestValuesAreRead(t *testing.T) {
	p := query.Parameters{Values: url.Values{
		"text": {"", "a"}, "texts": {"a", "", "b"}, "empty": {""}, "integer": {"7"}, "choice": {"two"}, "on": {"Yes"}, "off": {"0"},
	}}
	if text, texts := p.Text("text"), p.Texts("texts"); text != "a" || !slices.Equal(texts, []string{"a", "b"}) {
		t.Errorf("texts are %q and %q", text, texts)
	}
	if !p.IsGiven("text") || !p.IsGiven("texts") || p.IsGiven("empty") || p.IsGiven("absent") {
		t.Error("other parameters are given")
	}
	if given, absent := p.Integer("integer", 3, 0, 9), p.Integer("absent", 3, 0, 9); given != 7 || absent != 3 {
		t.Errorf("integers are %d and %d", given, absent)
	}
	if given, absent := p.Choice("choice", "one", "two"), p.Choice("absent", "one", "two"); given != "two" || absent != "one" {
		t.Errorf("choices are %s and %s", given, absent)
	}
	if !p.Boolean("on") || p.Boolean("off") || p.Boolean("absent") {
		t.Error("a boolean is wrong")
	}
	if numbers := p.Numbers("numbers", "1, -2.5,3e2", 3); !slices.Equal(numbers, []float64{1, -2.5, 300}) {
		t.Errorf("numbers are %v", numbers)
	}
	if p.Err != nil {
		t.Error(p.Err)
	}
}

func TestWrongValuesAreRejected(t *testing.T) {
	many := make([]string, query.MaxValues+1)
	for i := range many {
		many[i] = "a"
	}
	for want, read := range map[string]func(p *query.Parameters){
		"many is given 65 times; at most 64 are allowed":                             func(p *query.Parameters) { p.Texts("many") },
		"twice is given 2 times; once is allowed":                                    func(p *query.Parameters) { p.Text("twice") },
		`once must be a whole number from 1 to 9, not "a"`:                           func(p *query.Parameters) { p.Integer("once", 0, 1, 9) },
		`zero must be a whole number from 1 to 9, not "0"`:                           func(p *query.Parameters) { p.Integer("zero", 1, 1, 9) },
		`once must be one of b, c, not "a"`:                                          func(p *query.Parameters) { p.Choice("once", "b", "c") },
		`once must be true or false, not "a"`:                                        func(p *query.Parameters) { p.Boolean("once") },
		`x must be 1 numbers with commas between them, such as 5.9, not "inf"`:       func(p *query.Parameters) { p.Numbers("x", "inf", 1) },
		`x must be 2 numbers with commas between them, such as 5.9,45.8, not "1,2,"`: func(p *query.Parameters) { p.Numbers("x", "1,2,", 2) },
	} {
		p := query.Parameters{Values: url.Values{"many": many, "twice": {"a", "b"}, "once": {"a"}, "zero": {"0"}}}
		read(&p)
		if p.Err == nil || p.Err.Error() != want || !errors.As(p.Err, new(query.Error)) {
			t.Errorf("got %v, want %s", p.Err, want)
		}
		if p.Reject("later"); p.Err.Error() != want || p.Text("once") != "" {
			t.Errorf("after %s, the error is %v and a text %q", want, p.Err, p.Text("once"))
		}
	}
}
