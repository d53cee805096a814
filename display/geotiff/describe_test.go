package geotiff

import (
	"encoding/xml"
	"html"
	"slices"
	"testing"
)

func TestPlace(t *testing.T) {
	north := Affine{A: 10, E: -20, C: 399960, F: 5000040}
	tests := []struct {
		name             string
		place            *Place
		keys             []int
		scale, tie, full []float64
	}{
		{"none", nil, nil, nil, nil, nil},
		{
			"projected", &Place{Transform: north, EPSG: 32633}, []int{1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32633},
			[]float64{10, 20, 0}, []float64{0, 0, 0, 399960, 5000040, 0}, nil,
		},
		{
			"geographic", &Place{Transform: north, EPSG: 4326, Geographic: true},
			[]int{1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326},
			[]float64{10, 20, 0}, []float64{0, 0, 0, 399960, 5000040, 0}, nil,
		},
		{
			"no code, south up", &Place{Transform: Affine{A: 10, E: 20, C: 1, F: 2}}, []int{1, 1, 0, 1, 1025, 0, 1, 1},
			nil, nil, []float64{10, 0, 0, 1, 0, 20, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1},
		},
		{
			"turned", &Place{Transform: Affine{1, 2, 3, 4, 5, 6}}, []int{1, 1, 0, 1, 1025, 0, 1, 1},
			nil, nil, []float64{1, 2, 0, 3, 4, 5, 0, 6, 0, 0, 0, 0, 0, 0, 0, 1},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			img := noisyImage(Int16, 7, 5, 1)
			img.Place = test.place
			tags := parse(t, encode(t, img)).images[0].tags
			if got := tags[34735].numbers(); !slices.Equal(got, test.keys) {
				t.Errorf("keys %v, want %v", got, test.keys)
			}
			for tag, want := range map[int][]float64{33550: test.scale, 33922: test.tie, 34264: test.full} {
				if got := tags[tag].floats(); !slices.Equal(got, want) {
					t.Errorf("tag %d is %v, want %v", tag, got, want)
				}
			}
		})
	}
}

func TestMetadata(t *testing.T) {
	img := noisyImage(Uint16, 7, 5, 4)
	img.Bands[0].Name, img.Bands[0].Unit = `near <infra> "red" & é`, "µm"
	img.Bands[1].Scale, img.Bands[1].Offset = 0.1, -273.15
	img.Bands[2].Scale = 1  // has no effect
	img.Bands[3].Offset = 5 // has no effect without a scale
	text := parse(t, encode(t, img)).images[0].tags[42112].values
	type item struct {
		Name   string `xml:"name,attr"`
		Sample int    `xml:"sample,attr"`
		Role   string `xml:"role,attr"`
		Text   string `xml:",chardata"`
	}
	var got struct {
		XMLName xml.Name `xml:"GDALMetadata"`
		Items   []item   `xml:"Item"`
	}
	if err := xml.Unmarshal(text[:len(text)-1], &got); err != nil {
		t.Fatalf("%v: %q", err, text)
	}
	for i := range got.Items {
		got.Items[i].Text = html.UnescapeString(got.Items[i].Text) // GDAL escapes twice
	}
	want := []item{
		{"DESCRIPTION", 0, "description", `near <infra> "red" & é`},
		{"UNITTYPE", 0, "unittype", "µm"},
		{"OFFSET", 1, "offset", "-273.15"},
		{"SCALE", 1, "scale", "0.1"},
	}
	if !slices.Equal(got.Items, want) {
		t.Errorf("got  %v\nwant %v", got.Items, want)
	}
}

func TestNoMetadata(t *testing.T) {
	tags := parse(t, encode(t, noisyImage(Uint16, 7, 5, 4))).images[0].tags
	for _, tag := range []int{33550, 33922, 34264, 34735, 42112, 42113} {
		if _, ok := tags[tag]; ok {
			t.Errorf("there is tag %d", tag)
		}
	}
	for _, tag := range []int{270, 305, 306} {
		if _, ok := tags[tag]; ok {
			t.Errorf("unexpected tag %d, which makes equal images differ", tag)
		}
	}
}
