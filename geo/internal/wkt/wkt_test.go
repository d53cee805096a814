package wkt

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		text string
		want *Node
	}{
		{`LOCAL_CS["a"]`, &Node{Keyword: "LOCAL_CS", Values: []string{"a"}}},
		{` local_cs ( "say ""hi""" , 1.5e3 , EAST ) `, &Node{Keyword: "LOCAL_CS", Values: []string{`say "hi"`, "1.5e3", "EAST"}}},
		{"A[B[\"1\",C[-2]],\n D[\"\"],3]", &Node{Keyword: "A", Values: []string{"3"}, Children: []*Node{
			{Keyword: "B", Values: []string{"1"}, Children: []*Node{{Keyword: "C", Values: []string{"-2"}}}},
			{Keyword: "D", Values: []string{""}},
		}}},
		{`A["x"],B["y"]`, &Node{Keyword: "A", Values: []string{"x"}}},
	} {
		if got, err := Parse(test.text); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v and %v, want %+v", test.text, got, err, test.want)
		}
	}
}

func TestNodes(t *testing.T) {
	n, err := Parse(`A["x",B[1],C[2],B[3]]`)
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Child("C", "B"); got.Value(0) != "1" || got.Value(1) != "" {
		t.Errorf("the first child of two kinds is %+v", got)
	}
	if got := n.Child("D").Child("E").Value(0); got != "" {
		t.Errorf("what is not there has the value %q", got)
	}
}

func TestWhatIsNoWellKnownText(t *testing.T) {
	for text, want := range map[string]error{
		"": ErrCorrupt, "A": ErrCorrupt, "A[": ErrCorrupt, "A[1": ErrCorrupt, "A[1)": ErrCorrupt, "A[1]]": ErrCorrupt, "A[,]": ErrCorrupt,
		"A[]": ErrCorrupt, `A["b]`: ErrCorrupt, `"A"`: ErrCorrupt, "A[1]B[2]": ErrCorrupt, `A["b"c]`: ErrCorrupt,
		strings.Repeat("A[", 100): ErrLimit, "A[" + strings.Repeat("1,", 1<<16): ErrLimit,
	} {
		if n, err := Parse(text); n != nil || !errors.Is(err, want) {
			t.Errorf("%.40q: got %v and %v, want %v", text, n, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`PROJCS["WGS 84 / UTM zone 33N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0]],UNIT["metre",1]]`)
	f.Add(`A("""",b[1])`)
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse(text)
		if (n == nil) != (err != nil) || err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrLimit) {
			t.Errorf("got %v and %v", n, err)
		}
	})
}
