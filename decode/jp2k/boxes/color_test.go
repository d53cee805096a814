package boxes

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"tileserver/decode/jp2k/boxes/boxestest"
)

func TestColors(t *testing.T) {
	gray := boxestest.ProfiledColor(2, 0, boxestest.Profile("GRAY", 2, "Dot gain\x01 20%"))
	for _, test := range []struct {
		name  string
		boxes []byte
		want  string
		ok    bool
	}{
		{"a number", boxestest.EnumeratedColor(16), "sRGB", true},
		{"the first of several", slices.Concat(boxestest.EnumeratedColor(18), gray), "sYCC", true},
		{"one that goes before", slices.Concat(boxestest.EnumeratedColor(18), boxestest.ProfiledColor(3, 2, boxestest.Profile("RGB ", 4, "Wide é"))), `RGB by the profile "Wide é"`, true},
		{"a profile of version 2", gray, `GRAY by the profile "Dot gain 20%"`, true},
		{"an unknown number before a profile", slices.Concat(boxestest.EnumeratedColor(4112), gray), `GRAY by the profile "Dot gain 20%"`, true},
		{"an unknown number", boxestest.EnumeratedColor(4112), "colors by method 0", false},
		{"no profile", boxestest.ProfiledColor(2, 0, []byte("none")), "colors by method 0", false},
		{"inks", boxestest.EnumeratedColor(12), "CMYK", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := read(t, boxestest.File(boxestest.Header(boxestest.ImageHeader(5, 3, 3, 8), test.boxes), boxestest.Codestream()))
			if got, ok := c.Color(); got.String() != test.want || ok != test.ok {
				t.Errorf("got %v, %v, want %v, %v", got, ok, test.want, test.ok)
			}
		})
	}
}

func TestLabRange(t *testing.T) {
	c := read(t, boxestest.File(boxestest.Header(
		boxestest.EnumeratedColor(14, 100, 0, 170, 128, 200, 96, 0x00443530), boxestest.EnumeratedColor(14, 100),
	), boxestest.Codestream()))
	want := LabRange{[3]uint32{100, 170, 200}, [3]uint32{0, 128, 96}, 0x00443530}
	if got := c.ColorSpecs[0].Lab; got == nil || *got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := c.ColorSpecs[1].Lab; got != nil {
		t.Errorf("a range of half the numbers: %v", got)
	}
}

func TestPaletteValues(t *testing.T) {
	content := []byte{0, 2, 3, 7, 0x80 | 11, 37} // u8, s12, u38
	content = append(content, 200, 0x0f, 0xff, 0xff, 1, 2, 3, 4)
	content = append(content, 0, 0x07, 0xff, 0x20, 0, 0, 0, 9)
	c := read(t, boxestest.File(rgb(boxestest.Box("pclr", content)), boxestest.Codestream()))
	want := [][3]int64{{200, -1, 0x3f01020304}, {0, 2047, 0x2000000009}}
	if got := c.Palette.Entries(); got != len(want) {
		t.Fatalf("%d entries", got)
	}
	for i, row := range want {
		for j, v := range row {
			if got := c.Palette.At(i, j); got != v {
				t.Errorf("entry %d, column %d: got %#x, want %#x", i, j, got, v)
			}
		}
	}
}

