package plain

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " a\tb\r\nc ": "a b c", `"a"`: "'a'", "a\x00b\x7f": "a b", "\xff\ufffe\u202e\u2067x": "x", "日本": "日本", strings.Repeat("é", 12): strings.Repeat("é", 10) + "…",
		"👩‍🚀": "👩‍🚀",
	} {
		if got := Text(text, 10); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add(" a\tb\r\nc ", 10)
	f.Add("\xff\ufffe\u202e\u2067x", 3)
	f.Fuzz(func(t *testing.T, text string, most int) {
		if most < 0 || most > 1000 {
			return
		}
		got := Text(text, most)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > most+1 || strings.ContainsAny(got, "\"\n\x00") {
			t.Errorf("%q is %q", text, got)
		}
		if again := Text(got, most+1); again != got {
			t.Errorf("%q is not plain: it becomes %q", got, again)
		}
	})
}
