package expression

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The canonical text has only the parentheses that are needed, so it shows how a text was parsed.
func TestPrecedenceAndCanonicalText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"(b4-b3)/(b4+b3)", "(b4-b3)/(b4+b3)"},
		{" ( ( b4 - b3 ) ) / ( (b4) + b3\n) ", "(b4-b3)/(b4+b3)"},
		{"b1+b2*b3", "b1+b2*b3"},
		{"(b1+b2)*b3", "(b1+b2)*b3"},
		{"b1-b2-b3", "b1-b2-b3"},
		{"(b1-b2)-b3", "b1-b2-b3"},
		{"b1-(b2-b3)", "b1-(b2-b3)"},
		{"b1/b2*b3", "b1/b2*b3"},
		{"b1//b2%b3", "b1//b2%b3"},
		{"b1//(b2%b3)", "b1//(b2%b3)"},
		{"-b1**2", "-b1**2"},
		{"-(b1**2)", "-b1**2"},
		{"(-b1)**2", "(-b1)**2"},
		{"b1**-b2", "b1**-b2"},
		{"b1**b2**b3", "b1**b2**b3"},
		{"b1**(b2**b3)", "b1**b2**b3"},
		{"(b1**b2)**b3", "(b1**b2)**b3"},
		{"-b1*b2", "-b1*b2"},
		{"-(b1*b2)", "-(b1*b2)"},
		{"b1--b2", "b1--b2"},
		{"+b1", "b1"},
		{"(b1>3) & (b2>4)", "(b1>3)&(b2>4)"},
		{"b1>3 and b2>4", "(b1>3)&(b2>4)"},
		{"b1>3 and b2>4 or b3<5", "(b1>3)&(b2>4)|(b3<5)"},
		{"b1>3 and (b2>4 or b3<5)", "(b1>3)&((b2>4)|(b3<5))"},
		{"not b1>3 and b2>4", "~(b1>3)&(b2>4)"},
		{"not not b1>3", "~~(b1>3)"},
		{"not b1 == b2", "~(b1==b2)"},
		{"(not b1>2) == (b2>3)", "~(b1>2)==(b2>3)"},
		{"(b1<2) == (b2<3)", "(b1<2)==(b2<3)"},
		{"(b1>2)+1", "(b1>2)+1"},
		{"b1+1>b2", "b1+1>b2"},
		{"(b1>0.5)*10 + (b2<=1)", "(b1>0.5)*10+(b2<=1)"},
		{"where ( b1 > 100 , b2 , 0 )", "where(b1>100,b2,0)"},
		{"where(b1, b2, b3)", "where(b1,b2,b3)"},
		{"min(b1,b2,b3)", "min(b1,b2,b3)"},
		{"min(min(b1,b2),b3)", "min(b1,b2,b3)"},
		{"min(b1,min(b2,b3))", "min(b1,min(b2,b3))"},
		{"minimum(b1,maximum(b2,b3))", "min(b1,max(b2,b3))"},
		{"clip(b1, 0, 1)", "clip(b1,0,1)"},
		{"b1*2;b2;b3/2", "b1*2;b2;b3/2"},
		{"b1; b1 ;", "b1;b1"},
		{"1.50*b1+1e-3+.5+2.", "1.5*b1+0.001+0.5+2"},
		{"b1*(2*3)", "b1*6"},
		{"b1*(2-3)", "b1*-1"},
		{"(1-3)**b1", "(-2)**b1"},
		{"b1*-0", "b1*-0"},
		{"2*pi*e", "17.079468445347132"},
		{"b1+1/0", "b1+inf"},
		{"b1-1/0*-1", "b1--inf"},
		{"b1+0/0", "b1+nan"},
		{"where(isnan(b1),nan,b1)", "where(isnan(b1),nan,b1)"},
		{"(1<2)&(b1>3)", "True&(b1>3)"},
		{"False | (b1>3)", "False|(b1>3)"},
		{"where(b1>2,1<2,b1<1)&True", "where(b1>2,True,b1<1)&True"},
		{"`b2`+\"b1\"", "b2+b1"},
		{"b2+b1;b1+b2", "b2+b1;b2+b1"},
	} {
		program, err := compile(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := program.String(); got != c.want {
			t.Errorf("%s is written %s, want %s", c.text, got, c.want)
		}
		again, err := compile(c.want)
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
		} else if got := again.String(); got != c.want {
			t.Errorf("%s becomes %s", c.want, got)
		}
	}
}

func TestBandNames(t *testing.T) {
	t.Parallel()
	bands := []string{"red", "nir", "B08", "Band 1 (coastal)", `it's "odd"`, "e", "and", "größe", "log", "2nd"}
	resolve := func(name string) (int, bool) {
		for band, known := range bands {
			if known == name {
				return band, true
			}
		}
		return 0, false
	}
	for _, c := range []struct {
		text, want string
		bands      []int
	}{
		{"(nir-red)/(nir+red)", "(nir-red)/(nir+red)", []int{0, 1}},
		{"B08*2", "B08*2", []int{2}},
		{"`Band 1 (coastal)`+'B08'", `"Band 1 (coastal)"+B08`, []int{2, 3}},
		{"`it's \"odd\"`", "`it's \"odd\"`", []int{4}},
		{"'e'*e", `"e"*2.718281828459045`, []int{5}},
		{"'and'+1", `"and"+1`, []int{6}},
		{"größe", "größe", []int{7}},
		{"log(log)", "log(log)", []int{8}},
		{"'2nd'", `"2nd"`, []int{9}},
	} {
		source, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		program, err := source.Compile(resolve)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := program.String(); got != c.want {
			t.Errorf("%s is written %s, want %s", c.text, got, c.want)
		}
		if got := program.Bands(); fmt.Sprint(got) != fmt.Sprint(c.bands) {
			t.Errorf("%s reads the bands %v, want %v", c.text, got, c.bands)
		}
	}
}

func TestBandNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		band int
		ok   bool
	}{
		{"b1", 0, true}, {"b12", 11, true}, {"b100", 99, true}, {"b101", 0, false}, {"b0", 0, false},
		{"b01", 0, false}, {"b", 0, false}, {"B1", 0, false}, {"b1x", 0, false}, {"", 0, false},
		{"b99999999999999999999", 0, false},
	} {
		band, ok := BandNumber(c.name, 100)
		if ok != c.ok || ok && band != c.band {
			t.Errorf("BandNumber(%q) is %d, %v, want %d, %v", c.name, band, ok, c.band, c.ok)
		}
	}
}

func TestErrorMessages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		position int
		message  string
	}{
		{"", 1, `expected a number, a band, a function or "(", not the end`},
		{"  ", 3, "not the end"},
		{"b1+", 4, "not the end"},
		{"b1 b2", 4, `expected an operator, ";" or the end, not "b2"`},
		{"(b1", 4, `expected an operator or ")", not the end`},
		{"b1)", 3, `not ")"`},
		{"b1;;b2", 4, `not ";"`},
		{";", 1, `not ";"`},
		{"b1*/b2", 4, `not "/"`},
		{"b1>3 & b2>4", 10, "comparisons do not chain"},
		{"1<b1<5", 5, "as in (b1>3)&(b2>4)"},
		{"b1>3 & b2", 6, "& needs comparisons, not numbers"},
		{"b1 and b2>3", 4, "& needs comparisons"},
		{"~b1", 1, "~ needs comparisons"},
		{"not b1", 1, "~ needs comparisons"},
		{"(b1>2)+not b2>3", 8, `expected parentheses around the operand that begins with "not"`},
		{"b1=3", 3, `"==" compares`},
		{"!b1", 1, `"~" or "not" negates`},
		{"b1^2", 3, `"**" raises`},
		{"b1 # red", 4, "unexpected '#'"},
		{"größe @", 7, "unexpected '@'"},
		{"nope(b1)", 1, `unknown function "nope"`},
		{"b1 + b999", 6, `there is no band "b999"`},
		{"red", 1, `there is no band "red"`},
		{"where(b1>2,b2)", 14, "where takes three operands, not 2"},
		{"abs(b1,b2)", 10, "abs takes one operand, not 2"},
		{"abs()", 5, "abs takes one operand, not 0"},
		{"max(b1)", 7, "max takes at least two operands, not 1"},
		{"min(b1 b2)", 8, `expected an operator or ",", not "b2"`},
		{"abs(b1", 7, `expected an operator or ")", not the end`},
		{"abs(b1,)", 8, `not ")"`},
		{"1e400", 1, "the number 1e400 is too large"},
		{"1e+", 4, "expected the digits of an exponent"},
		{"1.2.3", 4, "expected an operator after the number 1.2"},
		{"2b1", 2, "expected an operator after the number 2, not 'b'"},
		{"b1+.", 4, `expected a digit beside "."`},
		{"`red", 5, "expected '`' to end the name that begins at character 1"},
		{"''", 1, "expected a name between the quotes"},
		{"'a\x00b'", 1, "control characters"},
		{"b1 and", 7, "not the end"},
		{"and", 1, `not "and"`},
		{"b1\xff", 0, "UTF-8"},
		{strings.Repeat("b1+", 1365) + "b1", 0, "4097 bytes exceed the limit of 4096"},
		{strings.Repeat("b1+", 300) + "b1", 768, "more than 512 parts"},
		{strings.Repeat("(", 65) + "b1" + strings.Repeat(")", 65), 66, "nested more than 64 deep"},
		{strings.Repeat("-", 65) + "b1", 66, "nested more than 64 deep"},
		{"b1;b1;b1;b1;b1", 13, "more than 4 outputs"},
		{strings.Repeat("sin(", 60) + "b1" + strings.Repeat(")", 60), 0, "it costs"},
	} {
		_, err := compile(c.text)
		var wrong *Error
		if !errors.Is(err, ErrInvalid) || !errors.As(err, &wrong) {
			t.Errorf("%.40s: got error %v", c.text, err)
			continue
		}
		if wrong.Position != c.position || !strings.Contains(wrong.Message, c.message) {
			t.Errorf("%.40s: got %v, want %q at %d", c.text, err, c.message, c.position)
		}
	}
}

func TestLimitsAreInclusive(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("(", MaxDepth) + "b1" + strings.Repeat(")", MaxDepth),
		strings.Repeat("b1+", 255) + "b1",
		"b1;b2;b3;b4;",
		"b1" + strings.Repeat(" ", MaxBytes-2),
	} {
		if _, err := compile(text); err != nil {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}

// A short and a long name of the same band make a canonical text that is too long to parse.
func TestCanonicalTextIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1000)
	source, err := Parse(long + strings.Repeat("+b", 100))
	if err != nil {
		t.Fatal(err)
	}
	_, err = source.Compile(func(string) (int, bool) { return 0, true })
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "too long") {
		t.Errorf("got error %v", err)
	}
}
