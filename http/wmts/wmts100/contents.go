package wmts100

import (
	"bytes"
	"strings"

	"tileserver/geo"
	"tileserver/http/plain"
)

// contents is the encoded section of layers.
type contents struct {
	text   []byte
	remark string // on the omitted layers, or ""
}

// contents encodes all layers in full, or as many as fit briefly.
func (d *Document) contents() contents {
	if !d.Sections.Contents && !d.Sections.ServiceIdentification {
		return contents{}
	}
	maxBytes := d.maxContentsBytes()
	full := newContentsWriter(d, maxBytes)
	for l := range d.Layers {
		if !full.add(l) {
			return d.briefContents(maxBytes)
		}
	}
	return contents{text: full.end()}
}

func (d *Document) briefContents(maxBytes int) contents {
	brief := newContentsWriter(d, maxBytes)
	count, last := 0, ""
	for l := range d.Layers {
		if !brief.add(l.brief()) && count > 0 {
			break
		}
		count, last = count+1, l.ID
	}
	result := contents{text: brief.end()}
	if d.Remark != nil {
		result.remark = plain.Text(d.Remark(count, last), maxAbstractRunes)
	}
	return result
}

// maxContentsBytes returns what the other sections leave of MaxBytes, or 0 if it is unlimited.
func (d *Document) maxContentsBytes() int {
	if d.MaxBytes == 0 {
		return 0
	}
	var rest counter
	w := newWriter(&rest)
	d.write(w, contents{remark: d.longestRemark()})
	_ = w.flush()                                                      // writing to a counter cannot fail
	return max(d.MaxBytes-int(rest)-len("<Contents></Contents>")-4, 1) // with the white space of its tags
}

// longestRemark returns a remark of the maximum length.
func (d *Document) longestRemark() string {
	if d.Remark == nil {
		return ""
	}
	const longID, digits = 300, 10
	return plain.Text(d.Remark(0, strings.Repeat("x", longID)), maxAbstractRunes) + strings.Repeat("0", digits)
}

// counter counts the bytes written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// brief returns the layer with its first tile set only, without legends and limits.
func (l *Layer) brief() *Layer {
	brief := *l
	brief.TileSets = []TileSet{l.TileSets[0]}
	brief.TileSets[0].Limits = nil
	brief.Styles = make([]Style, len(l.Styles))
	for i, style := range l.Styles {
		brief.Styles[i] = Style{ID: style.ID, Title: style.Title}
	}
	return &brief
}

// contentsWriter writes layers, followed by each of their tile matrix sets once. A set ends with
// the finest level of any layer, as a well-known set may: GDAL takes the last level for the native
// resolution of a layer.
type contentsWriter struct {
	document *Document
	maxBytes int // 0 is unlimited

	layers      bytes.Buffer
	sets        []*geo.TileMatrixSet
	levels      map[string]int // by the id of the set
	setBytes    map[string]int // the size of each set with that many levels
	allSetBytes int            // the sum of setBytes
}

func newContentsWriter(d *Document, maxBytes int) *contentsWriter {
	return &contentsWriter{document: d, maxBytes: maxBytes, levels: make(map[string]int), setBytes: make(map[string]int)}
}

// sectionDepth is the depth of the section's elements.
const sectionDepth = 1

// add returns false if the section exceeds its bound with this layer. It then drops the layer,
// unless it is the first.
func (c *contentsWriter) add(l *Layer) bool {
	before := c.layers.Len()
	w := newFragment(&c.layers, sectionDepth+1)
	c.document.writeLayer(w, l)
	_ = w.flush() // a buffer takes everything
	bytes := c.layers.Len() + c.allSetBytes
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

// growth returns the bytes by which the set of a layer lengthens the section.
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
		c.allSetBytes += bytes - c.setBytes[id]
		c.setBytes[id] = bytes
	}
}

func bytesOfSet(set *geo.TileMatrixSet, levels int) int {
	var size counter
	w := newFragment(&size, sectionDepth+1)
	writeMatrixSet(w, set, levels)
	_ = w.flush()
	return int(size)
}

// end returns the whole section.
func (c *contentsWriter) end() []byte {
	var section bytes.Buffer
	w := newFragment(&section, sectionDepth)
	w.open("Contents")
	w.raw(c.layers.Bytes())
	for _, set := range c.sets {
		writeMatrixSet(w, set, c.levels[set.ID])
	}
	w.close("Contents")
	_ = w.flush()
	return section.Bytes()
}
