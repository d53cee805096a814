package accept

import "testing"

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"

func TestChoose(t *testing.T) {
	xml, text := []string{"application/xml"}, []string{"text/xml", "text/x-xml"}
	tests := []struct {
		name  string
		lists []string
		want  int // below 0 is no offer
	}{
		{"nothing said", nil, 0},
		{"an empty header", []string{""}, 0},
		{"commas", []string{" , ,"}, 0},
		{"anything", []string{"*/*"}, 0},
		{"a star", []string{"*"}, 0},
		{"a browser", []string{browser}, 0},
		{"the second by name", []string{"text/xml"}, 1},
		{"the second by another name", []string{"text/x-xml"}, 1},
		{"the second by its kind", []string{"text/*"}, 1},
		{"the second by name, and anything", []string{"text/xml, */*"}, 1},
		{"both alike", []string{"text/xml, application/xml"}, 0},
		{"in capitals, with blanks", []string{" TEXT/XML ; charset=utf-8 ; Q = 0.3 "}, 1},
		{"the first is liked less", []string{"application/xml;q=0.4, text/xml;q=0.5"}, 1},
		{"in two headers", []string{"image/png", "text/xml"}, 1},
		{"anything but the first", []string{"application/xml;q=0, */*;q=0.1"}, 1},
		{"its kind, but not that", []string{"application/*, application/xml;q=0"}, -1},
		{"all are refused", []string{"*/*;q=0"}, -1},
		{"another", []string{"image/png"}, -1},
		{"a quality that is none", []string{"text/xml;q=many"}, 1},
		{"a quality beyond 1", []string{"application/xml;q=0.9, text/xml;q=7"}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := Parse(test.lists).Choose(xml, text)
			if ok != (test.want >= 0) || ok && got != test.want {
				t.Errorf("got %d, %v, want %d", got, ok, test.want)
			}
		})
	}
	if _, ok := Parse(nil).Choose(); ok {
		t.Error("an empty list of offers has a choice")
	}
}

func TestAccepts(t *testing.T) {
	for list, want := range map[string]struct{ take, name bool }{
		"":                        {false, false},
		"image/webp":              {true, true},
		"IMAGE/WebP;q=0.1":        {true, true},
		browser:                   {true, true},
		"image/*":                 {true, false},
		"*/*":                     {true, false},
		"*":                       {true, false},
		"image/webp;q=0, */*":     {false, false},
		"*/*;q=0, image/webp":     {true, true},
		"image/webpx":             {false, false},
		"image/png,image/web p":   {false, false},
		"image/webp;level=1;q=.0": {false, false},
	} {
		ranges := Parse([]string{list})
		if take, name := ranges.Accepts("image/webp"), ranges.AcceptsByName("image/webp"); take != want.take || name != want.name {
			t.Errorf("%q: accepted %v, by name %v, want %+v", list, take, name, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, list := range []string{browser, "*/*;q=0", "text/html;q=0.5;q=1", ",,;;==", "a/b;q=NaN", "gzip;q=0, *"} {
		f.Add(list, "a/b", "c")
	}
	f.Fuzz(func(t *testing.T, list, first, second string) {
		ranges := Parse([]string{list})
		if len(ranges) > maxRanges {
			t.Fatalf("%d ranges", len(ranges))
		}
		for _, r := range ranges {
			if !(r.quality >= 0 && r.quality <= 1) || r.name == "" {
				t.Errorf("%q has %+v", list, r)
			}
		}
		offers := []string{first, second}
		if chosen, ok := ranges.Choose(offers[:1], offers[1:]); ok && len(ranges) > 0 && !ranges.Accepts(offers[chosen]) {
			t.Errorf("%q: %q is chosen but not accepted", list, offers[chosen])
		}
		if ranges.AcceptsByName(first) && !ranges.Accepts(first) {
			t.Errorf("%q: %q is accepted by name but not accepted", list, first)
		}
	})
}
