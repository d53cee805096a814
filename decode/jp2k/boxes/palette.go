package boxes

import "encoding/binary"

// Palette is a table of colors. A sample of one component selects an entry with one value per
// column.
type Palette struct {
	Columns []BitDepth
	values  []int64 // entry by entry
}

// Entries returns the number of colors.
func (p *Palette) Entries() int { return len(p.values) / max(len(p.Columns), 1) }

// At returns one value.
func (p *Palette) At(entry, column int) int64 { return p.values[entry*len(p.Columns)+column] }

// The maxima of the standard.
const (
	maxEntries     = 1024
	maxPaletteBits = 38
)

func (w *parser) palette(b box, content []byte) {
	switch {
	case w.c.Palette != nil:
		w.note("%v is another palette and is ignored", b)
		return
	case len(content) < 3:
		w.note("%v has %d bytes", b, len(content))
		return
	}
	entries, columns := int(binary.BigEndian.Uint16(content)), int(content[2])
	content = content[3:]
	if entries == 0 || entries > maxEntries || columns == 0 || len(content) < columns {
		w.note("%v is a palette of %d colors in %d columns", b, entries, columns)
		return
	}
	p := &Palette{Columns: make([]BitDepth, columns)}
	entryBytes := 0
	for i := range p.Columns {
		p.Columns[i] = bitDepth(content[i])
		entryBytes += p.Columns[i].bytes()
		if p.Columns[i].Bits > maxPaletteBits {
			w.note("%v has colors of %d bits", b, p.Columns[i].Bits)
			return
		}
	}
	content = content[columns:]
	if whole := len(content) / entryBytes; whole < entries {
		w.note("%v has only %d of its %d colors", b, whole, entries)
		entries = whole
	}
	if entries == 0 {
		return
	}
	p.values = make([]int64, 0, entries*columns)
	for range entries {
		for _, depth := range p.Columns {
			p.values = append(p.values, depth.value(content))
			content = content[depth.bytes():]
		}
	}
	w.c.Palette = p
}

// bytes returns the size of a sample in bytes.
func (d BitDepth) bytes() int { return (d.Bits + 7) / 8 }

// value returns the sample at the beginning of content.
func (d BitDepth) value(content []byte) int64 {
	var v uint64
	for _, b := range content[:d.bytes()] {
		v = v<<8 | uint64(b)
	}
	unused := 64 - d.Bits
	if d.Signed {
		return int64(v<<unused) >> unused
	}
	return int64(v << unused >> unused)
}

// Mapping is the source of a channel.
type Mapping struct {
	Component int
	Column    int // column of the palette in which the component's samples are looked up, or Direct
}

// Direct is the column of channels whose samples are not looked up.
const Direct = -1

func (w *parser) componentMapping(b box, content []byte) {
	const length = 4
	if w.c.ComponentMapping != nil || len(content)/length > maxChannels {
		w.note("%v is present twice or too long and is ignored", b)
		return
	}
	for ; len(content) >= length; content = content[length:] {
		m := Mapping{int(binary.BigEndian.Uint16(content)), Direct}
		switch content[2] {
		case 0:
		case 1:
			m.Column = int(content[3])
		default:
			w.note("%v has a mapping of type %d", b, content[2])
		}
		w.c.ComponentMapping = append(w.c.ComponentMapping, m)
	}
	if len(content) > 0 {
		w.note("%v has %d bytes too many", b, len(content))
	}
}

// ChannelDefinition gives the purpose of a channel.
type ChannelDefinition struct {
	Channel     int
	Meaning     Meaning
	Association uint16 // number of a color from 1, WholeImage or NoColor
}

// What a channel may be associated with, other than a color.
const (
	WholeImage uint16 = 0
	NoColor    uint16 = 1<<16 - 1
)

// maxChannels is the number of channels that 16 bits can distinguish.
const maxChannels = 1 << 16

func (w *parser) channelDefinitions(b box, content []byte) {
	const length = 6
	if w.c.ChannelDefinitions != nil || len(content) < 2 {
		w.note("%v is present twice or empty and is ignored", b)
		return
	}
	count := int(binary.BigEndian.Uint16(content))
	content = content[2:]
	if whole := len(content) / length; whole < count {
		w.note("%v defines %d channels of %d", b, whole, count)
		count = whole
	}
	for range count {
		w.c.ChannelDefinitions = append(w.c.ChannelDefinitions, ChannelDefinition{
			Channel: int(binary.BigEndian.Uint16(content)), Meaning: Meaning(binary.BigEndian.Uint16(content[2:])),
			Association: binary.BigEndian.Uint16(content[4:]),
		})
		content = content[length:]
	}
}
