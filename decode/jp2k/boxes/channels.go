package boxes

import (
	"cmp"
	"fmt"
	"slices"
)

// Meaning is what a channel is for.
type Meaning uint16

// The meanings. Others have none that is known.
const (
	Color                Meaning = 0
	Opacity              Meaning = 1
	PremultipliedOpacity Meaning = 2 // colours are multiplied by it
	Unspecified          Meaning = 1<<16 - 1
)

// Channel is one plane of the image as it is to be seen.
type Channel struct {
	Mapping
	Depth   BitDepth // of the component, or the palette's column
	Number  int      // among the channels, by which boxes call it
	Meaning Meaning

	// Color is, from 1, which colour a channel is; of an opacity it is which one that is about, and 0 if about all.
	Color int
}

// Channels says what the planes of the image are, once it is known what components the codestream has: the colours in
// their order, then all others. What contradicts the components is left out, and the notes say so.
func (c *Container) Channels(components []BitDepth) (channels []Channel, notes []string) {
	r := &resolver{container: c, components: components}
	r.lay()
	r.define()
	slices.SortStableFunc(r.channels, func(a, b Channel) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.Number, b.Number))
	})
	return r.channels, r.notes
}

// rank puts colours first.
func (c Channel) rank() int {
	if c.Meaning == Color && c.Color > 0 {
		return c.Color
	}
	return mostChannels
}

// resolver brings together what several boxes say of channels.
type resolver struct {
	container  *Container
	components []BitDepth
	channels   []Channel
	notes      []string
}

// mostChannelNotes is as many as anybody reads; a file may define 65,535 channels that are not there.
const mostChannelNotes = 32

func (r *resolver) note(format string, values ...any) {
	switch len(r.notes) {
	case mostChannelNotes + 1:
	case mostChannelNotes:
		r.notes = append(r.notes, "more of this is left out")
	default:
		r.notes = append(r.notes, fmt.Sprintf(format, values...))
	}
}

// lay makes the channels: of what the mapping says, else one of each component.
func (r *resolver) lay() {
	for _, m := range r.mapping() {
		channel := Channel{Mapping: m, Depth: r.components[m.Component], Number: len(r.channels)}
		if m.Column != Direct {
			channel.Depth = r.container.Palette.Columns[m.Column]
		}
		r.channels = append(r.channels, channel)
	}
}

// mapping is that of the container, if it is sound; else that which was meant, as far as can be known.
func (r *resolver) mapping() []Mapping {
	mapping, palette := r.container.ComponentMapping, r.container.Palette
	if err := r.check(mapping); err != nil {
		r.note("the mapping of components is left out: %v", err)
		mapping = nil
	}
	switch {
	case len(mapping) > 0:
		return mapping
	case palette != nil && len(r.components) == 1:
		r.note("the palette has no sound mapping, and is that of the only component")
		for column := range palette.Columns {
			mapping = append(mapping, Mapping{0, column})
		}
		return mapping
	case palette != nil:
		r.note("the palette has no sound mapping, and is left out")
	}
	for component := range r.components {
		mapping = append(mapping, Mapping{component, Direct})
	}
	return mapping
}

// check holds a mapping against the components and the palette.
func (r *resolver) check(mapping []Mapping) error {
	for i, m := range mapping {
		switch {
		case m.Component >= len(r.components):
			return fmt.Errorf("channel %d is of component %d of %d", i, m.Component, len(r.components))
		case m.Column == Direct:
		case r.container.Palette == nil:
			return fmt.Errorf("channel %d is of a palette, and there is none", i)
		case m.Column >= len(r.container.Palette.Columns):
			return fmt.Errorf("channel %d is of column %d of %d", i, m.Column, len(r.container.Palette.Columns))
		}
	}
	return nil
}

// define gives the channels their meaning: first those that are defined, then the others by their place.
func (r *resolver) define() {
	defined, taken := make([]bool, len(r.channels)), make(map[int]bool)
	for _, d := range r.container.ChannelDefinitions {
		switch {
		case d.Channel >= len(r.channels):
			r.note("channel %d is defined, and there are %d", d.Channel, len(r.channels))
		case defined[d.Channel]:
			r.note("channel %d is defined twice", d.Channel)
		case d.Meaning == Color && d.Association != WholeImage && d.Association != NoColor && taken[int(d.Association)]:
			r.note("channel %d is the second of colour %d", d.Channel, d.Association)
		case d.Meaning == Color && (d.Association == WholeImage || d.Association == NoColor):
			// Which colour it is follows from its place.
		case d.Meaning == Color && int(d.Association) > max(len(r.channels), r.colors()):
			r.note("channel %d is colour %d, and there are not as many", d.Channel, d.Association)
		default:
			defined[d.Channel] = true
			r.channels[d.Channel].mean(d)
			taken[r.channels[d.Channel].rank()] = true
		}
	}
	for i := range r.channels {
		if !defined[i] {
			r.channels[i].Meaning, r.channels[i].Color = r.byPlace(i, taken)
		}
	}
}

func (c *Channel) mean(d ChannelDefinition) {
	c.Meaning = d.Meaning
	if d.Association != NoColor {
		c.Color = int(d.Association)
	}
	if c.Meaning > PremultipliedOpacity {
		c.Meaning, c.Color = Unspecified, 0
	}
}

// byPlace is the meaning of a channel that is not defined: the colour of its number, if there is such and no other
// channel is it.
func (r *resolver) byPlace(number int, taken map[int]bool) (Meaning, int) {
	if color := number + 1; color <= r.colors() && !taken[color] {
		return Color, color
	}
	return Unspecified, 0
}

// colors is how many colours the image has.
func (r *resolver) colors() int {
	if spec, ok := r.container.Color(); ok {
		return spec.colors()
	}
	return len(r.channels)
}