func TestChannels(t *testing.T) {
	palette := boxestest.Palette([]byte{1, 2, 3, 4}, []byte{5, 6, 7, 8})
	for _, test := range []struct {
		name       string
		boxes      []byte
		components int
		want       string // component/column, meaning and color of each
		notes      []string
	}{
		{"colors as they come", boxestest.EnumeratedColor(16), 3, "0:c1 1:c2 2:c3", nil},
		{"one more than the space has", boxestest.EnumeratedColor(16), 4, "0:c1 1:c2 2:c3 3:?0", nil},
		{"gray with another", boxestest.EnumeratedColor(17), 2, "0:c1 1:?0", nil},
		{"no space", nil, 5, "0:c1 1:c2 2:c3 3:c4 4:c5", nil},
		{"opacity", slices.Concat(boxestest.EnumeratedColor(17), boxestest.ChannelDefinitions([3]int{0, 0, 1}, [3]int{1, 1, 0})), 2, "0:c1 1:a0", nil},
		{"premultiplied opacity that comes first", slices.Concat(boxestest.EnumeratedColor(16), boxestest.ChannelDefinitions([3]int{0, 2, 0}, [3]int{1, 0, 1}, [3]int{2, 0, 2}, [3]int{3, 0, 3})), 4, "1:c1 2:c2 3:c3 0:p0", nil},
		{"blue first", slices.Concat(boxestest.EnumeratedColor(16), boxestest.ChannelDefinitions([3]int{0, 0, 3}, [3]int{1, 0, 2}, [3]int{2, 0, 1})), 3, "2:c1 1:c2 0:c3", nil},
		{"opacity of one color", slices.Concat(boxestest.EnumeratedColor(16), boxestest.ChannelDefinitions([3]int{3, 1, 2})), 4, "0:c1 1:c2 2:c3 3:a2", nil},
		{"colors without their numbers", slices.Concat(boxestest.EnumeratedColor(16), boxestest.ChannelDefinitions([3]int{0, 0, 0}, [3]int{1, 0, 65535}, [3]int{2, 0, 3})), 3, "0:c1 1:c2 2:c3", nil},
		{"something else", slices.Concat(boxestest.EnumeratedColor(17), boxestest.ChannelDefinitions([3]int{1, 65535, 65535}, [3]int{2, 77, 1})), 3, "0:c1 1:?0 2:?0", nil},
		{"a missing channel", boxestest.ChannelDefinitions([3]int{2, 0, 1}), 2, "0:c1 1:c2", []string{"only 2"}},
		{"a channel twice", boxestest.ChannelDefinitions([3]int{0, 1, 0}, [3]int{0, 0, 1}), 2, "1:c2 0:a0", []string{"defined twice"}},
		{"a color twice", boxestest.ChannelDefinitions([3]int{1, 0, 1}, [3]int{0, 0, 1}), 2, "1:c1 0:?0", []string{"second with color 1"}},
		{"a color too high", boxestest.ChannelDefinitions([3]int{0, 0, 9}), 2, "0:c1 1:c2", []string{"does not exist"}},
		{"a palette", slices.Concat(boxestest.EnumeratedColor(16), palette, boxestest.Mapping([3]int{0, 1, 2}, [3]int{0, 1, 1}, [3]int{0, 1, 0})), 1, "0/2:c1 0/1:c2 0/0:c3", nil},
		{"a palette and its opacity", slices.Concat(boxestest.EnumeratedColor(16), palette, boxestest.Mapping([3]int{0, 1, 0}, [3]int{0, 1, 1}, [3]int{0, 1, 2}, [3]int{1, 0, 0}), boxestest.ChannelDefinitions([3]int{3, 1, 0})), 2, "0/0:c1 0/1:c2 0/2:c3 1:a0", nil},
		{"a palette without a mapping", slices.Concat(boxestest.EnumeratedColor(16), palette), 1, "0/0:c1 0/1:c2 0/2:c3 0/3:?0", []string{"to the only component"}},
		{"a palette without a mapping, several components", slices.Concat(boxestest.EnumeratedColor(16), palette), 3, "0:c1 1:c2 2:c3", []string{"ignored"}},
		{"a mapping of no component", boxestest.Mapping([3]int{3, 0, 0}), 2, "0:c1 1:c2", []string{"component 3 of 2"}},
		{"a mapping of no palette", boxestest.Mapping([3]int{0, 1, 0}), 2, "0:c1 1:c2", []string{"there is none"}},
		{"a mapping of no column", slices.Concat(palette, boxestest.Mapping([3]int{0, 1, 4})), 2, "0:c1 1:c2", []string{"column 4 of 4", "ignored"}},
		{"components in another order", slices.Concat(boxestest.EnumeratedColor(16), boxestest.Mapping([3]int{2, 0, 0}, [3]int{0, 0, 0}, [3]int{1, 0, 0})), 3, "2:c1 0:c2 1:c3", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := read(t, boxestest.File(boxestest.Header(test.boxes), boxestest.Codestream()))
			components := make([]BitDepth, test.components)
			for i := range components {
				components[i] = BitDepth{Bits: 9 + i}
			}
			channels, notes := c.Channels(components)
			got := ""
			for i, channel := range channels {
				if i > 0 {
					got += " "
				}
				got += shorthand(channel)
				want := BitDepth{Bits: 8}
				if channel.Column == Direct {
					want = components[channel.Component]
				}
				if channel.Depth != want {
					t.Errorf("channel %d has %v, want %v", i, channel.Depth, want)
				}
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			checkNotes(t, notes, test.notes)
		})
	}
}

// shorthand formats a channel like the table above.
func shorthand(c Channel) string {
	text := fmt.Sprint(c.Component)
	if c.Column != Direct {
		text += fmt.Sprintf("/%d", c.Column)
	}
	letter := map[Meaning]string{Color: "c", Opacity: "a", PremultipliedOpacity: "p", Unspecified: "?"}[c.Meaning]
	return fmt.Sprintf("%s:%s%d", text, letter, c.Color)
}

func TestWorldFileBox(t *testing.T) {
	want := [6]float64{2.5, 0.25, -0.5, -3, 500000.5, 4000000.25}
	content := append([]byte("MSIG/"), make([]byte, 17)...)
	for _, v := range want {
		content = binary.LittleEndian.AppendUint64(content, math.Float64bits(v))
	}
	other := slices.Clone(content)
	copy(other, "GISM")
	unsound := slices.Clone(content)
	binary.LittleEndian.PutUint64(unsound[22:], math.Float64bits(math.NaN()))
	for _, test := range []struct {
		name    string
		content []byte
		ok      bool
	}{{"sound", content, true}, {"short", content[:69], false}, {"another mark", other, false}, {"no numbers", unsound, false}} {
		c := read(t, boxestest.File(rgb(), boxestest.UUID(string(WorldFile), test.content), boxestest.Codestream()))
		got, ok := c.WorldFile()
		if ok != test.ok || ok && got != want {
			t.Errorf("%s: got %v, %v", test.name, got, ok)
		}
	}
}

func TestChannelNotesAreBounded(t *testing.T) {
	c := &Container{ChannelDefinitions: make([]ChannelDefinition, 1000)}
	for i := range c.ChannelDefinitions {
		c.ChannelDefinitions[i].Channel = 1 + i
	}
	channels, notes := c.Channels([]BitDepth{{Bits: 8}})
	if len(channels) != 1 || len(notes) != 33 || notes[31] != "channel 32 is defined, but there are only 1" || notes[32] != "more notes were omitted" {
		t.Errorf("got %d channels and %d notes: %q", len(channels), len(notes), notes)
	}
}
