package nitf

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/decode/nitf/masks"
	"tileserver/decode/nitf/rpf"
	"tileserver/decode/nitf/segments"
	"tileserver/raster"
	"tileserver/source"
)

// location is where a stored block is in the file.
type location struct {
	where   source.Range
	state   masks.State
	hasPads bool
}

// index finds stored blocks by the number of their entry: that of the block, after those of all
// bands before it if each band is stored in blocks of its own.
type index interface {
	find(ctx context.Context, entries []int64) ([]location, error)
}

// regular is the index of blocks that are stored one behind the other, all with one size.
type regular struct {
	content source.Range // from the first block on
	each    int64
}

func (x regular) find(_ context.Context, entries []int64) ([]location, error) {
	places := make([]location, len(entries))
	for i, n := range entries {
		offset := x.content.Offset + x.content.Length
		if n <= (math.MaxInt64-x.content.Offset)/x.each {
			offset = x.content.Offset + n*x.each
		}
		places[i] = within(source.Range{Offset: offset, Length: x.each}, x.content)
	}
	return places, nil
}

// within returns the location of a block, cut off where the content ends.
func within(where, content source.Range) location {
	if where.Offset >= content.End() {
		return location{state: masks.Lost}
	}
	where.Length = min(where.Length, content.End()-where.Offset)
	return location{where: where}
}

// only is the index of an image of one block.
type only struct{ content source.Range }

func (x only) find(_ context.Context, entries []int64) ([]location, error) {
	places := make([]location, len(entries))
	for i := range places {
		places[i] = within(x.content, x.content)
	}
	return places, nil
}

// masked is the index of blocks in a table.
type masked struct {
	table   *masks.Table
	content source.Range // from the first block on
	each    int64        // size of a block; 0 if it differs
	most    int64        // maximum size of a block
	ordered index        // if the table does not say where blocks are
}

func (x masked) find(ctx context.Context, entries []int64) ([]location, error) {
	found, err := x.table.Find(ctx, entries)
	if err != nil {
		return nil, err
	}
	var ordered []location
	if x.ordered != nil {
		if ordered, err = x.ordered.find(ctx, entries); err != nil {
			return nil, err
		}
	}
	places := make([]location, len(entries))
	for i, e := range found {
		switch {
		case e.State != masks.Stored:
			places[i] = location{state: e.State}
			continue
		case ordered != nil:
			places[i] = ordered[i]
		default:
			places[i] = within(source.Range{Offset: x.content.Offset + e.Offset, Length: x.length(e)}, x.content)
		}
		places[i].hasPads = e.HasPads
	}
	return places, nil
}

// length returns the size of a block, or the size that it has at most.
func (x masked) length(e masks.Entry) int64 {
	if x.each > 0 {
		return x.each
	}
	if next := e.Next(); next > e.Offset {
		return min(next-e.Offset, x.most)
	}
	return x.most
}

// newIndex reads what is before the blocks of an image, and returns its index.
func (m *blockImage) newIndex(ctx context.Context) (index, error) {
	if m.strips != nil {
		return m.strips, m.checkStreams(m.strips.data.Length)
	}
	entries := m.grid.count() * int64(m.coding.planes())
	if m.coding.compression == vectorQuantization {
		return m.newQuantizedIndex(ctx, entries)
	}
	each := int64(0)
	if m.coding.isRaw() {
		each = m.raw.entryBytes(&m.coding)
	}
	if !m.coding.isMasked {
		return m.indexOf(m.header.Content, each, entries)
	}
	if err := m.readMask(ctx, entries); err != nil {
		return nil, err
	}
	return m.maskedIndex(m.header.Content, rest(m.header.Content, m.mask.Data), each, entries)
}

// rest returns a range without its first bytes.
func rest(r source.Range, bytes int64) source.Range {
	return source.Range{Offset: r.Offset + bytes, Length: r.Length - bytes}
}

// maskedIndex returns the index of blocks in a table. mask is where the tables begin, data where
// the blocks do.
func (m *blockImage) maskedIndex(mask, data source.Range, each, entries int64) (index, error) {
	if err := checkShare(data.Length, each, 1); err != nil && data.Length > 0 {
		return nil, err
	}
	x := masked{table: masks.NewTable(m.mask, m.file.src, mask, entries), content: data, each: each, most: m.mostBytes()}
	if !m.mask.Reaches(data.Length, cmp.Or(each, x.most)) {
		return nil, fmt.Errorf("a mask whose offsets of 32 bits do not reach all blocks in %d bytes: %w", data.Length, decode.ErrUnsupported)
	}
	if m.mask.HasBlocks() {
		return x, nil
	}
	var err error
	x.ordered, err = m.indexOf(data, each, entries)
	return x, err
}

