package wmts100

import (
	"strings"
	"testing"
)

func TestEmptyKeywordsAreOmitted(t *testing.T) {
	for _, test := range []struct {
		keywords []string
		want     string // "" is no element
	}{
		{nil, ""},
		{[]string{""}, ""},
		{[]string{" ", "\x00"}, ""},
		{[]string{"", "air", " "}, "<ows:Keywords><ows:Keyword>air</ows:Keyword></ows:Keywords>"},
	} {
		d := &Document{Service: Service{Title: "Maps", Keywords: test.keywords}, Sections: AllSections(), Layers: func(func(*Layer) bool) {}}
		var b strings.Builder
		if err := d.Write(&b); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(b.String()), "")
		if got := strings.Contains(text, "Keyword"); got != (test.want != "") || !strings.Contains(text, test.want) {
			t.Errorf("%q makes %s", test.keywords, text)
		}
	}
}
