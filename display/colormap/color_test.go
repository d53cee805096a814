package colormap

import (
	"errors"
	"strings"
	"testing"
)

func TestParseColor(t *testing.T) {
	tests := []struct{ text, want string }{
		{"#abc", "#aabbccff"},
		{"#ABC8", "#aabbcc88"},
		{"#0a1B2c", "#0a1b2cff"},
		{"#0a1b2c3d", "#0a1b2c3d"},
		{"red", "#ff0000ff"},
		{"RebeccaPurple", ""},
		{"DarkSlateGrey", "#2f4f4fff"},
		{"transparent", "#00000000"},
		{"", ""},
		{"abc", ""},
		{"# abc", ""},
		{"#+1-2+3", ""},
		{"rgb(1,2,3)", ""},
		{strings.Repeat("red", 1000), ""},
	}
	for _, test := range tests {
		got, err := ParseColor(test.text)
		if test.want == "" {
			if !errors.Is(err, ErrInvalid) {
				t.Errorf("%.20q: got %v, %v", test.text, got, err)
			}
			continue
		}
		if err != nil || got.String() != test.want {
			t.Errorf("%q: got %v, %v, want %s", test.text, got, err, test.want)
		}
	}
}
