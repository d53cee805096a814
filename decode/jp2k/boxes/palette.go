package boxes

import "encoding/binary"

// Palette is a table of colours: a sample of one component stands for one entry of each column.
type Palette struct {
	Columns []BitDepth
	values  []int64 // entry after entry
}

// NewPalette is a palette of those columns, of values entry after entry. What is over whole entries is left out.
func NewPalette(columns []BitDepth, values []int64) *Palette {
	return &Palette{columns, values[:len(values)/max(len(columns), 1)*len(columns)]}
}

// Entries is how many colours there are.
func (p *Palette) Entries() int { return len(p.values) / max(len(p.Columns), 1) }

// At is one value.
func (p *Palette) At(entry, column int) int64 { return p.values[entry*len(p.Columns)+column] }

// The most that the standard has.
const (
	mostEntries     = 1024
	mostPaletteBits = 38
)

func (w *walker) palette(b box, content []byte) {
	switch {
	case w.c.Palette != nil:
		w.note("%v is another palette, and is left out", b)
		return
	case len(content) < 3:
		w.note("%v has %d bytes", b, len(content))
		return
	}
	entries, columns := int(binary.BigEndian.Uint16(content)), int(content[2])
	content = content[3:]
	if entries == 0 || entries > mostEntries || columns == 0 || len(content) < columns {
		w.note("%v is a palette of %d colours in %d columns", b, entries, columns)
		return
	}
	p := &Palette{Columns: make([]BitDepth, columns)}
	entryBytes := 0
	for i := range p.Columns {
		p.Columns[i] = bitDepth(content[i])
		entryBytes += p.Columns[i].bytes()
		if p.Columns[i].Bits > mostPaletteBits {
			w.note("%v has colours of %d bits", b, p.Columns[i].Bits)
			return
		}
	}
	content = content[columns:]
	if whole := len(content) / entryBytes; whole < entries {
		w.note("%v has only %d of its %d colours", b, whole, entries)
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

// bytes is how many a sample takes where it stands by itself.
func (d BitDepth) bytes() int { return (d.Bits + 7) / 8 }

// value is the sample that bytes begin with.
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

// Mapping says what a channel is made of.
type Mapping struct {
	Component int
	Column    int // of the palette that the component's samples are looked up in, or Direct
}

// Direct is in the place of a column where samples are what they are.
const Direct = -1

func (w *walker) componentMapping(b box, content []byte) {
	const length = 4
	if w.c.ComponentMapping != nil || len(content)/length > mostChannels {
		w.note("%v is there twice or too long, and is left out", b)
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

// ChannelDefinition says what a channel is for.
type ChannelDefinition struct {
	Channel     int
	Meaning     Meaning
	Association uint16 // the number of a colour from 1, WholeImage or NoColor
}

// What a channel may be associated with beside a colour.
const (
	WholeImage uint16 = 0
	NoColor    uint16 = 1<<16 - 1
)

// mostChannels is as many as numbers of 16 bits can tell apart.
const mostChannels = 1 << 16

func (w *walker) channelDefinitions(b box, content []byte) {
	const length = 6
	if w.c.ChannelDefinitions != nil || len(content) < 2 {
		w.note("%v is there twice or empty, and is left out", b)
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
