package boxes

import (
	"cmp"
	"fmt"
	"slices"
)

// Meaning is the purpose of a channel.
type Meaning uint16

// The meanings. Other values are unknown.
const (
	Color                Meaning = 0
	Opacity              Meaning = 1
	PremultipliedOpacity Meaning = 2 // the colors are multiplied by it
	Unspecified          Meaning = 1<<16 - 1
)

// Channel is one plane of the image as it is displayed.
type Channel struct {
	Mapping
	Depth   BitDepth // of the component or of the palette's column
	Number  int      // number by which boxes refer to the channel
	Meaning Meaning

	// Color is the number of the channel's color, from 1. For opacity, it is the color that it
	// applies to, or 0 for all.
	Color int
}

// Channels returns the channels of the image, given the components of the codestream: the colors in
// order, then the other channels. Boxes that contradict the components are ignored and noted.
func (c *Container) Channels(components []BitDepth) (channels []Channel, notes []string) {
	r := &resolver{container: c, components: components}
	r.addChannels()
	r.assignMeanings()
	slices.SortStableFunc(r.channels, func(a, b Channel) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.Number, b.Number))
	})
	return r.channels, r.notes
}

// rank orders colors before other channels.
func (c Channel) rank() int {
	if c.Meaning == Color && c.Color > 0 {
		return c.Color
	}
	return maxChannels
}

// resolver combines what several boxes say about channels.
type resolver struct {
	container  *Container
	components []BitDepth
	channels   []Channel
	notes      []string
}

// maxChannelNotes is the maximum number of notes; a file may define 65,535 channels that do not
// exist.
const maxChannelNotes = 32

func (r *resolver) note(format string, values ...any) {
	switch len(r.notes) {
	case maxChannelNotes + 1:
	case maxChannelNotes:
		r.notes = append(r.notes, "more notes were omitted")
	default:
		r.notes = append(r.notes, fmt.Sprintf(format, values...))
	}
}

// addChannels adds the channels of the mapping, or one for each component.
func (r *resolver) addChannels() {
	for _, m := range r.mapping() {
		channel := Channel{Mapping: m, Depth: r.components[m.Component], Number: len(r.channels)}
		if m.Column != Direct {
			channel.Depth = r.container.Palette.Columns[m.Column]
		}
		r.channels = append(r.channels, channel)
	}
}

// mapping returns the mapping of the container if it is sound, else the most plausible one.
func (r *resolver) mapping() []Mapping {
	mapping, palette := r.container.ComponentMapping, r.container.Palette
	if err := r.check(mapping); err != nil {
		r.note("the component mapping is ignored: %v", err)
		mapping = nil
	}
	switch {
	case len(mapping) > 0:
		return mapping
	case palette != nil && len(r.components) == 1:
		r.note("the palette has no sound mapping; it is applied to the only component")
		for column := range palette.Columns {
			mapping = append(mapping, Mapping{0, column})
		}
		return mapping
	case palette != nil:
		r.note("the palette has no sound mapping and is ignored")
	}
	for component := range r.components {
		mapping = append(mapping, Mapping{component, Direct})
	}
	return mapping
}

// check returns an error if a mapping contradicts the components or the palette.
func (r *resolver) check(mapping []Mapping) error {
	for i, m := range mapping {
		switch {
		case m.Component >= len(r.components):
			return fmt.Errorf("channel %d uses component %d of %d", i, m.Component, len(r.components))
		case m.Column == Direct:
		case r.container.Palette == nil:
			return fmt.Errorf("channel %d uses a palette, but there is none", i)
		case m.Column >= len(r.container.Palette.Columns):
			return fmt.Errorf("channel %d uses column %d of %d", i, m.Column, len(r.container.Palette.Columns))
		}
	}
	return nil
}

// assignMeanings sets the meaning of the channels: of defined ones first, then of the others by
// their position.
func (r *resolver) assignMeanings() {
	defined, usedColors := make([]bool, len(r.channels)), make(map[int]bool)
	for _, d := range r.container.ChannelDefinitions {
		switch {
		case d.Channel >= len(r.channels):
			r.note("channel %d is defined, but there are only %d", d.Channel, len(r.channels))
		case defined[d.Channel]:
			r.note("channel %d is defined twice", d.Channel)
		case d.Meaning == Color && d.Association != WholeImage && d.Association != NoColor && usedColors[int(d.Association)]:
			r.note("channel %d is the second with color %d", d.Channel, d.Association)
		case d.Meaning == Color && (d.Association == WholeImage || d.Association == NoColor):
			// The position gives the color.
		case d.Meaning == Color && int(d.Association) > max(len(r.channels), r.colors()):
			r.note("channel %d has color %d, which does not exist", d.Channel, d.Association)
		default:
			defined[d.Channel] = true
			r.channels[d.Channel].setMeaning(d)
			usedColors[r.channels[d.Channel].rank()] = true
		}
	}
	for i := range r.channels {
		if !defined[i] {
			r.channels[i].Meaning, r.channels[i].Color = r.defaultMeaning(i, usedColors)
		}
	}
}

func (c *Channel) setMeaning(d ChannelDefinition) {
	c.Meaning = d.Meaning
	if d.Association != NoColor {
		c.Color = int(d.Association)
	}
	if c.Meaning > PremultipliedOpacity {
		c.Meaning, c.Color = Unspecified, 0
	}
}

// defaultMeaning returns the meaning of a channel without a definition: the color of its number, if
// that color exists and no other channel has it.
func (r *resolver) defaultMeaning(number int, usedColors map[int]bool) (Meaning, int) {
	if color := number + 1; color <= r.colors() && !usedColors[color] {
		return Color, color
	}
	return Unspecified, 0
}

// colors returns the number of colors of the image.
func (r *resolver) colors() int {
	if spec, ok := r.container.Color(); ok {
		return spec.colors()
	}
	return len(r.channels)
}