// newQuantizedIndex reads the codebook and returns the index of the codes. A frame of a map says
// where its parts are; the mask may then also be there without a word of it in the subheader.
func (m *blockImage) newQuantizedIndex(ctx context.Context, entries int64) (index, error) {
	content := m.header.Content
	if book, ok := m.frameAt(rpf.DisplayParameters); ok {
		data, _ := m.frameAt(rpf.SpatialData)
		_, each, err := m.readCodebook(ctx, source.Range{Offset: book.Offset, Length: m.file.src.Size() - book.Offset})
		if err != nil {
			return nil, err
		}
		return m.newFrameIndex(ctx, data, each, entries)
	}
	if !m.coding.isMasked {
		size, each, err := m.readCodebook(ctx, content)
		if err != nil {
			return nil, err
		}
		return m.indexOf(rest(content, size), each, entries)
	}
	if err := m.readMask(ctx, entries); err != nil {
		return nil, err
	}
	_, each, err := m.readCodebook(ctx, rest(content, m.mask.End))
	if err != nil {
		return nil, err
	}
	return m.maskedIndex(content, rest(content, m.mask.Data), each, entries)
}

// newFrameIndex returns the index of the codes of a frame, by its mask if it has one.
func (m *blockImage) newFrameIndex(ctx context.Context, data source.Range, each, entries int64) (index, error) {
	mask, ok := m.frameAt(rpf.Mask)
	if !ok {
		return m.indexOf(data, each, entries)
	}
	parts, err := m.file.src.ReadRanges(ctx, []source.Range{{Offset: mask.Offset, Length: min(mask.Length, masks.HeaderBytes)}})
	if err != nil {
		return nil, err
	}
	if m.mask, err = masks.ParseSubsection(parts[0], entries); err != nil {
		return nil, err
	}
	return m.maskedIndex(mask, data, each, entries)
}

// readMask reads the head of the mask.
func (m *blockImage) readMask(ctx context.Context, entries int64) (err error) {
	content := m.header.Content
	parts, err := m.file.src.ReadRanges(ctx, []source.Range{{Offset: content.Offset, Length: min(masks.HeaderBytes, content.Length)}})
	if err != nil {
		return err
	}
	if m.mask, err = masks.ParseHeader(parts[0], entries); err != nil {
		return err
	}
	if m.mask.Data > content.Length {
		return fmt.Errorf("the file ends within the mask: %w", masks.ErrCorrupt)
	}
	return nil
}

// indexOf returns the index of blocks that no table lists.
func (m *blockImage) indexOf(data source.Range, each, entries int64) (index, error) {
	switch {
	case each > 0:
		if err := checkShare(data.Length, each, entries); err != nil {
			return nil, err
		}
		return regular{data, each}, nil
	case m.coding.compression == blocks.JPEG:
		if err := m.checkStreams(data.Length); err != nil {
			return nil, err
		}
	case m.coding.compression != reducedJPEG && entries == 1:
		return only{data}, nil
	}
	return newStreams(m.file.src, data, entries, m.mostBytes())
}

// checkStreams returns an error if nearly all JPEG streams of the image must be missing, for the
// reason of checkShare. Each 8 x 8 samples take two bits or more.
func (m *blockImage) checkStreams(stored int64) error {
	if stored == 0 {
		return fmt.Errorf("the file ends before the pixels: %w", segments.ErrCorrupt)
	}
	const unitSamples, bits, minShare = 64, 2, 1. / 8
	units := float64(m.grid.width) * float64(m.grid.height) * float64(m.coding.bands) / unitSamples
	if 8*float64(stored) < minShare*bits*units {
		return fmt.Errorf("%d bytes of JPEG for %dx%d pixels: %w", stored, m.grid.width, m.grid.height, segments.ErrCorrupt)
	}
	return nil
}

// checkShare returns an error if nearly all of some blocks is missing. Otherwise a small file could
// claim any size, and readers would go through all of it.
func checkShare(stored, each, blocks int64) error {
	const minShare = 1. / 64
	if float64(stored) < minShare*float64(each)*float64(blocks) {
		return fmt.Errorf("%d bytes of %d blocks of %d bytes: %w", stored, blocks, each, segments.ErrCorrupt)
	}
	return nil
}

// mostBytes returns the maximum size of a compressed block: twice that of its samples, and what
// headers take.
func (m *blockImage) mostBytes() int64 {
	const headers = 64 << 10
	samples := float64(m.grid.storedWidth) * float64(m.grid.storedHeight) * float64(m.coding.layout.Samples)
	return headers + int64(min(2*samples*float64(m.info.Type.Size()), 1<<40))
}

var _ raster.SparseProvider = (*blockImage)(nil)

// Empty reports whether no block under a rectangle is stored. It looks at a limited number of
// blocks.
func (m *blockImage) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if err := m.info.CheckRequest(level, nil, nil); err != nil {
		return false, err
	}
	if !m.mask.HasBlocks() || m.unsupported != nil {
		return false, nil
	}
	const maxEntries = 1 << 18
	stored := raster.Level{Width: m.grid.width, Height: m.grid.height, BlockWidth: m.grid.storedWidth, BlockHeight: m.grid.storedHeight}
	if stored.CountCovering(rect)*int64(m.coding.planes()) > maxEntries {
		return false, nil
	}
	ids := stored.Covering(rect)
	entries := make([]int64, 0, len(ids)*m.coding.planes())
	for plane := range int64(m.coding.planes()) {
		for _, id := range ids {
			entries = append(entries, plane*m.grid.count()+int64(id.Row)*int64(m.grid.columns)+int64(id.Col))
		}
	}
	places, err := m.index.find(ctx, entries)
	if err != nil {
		return false, m.wrapError(err)
	}
	for _, p := range places {
		if p.state != masks.Absent {
			return false, nil
		}
	}
	return true, nil
}
