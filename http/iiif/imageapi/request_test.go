package imageapi

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

var generous = Limits{MaxWidth: 4000, MaxHeight: 4000, MaxArea: 4000 * 4000}

// example is the image of sections 4.1 and 4.2 of the specification.
var example = Image{Width: 300, Height: 200, Limits: generous}

func TestRegions(t *testing.T) {
	tests := []struct {
		text string
		want Region
	}{
		{"full", Region{0, 0, 300, 200}},
		{"square", Region{50, 0, 200, 200}},
		{"125,15,120,140", Region{125, 15, 120, 140}},
		{"pct:41.6,7.5,40,70", Region{125, 15, 120, 140}},
		{"125,15,200,200", Region{125, 15, 175, 185}},
		{"pct:41.6,7.5,66.6,100", Region{125, 15, 175, 185}},
		{"0,0,300,200", Region{0, 0, 300, 200}},
		{"299,199,1,1", Region{299, 199, 1, 1}},
		{"pct:0,0,100,100", Region{0, 0, 300, 200}},
		{"pct:.5,0.50,99,1", Region{2, 1, 297, 2}},
		{"0,0,99999999999999999999999,7", Region{0, 0, 300, 7}},
		{"1,1,9223372036854775807,9223372036854775807", Region{1, 1, 299, 199}},
		{"pct:0,0,100000000000000000000,1", Region{0, 0, 300, 2}},
	}
	for _, test := range tests {
		if got, err := example.parseRegion(test.text); err != nil || got != test.want {
			t.Errorf("%q is %v, %v, want %v", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{
		"", "Full", "1,2,3", "1,2,3,4,5", "a,b,c,d", "1.5,0,1,1", "-1,0,1,1", "+1,0,1,1", " 1,0,1,1", "0x1,0,1,1", "1e1,0,1,1",
		"0,0,0,1", "0,0,1,0", "300,0,1,1", "0,200,1,1", "99999999999999999999,0,1,1", "pct:", "pct:1,2,3", "pct:1,2,3,4,5",
		"pct:NaN,0,1,1", "pct:inf,0,1,1", "pct:1e1,0,1,1", "pct:-1,0,1,1", "pct:+1,0,1,1", "pct:.,0,1,1", "pct:1.2.3,0,1,1", "pct:0,0,0,1",
		"pct:100,0,1,1", "pct:0,0,0.01,1", "pct:" + strings.Repeat("9", 400) + ",0,1,1", "pct:full", "pct:pct:0,0,1,1", "0,0,1,1,", "１,0,1,1",
	} {
		if got, err := example.parseRegion(text); !errors.Is(err, ErrRequest) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	tall := Image{Width: 5, Height: 8, Limits: generous}
	if got, err := tall.parseRegion("square"); err != nil || got != (Region{0, 1, 5, 5}) {
		t.Errorf("the square of a tall image is %v, %v", got, err)
	}
}

func TestRotations(t *testing.T) {
	for text, want := range map[string]Rotation{
		"0": {false, 0}, "90": {false, 1}, "180": {false, 2}, "270": {false, 3}, "360": {false, 0}, "90.0": {false, 1},
		"!0": {true, 0}, "!180": {true, 2}, "0.0": {false, 0}, "!360": {true, 0},
	} {
		if got, err := parseRotation(text); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "!", "45", "22.5", "!345", "-90", "+90", "361", "450", "9e1", "NaN", "!!0", "0!", "90.0000001", "99999999999999999999", "."} {
		if got, err := parseRotation(text); !errors.Is(err, ErrRequest) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}

func TestQualitiesAndFormats(t *testing.T) {
	for _, name := range []string{"default.jpg", "color.png", "gray.webp", "bitonal.png"} {
		if _, err := example.Parse("full", "max", "0", name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", "default", "default.", ".jpg", "native.jpg", "Default.jpg", "default.gif", "default.tif", "default.jpg.png", "gray.JPG"} {
		if _, err := example.Parse("full", "max", "0", name); !errors.Is(err, ErrRequest) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCanonical(t *testing.T) {
	small := Image{Width: 300, Height: 200, Limits: Limits{200, 200, 40000}}
	tests := []struct {
		image Image
		asked string
		want  string
	}{
		{example, "full/max/0/default.jpg", "full/max/0/default.jpg"},
		{example, "0,0,300,200/300,/0/color.jpg", "full/max/0/default.jpg"},
		{example, "pct:0,0,100,100/pct:50/360/default.png", "full/150,100/0/default.png"},
		{example, "square/!100,100/!90.0/gray.png", "50,0,200,200/100,100/!90/gray.png"},
		{example, "125,15,200,200/max/0/default.jpg", "125,15,175,185/max/0/default.jpg"},
		{example, "full/^600,/0/default.jpg", "full/^600,400/0/default.jpg"},
		{example, "full/^max/0/default.jpg", "full/^max/0/default.jpg"},
		{example, "full/^4000,/0/default.jpg", "full/^max/0/default.jpg"},
		{example, "full/^150,/0/default.jpg", "full/150,100/0/default.jpg"},
		{small, "full/200,/0/default.jpg", "full/max/0/default.jpg"},
		{small, "full/^max/0/default.jpg", "full/max/0/default.jpg"},
	}
	for _, test := range tests {
		parts := strings.Split(test.asked, "/")
		r, err := test.image.Parse(parts[0], parts[1], parts[2], parts[3])
		if err != nil {
			t.Errorf("%s: %v", test.asked, err)
			continue
		}
		if got := test.image.Canonical(r); got != test.want {
			t.Errorf("%s is asked for as %s, want %s", test.asked, got, test.want)
		}
	}
}

func TestTiles(t *testing.T) {
	image := Image{Width: 601, Height: 499, Limits: generous}
	tests := []struct {
		region, size string
		want         Tile
		ok           bool
	}{
		{"full", "max", Tile{0, 0, 0, 601, 499}, true},
		{"0,0,256,256", "256,256", Tile{0, 0, 0, 256, 256}, true},
		{"512,256,89,243", "89,243", Tile{0, 512, 256, 89, 243}, true},
		{"512,0,89,499", "45,250", Tile{1, 256, 0, 45, 250}, true},
		{"full", "151,125", Tile{2, 0, 0, 151, 125}, true},
		{"full", "76,63", Tile{3, 0, 0, 76, 63}, true},
		{"full", "^1202,998", Tile{}, false},
		{"full", "150,125", Tile{}, false},
		{"1,0,256,256", "128,128", Tile{}, false},
		{"0,0,255,256", "128,128", Tile{}, false},
		{"0,0,256,256", "128,64", Tile{}, false},
		{"0,0,256,256", "100,100", Tile{}, false},
	}
	for _, test := range tests {
		r, err := image.Parse(test.region, test.size, "0", "default.png")
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := image.Tile(r); got != test.want || ok != test.ok {
			t.Errorf("%s at %s is %v, %v, want %v, %v", test.region, test.size, got, ok, test.want, test.ok)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range [][4]string{
		{"full", "max", "0", "default.jpg"}, {"square", "^max", "!90", "gray.png"}, {"pct:41.6,7.5,66.6,100", "!225,100", "270", "color.webp"},
		{"0,0,99999999999999999999,1", "^99999999999,", "360", "bitonal.jpg"}, {"pct:0.0000001,1e9,NaN,-1", "pct:100.1", "22.5", "x.y"},
		{"2147483647,0,1,1", ",2147483648", "!", ""},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3], 601, 499)
	}
	f.Fuzz(func(t *testing.T, region, size, rotation, name string, width, height int) {
		image := Image{Width: 1 + width&(maxNumber-1), Height: 1 + height&(maxNumber-1), Limits: generous}
		r, err := image.Parse(region, size, rotation, name)
		if err != nil {
			if !errors.Is(err, ErrRequest) {
				t.Errorf("an error without ErrRequest: %v", err)
			}
			return
		}
		of, s := r.Region, r.Size
		if of.X < 0 || of.Y < 0 || of.Width < 1 || of.Height < 1 || of.X+of.Width > image.Width || of.Y+of.Height > image.Height {
			t.Errorf("%q of %v is %v", region, image, of)
		}
		if s.Width < 1 || s.Height < 1 || !generous.allow(s) {
			t.Errorf("%q of %v is %v", size, of, s)
		}
		parts := strings.Split(image.Canonical(r), "/")
		again, err := image.Parse(parts[0], parts[1], parts[2], parts[3])
		if again.Quality = r.Quality; err != nil || again != r {
			t.Errorf("%v is canonically %v, which is %v, %v", r, parts, again, err)
		}
	})
}

func ExampleImage_Canonical() {
	image := Image{Width: 6000, Height: 4000, Limits: Limits{4096, 4096, 1 << 24}}
	request, err := image.Parse("square", "pct:25", "!360", "color.jpg")
	fmt.Println(image.Canonical(request), err)
	// Output: 1000,0,4000,4000/1000,1000/!0/default.jpg <nil>
}
