package wmts

import (
	"bytes"
	"strings"

	"tileserver/geo"
	"tileserver/http/plain"
)

// contents is the section of layers, as it is written.
type contents struct {
	text   []byte
	remark string // of what was left out, or ""
}

// contents writes all layers in full, or as many as fit in short.
func (d *Document) contents() contents {
	if !d.Sections.Contents && !d.Sections.ServiceIdentification {
		return contents{}
	}
	maxBytes := d.maxContentsBytes()
	full := newContentsWriter(d, maxBytes)
	for l := range d.Layers {
		if !full.add(l) {
			return d.shortContents(maxBytes)
		}
	}
	return contents{text: full.end()}
}

func (d *Document) shortContents(maxBytes int) contents {
	short := newContentsWriter(d, maxBytes)
	count, last := 0, ""
	for l := range d.Layers {
		if !short.add(l.inShort()) && count > 0 {
			break
		}
		count, last = count+1, l.ID
	}
	made := contents{text: short.end()}
	if d.Remark != nil {
		made.remark = plain.Text(d.Remark(count, last), maxAbstractRunes)
	}
	return made
}

// maxContentsBytes is what the other sections leave of MaxBytes, or 0 for no bound.
func (d *Document) maxContentsBytes() int {
	if d.MaxBytes == 0 {
		return 0
	}
	var rest counter
	w := newWriter(&rest)
	d.write(w, contents{remark: d.longestRemark()})
	_ = w.flush()                                                      // a counter takes everything
	return max(d.MaxBytes-int(rest)-len("<Contents></Contents>")-4, 1) // with the white space of its tags
}

// longestRemark is as long as the remark may become.
func (d *Document) longestRemark() string {
	if d.Remark == nil {
		return ""
	}
	const longID, digits = 300, 10
	return plain.Text(d.Remark(0, strings.Repeat("x", longID)), maxAbstractRunes) + strings.Repeat("0", digits)
}

// counter counts what is written.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// inShort is the layer in the grid that it has first, without legends and limits.
func (l *Layer) inShort() *Layer {
	short := *l
	short.TileSets = []TileSet{l.TileSets[0]}
	short.TileSets[0].Limits = nil
	short.Styles = make([]Style, len(l.Styles))
	for i, style := range l.Styles {
		short.Styles[i] = Style{ID: style.ID, Title: style.Title}
	}
	return &short
}

// contentsWriter writes layers, and then the tile matrix sets that those are in, each once. A set ends with the finest
// level that some layer has, as a well-known one may: GDAL takes the last level for the pixels of a layer.
type contentsWriter struct {
	document *Document
	maxBytes int // 0 is no bound

	layers   bytes.Buffer
	sets     []*geo.TileMatrixSet
	levels   map[string]int // of each set, by its id
	setBytes map[string]int // of each set with so many levels
	allSets  int            // the sum of setBytes
}

func newContentsWriter(d *Document, maxBytes int) *contentsWriter {
	return &contentsWriter{document: d, maxBytes: maxBytes, levels: make(map[string]int), setBytes: make(map[string]int)}
}

// Elements of the section, and of what it consists of, lie this deep.
const sectionDepth = 1

// add is false if the section is longer than it may be with this layer, which is left out then unless it is the first.
func (c *contentsWriter) add(l *Layer) bool {
	before := c.layers.Len()
	w := newPart(&c.layers, sectionDepth+1)
	c.document.writeLayer(w, l)
	_ = w.flush() // a buffer takes everything
	bytes := c.layers.Len() + c.allSets
	if c.maxBytes > 0 {
		for _, t := range l.TileSets {
			bytes += c.growth(t)
		}
	}
	fits := c.maxBytes == 0 || bytes <= c.maxBytes
	if !fits && before > 0 {
		c.layers.Truncate(before)
		return false
	}
	for _, t := range l.TileSets {
		c.addSet(t)
	}
	return fits
}

// growth is how many bytes longer the section becomes by the set of a layer.
func (c *contentsWriter) growth(t TileSet) int {
	if c.levels[t.Set.ID] >= t.Levels {
		return 0
	}
	return bytesOfSet(t.Set, t.Levels) - c.setBytes[t.Set.ID]
}

func (c *contentsWriter) addSet(t TileSet) {
	id := t.Set.ID
	levels, known := c.levels[id]
	if !known {
		c.sets = append(c.sets, t.Set)
	}
	if known && levels >= t.Levels {
		return
	}
	if c.levels[id] = t.Levels; c.maxBytes > 0 {
		bytes := bytesOfSet(t.Set, t.Levels)
		c.allSets += bytes - c.setBytes[id]
		c.setBytes[id] = bytes
	}
}

func bytesOfSet(set *geo.TileMatrixSet, levels int) int {
	var size counter
	w := newPart(&size, sectionDepth+1)
	writeMatrixSet(w, set, levels)
	_ = w.flush()
	return int(size)
}

// end returns the whole section.
func (c *contentsWriter) end() []byte {
	var section bytes.Buffer
	w := newPart(&section, sectionDepth)
	w.open("Contents")
	w.raw(c.layers.Bytes())
	for _, set := range c.sets {
		writeMatrixSet(w, set, c.levels[set.ID])
	}
	w.close("Contents")
	_ = w.flush()
	return section.Bytes()
}
