package sign

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"tileserver/cmd/tileserver/usage"
	"tileserver/signature"
)

var key = signature.Key{ID: "a", Secret: "0123456789abcdef0123456789abcdef"}

// A signed template is valid however a viewer fills it in.
func TestTemplatesAreSigned(t *testing.T) {
	until := time.Unix(1900000000, 0)
	for _, test := range []struct {
		address  string
		options  Options
		filled   string // where braces are filled in
		pattern  string
		unsigned string
	}{
		{"https://m.example/layers/dem/preview.png?rescale=0,9", Options{}, "", "", ""},
		{"/layers/dem/preview.png", Options{}, "", "", ""},
		{"https://m.example/tiles/dem/{z}/{x}/{y}.png?rescale=0,9", Options{}, "/tiles/dem/1/2/3.png", "/tiles/dem/*/*/*.png", ""},
		{"https://m.example/tiles/dem/{z}/{x}/{y}{r}.webp", Options{}, "/tiles/dem/1/2/3@2x.webp", "/tiles/dem/*/*/*.webp", ""},
		{"https://m.example/i/tiles/dem/{z}/{x}/{y}.png", Options{BasePath: "/i"}, "/i/tiles/dem/1/2/3.png", "/tiles/dem/*/*/*.png", ""},
		{"https://m.example/layers/dem/view.tif?bbox={bbox-epsg-3857}&width={w}&crs=EPSG:3857", Options{}, "", "", "bbox,width"},
		{"https://m.example/layers/dem/view.tif?bbox={w},{s},{e},{n}", Options{Unsigned: "width,height"}, "", "", "bbox,height,width"},
		{"https://m.example/iiif/scan/", Options{Unsigned: "*"}, "/iiif/scan/info.json", "/iiif/scan/", "*"},
		{"https://m.example/iiif/scan/info.json", Options{Pattern: "/iiif/scan/"}, "/iiif/scan/info.json", "/iiif/scan/", ""},
		{"https://m.example/layers/dem/preview.png?expression=b{n}%2B1", Options{Unsigned: "expression"}, "", "", "expression"},
		{"https://m.example/layers/dem/preview.png?rescale={low},{high}&rescale={low},{high}", Options{}, "", "", "rescale"},
		{`https://m.example/layers/dem/preview.png?colormap={"1":"#ff0000"}&expression=b1;b2`, Options{}, "", "", ""},
	} {
		test.options.Key, test.options.Until = key, until
		signed, err := Address(test.address, test.options)
		if err != nil {
			t.Errorf("%s: %v", test.address, err)
			continue
		}
		path, text, _ := strings.Cut(signed, "?")
		query, err := url.ParseQuery(strings.NewReplacer("{bbox-epsg-3857}", "1,2,3,4", "{w},{s},{e},{n}", "1,2,3,4", "{w}", "9", "{n}", "3", "{low},{high}", "0,9").Replace(text))
		if before, _, _ := strings.Cut(test.address, "?"); path != before || err != nil || strings.Contains(text, "%7Bw") {
			t.Errorf("%s: signed is %s", test.address, signed)
		}
		if query.Get("signed_path") != test.pattern || query.Get("unsigned") != test.unsigned {
			t.Errorf("%s: signed are %v", test.address, query)
		}
		at, _ := url.Parse(path)
		if test.filled != "" {
			at.Path = test.filled
		}
		below := strings.TrimPrefix(at.Path, test.options.BasePath)
		if end, err := (signature.Keys{key}).Verify(below, query, until.Add(-time.Second)); err != nil || !end.Equal(until) {
			t.Errorf("%s: %v", signed, err)
		}
	}
}

// What a viewer fills in is not signed, so it must be the whole value.
func TestBracesInAValueAreAMistake(t *testing.T) {
	for _, query := range []string{"rescale=0,{max}", "rescale={min},9", "expression=b{n}", "rescale={a},{b}&rescale=0,{b}", "rescale={a},{b}&rescale=0,9"} {
		signed, err := Address("https://m.example/layers/dem/preview.png?"+query, Options{Key: key})
		if name, _, _ := strings.Cut(query, "="); !errors.As(err, new(usage.Mistake)) || !strings.Contains(err.Error(), "add "+name+" to --unsigned") {
			t.Errorf("%s is signed as %q, %v", query, signed, err)
		}
		if _, err := Address("https://m.example/layers/dem/preview.png?"+query, Options{Key: key, Unsigned: "*"}); err != nil {
			t.Errorf("unsigned: %v", err)
		}
	}
}

func TestAddressesThatCannotBeSigned(t *testing.T) {
	for address, base := range map[string]string{
		"tiles/dem": "", "": "", "https://m.example": "", "https://m.example/tiles/a": "/imagery", "https://m.example/imagery": "/imagery",
		"https://m.example/a?b=%zz": "", "https://m.example/imageryx/a": "/imagery", "%": "",
	} {
		if signed, err := Address(address, Options{Key: key, BasePath: base}); err == nil {
			t.Errorf("%q is signed: %s", address, signed)
		}
	}
}
