package imageapi

import (
	"errors"
	"testing"
)

func TestSizes(t *testing.T) {
	limited := func(width, height, area int) Image {
		return Image{Width: 300, Height: 200, Limits: Limits{width, height, area}}
	}
	part := Region{10, 20, 120, 140}
	full := Region{Width: 300, Height: 200}
	tests := []struct {
		name  string
		image Image
		of    Region
		text  string
		want  Size
	}{
		{"all", example, full, "max", Size{300, 200}},
		{"all that a width allows", limited(200, 200, 40000), full, "max", Size{200, 133}},
		{"all that a height allows", limited(300, 100, 40000), full, "max", Size{150, 100}},
		{"all that an area allows", limited(300, 300, 6000), full, "max", Size{94, 63}},
		{"a part that is allowed", limited(200, 200, 40000), part, "max", Size{120, 140}},
		{"enlarged to a width", limited(360, 360, 100000), full, "^max", Size{360, 240}},
		{"enlarged to an area", limited(4000, 4000, 240000), full, "^max", Size{600, 400}},
		{"a width", example, full, "150,", Size{150, 100}},
		{"a larger width", example, full, "^360,", Size{360, 240}},
		{"the same width", example, full, "300,", Size{300, 200}},
		{"a height", example, full, ",150", Size{225, 150}},
		{"a larger height", example, full, "^,240", Size{360, 240}},
		{"half", example, full, "pct:50", Size{150, 100}},
		{"a part of a part", example, part, "pct:33.3", Size{40, 47}},
		{"more than all", example, full, "^pct:120", Size{360, 240}},
		{"both", example, full, "225,100", Size{225, 100}},
		{"both larger", example, full, "^360,360", Size{360, 360}},
		{"one larger", example, full, "^360,10", Size{360, 10}},
		{"a box", example, full, "!225,100", Size{150, 100}},
		{"a box that is wider than it needs", example, full, "!150,150", Size{150, 100}},
		{"a box around all", example, full, "!9999,9999", Size{300, 200}},
		{"a box to fill", example, full, "^!360,360", Size{360, 240}},
		{"a box beyond the limits", limited(320, 320, 100000), full, "^!9000,9000", Size{320, 213}},
		{"a huge box", example, full, "^!99999999999999999999,99999999999999999999", Size{4000, 2667}},
		{"a box of 10 beyond 64 bits", example, full, "^!18446744073709551626,18446744073709551626", Size{4000, 2667}},
		{"a thread", Image{Width: 90000, Height: 1, Limits: generous}, Region{0, 0, 90000, 1}, "10,", Size{10, 1}},
		{"a whole thread", Image{Width: 90000, Height: 1, Limits: generous}, Region{0, 0, 90000, 1}, "max", Size{4000, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got, err := test.image.parseSize(test.text, test.of); err != nil || got != test.want {
				t.Errorf("%q is %v, %v, want %v", test.text, got, err, test.want)
			}
		})
	}
	for _, text := range []string{
		"", "^", "full", "Max", ",", "!,", "!10,", "!,10", "0,", ",0", "0,0", "!0,5", "^0,", "1.5,", "-1,", "+1,", "1e3,", "0x10,", "NaN,", "inf,", "10",
		"10,10,10", "!!10,10", "^^10,", "!^10,10", "pct:", "pct:0", "pct:0.1", "pct:-1", "pct:NaN", "pct:1e9", "pct:101", "!pct:10", "pct:50,50",
		"301,", ",201", "301,10", "10,201", "^4001,", "^,4001", "^4001,1", "^pct:9999", "99999999999999999999,", "^99999999999999999999,1", " 10,", "10, 10",
	} {
		if got, err := example.parseSize(text, full); !errors.Is(err, ErrRequest) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	if _, err := limited(300, 300, 6000).parseSize("300,200", full); !errors.Is(err, ErrRequest) {
		t.Errorf("60000 pixels with a limit of 6000: %v", err)
	}
}

// Derived sizes stay within the limits, whatever the aspect ratio.
func TestLargestIsWithinTheLimits(t *testing.T) {
	sides := []int{1, 2, 3, 10, 99, 1000, 4001, 65537, maxNumber}
	limits := []Limits{{100, 100, 100}, {100, 100, 10000}, {16383, 16383, 1 << 24}, {7, 5, 35}, {10, 1000, 1000}}
	for _, width := range sides {
		for _, height := range sides {
			for _, l := range limits {
				for _, upscales := range []bool{false, true} {
					of := Region{Width: width, Height: height}
					s := l.largest(of, Size{maxNumber, maxNumber}, upscales)
					if s.Width < 1 || s.Height < 1 || !l.allow(s) || !upscales && (s.Width > width || s.Height > height) {
						t.Errorf("%v within %v, enlarged %v, is %v", of, l, upscales, s)
					}
				}
			}
		}
	}
}
