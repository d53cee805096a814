package nitf

import (
	"bytes"
	"context"
	"sync"

	"tileserver/codec/jpeg"
	"tileserver/decode/blocks"
	"tileserver/decode/nitf/masks"
	"tileserver/raster"
	"tileserver/source"
)

// strips is the index of an image that is one JPEG stream, whose rows can be decoded alone between
// its restart markers. Some rows are an entry, in place of a stored block. It reads the stream up to
// the last rows that are asked for, once. Rows that were found before are found without waiting for
// that. It is safe for concurrent use.
type strips struct {
	src  source.Source
	data source.Range
	each int // strips in an entry

	turn chan struct{} // held while a piece of the file is read

	mu   sync.Mutex // guards the fields below; not held while reading
	rows jpeg.RowIndex
	at   int64 // from the beginning of the data
}

// divideStream divides a large image that is one JPEG stream into rows, if its restart markers
// allow it. Otherwise each tile of it would take all of it to decode.
func (m *blockImage) divideStream(ctx context.Context) error {
	const (
		maxStreamBytes = 2 << 20 // of samples that are decoded as one
		entryBytes     = 512 << 10
	)
	rowBytes := m.grid.width * m.coding.layout.Samples * m.info.Type.Size()
	isOne := m.grid.count()*int64(m.coding.planes()) == 1 && !m.coding.isMasked
	if m.coding.compression != blocks.JPEG || !isOne || int64(rowBytes)*int64(m.grid.height) <= maxStreamBytes {
		return nil
	}
	x := &strips{src: m.file.src, data: m.header.Content, turn: make(chan struct{}, 1)}
	if err := x.readHead(ctx); err != nil || x.rows.PartRows() == 0 {
		return err
	}
	x.each = max(1, entryBytes/(rowBytes*x.rows.PartRows()))
	if rows := x.each * x.rows.PartRows(); rows < m.grid.height {
		m.grid.divideStored(rows)
		m.strips = x
	}
	return nil
}

// readHead reads the headers of the stream.
func (x *strips) readHead(ctx context.Context) error {
	const headBytes = 16 << 10
	for !x.rows.IsRead() && x.at < x.data.Length {
		if err := x.add(ctx, headBytes); err != nil {
			return err
		}
	}
	return nil
}

// add reads on, if the stream has not ended. The caller holds the turn.
func (x *strips) add(ctx context.Context, most int64) error {
	x.mu.Lock()
	at := x.at
	x.mu.Unlock()
	piece := source.Range{Offset: x.data.Offset + at, Length: min(most, x.data.Length-at)}
	if piece.Length == 0 { // the last one was read while the caller waited for its turn
		return nil
	}
	read, err := x.src.ReadRanges(ctx, []source.Range{piece})
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if at == 0 && !bytes.HasPrefix(read[0], []byte{0xFF, byte(jpeg.MarkerStart)}) {
		x.rows.Close() // its stream is elsewhere
		return nil
	}
	x.rows.Add(read[0])
	if x.at += piece.Length; x.at == x.data.Length {
		x.rows.Close()
	}
	return nil
}

func (x *strips) find(ctx context.Context, entries []int64) ([]location, error) {
	const pieceBytes = 1 << 20
	for {
		if places, ok := x.found(entries); ok {
			return places, nil
		}
		select {
		case x.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		err := x.add(ctx, pieceBytes)
		<-x.turn
		if err != nil {
			return nil, err
		}
	}
}

// found returns where rows are, if the stream was read far enough to tell.
func (x *strips) found(entries []int64) ([]location, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	places := make([]location, len(entries))
	for i, n := range entries {
		first, count := x.stripsOf(n)
		where, known := x.rows.Parts(first, count)
		switch {
		case known:
			places[i].where = source.Range{Offset: x.data.Offset + where.Offset, Length: where.Length}
		case x.at < x.data.Length:
			return nil, false
		default:
			places[i].state = masks.Lost
		}
	}
	return places, true
}

// stripsOf returns the strips of an entry, with their neighbors if these are needed.
func (x *strips) stripsOf(entry int64) (first, count int) {
	begin := int(entry) * x.each
	first = max(0, begin-x.rows.Neighbors())
	return first, begin + x.each + x.rows.Neighbors() - first
}

// stream returns the rows of an entry, and of the neighbors of its strips, as a stream of their own.
func (x *strips) stream(entry int64, data []byte) []byte {
	first, count := x.stripsOf(entry)
	return x.rows.Stream(data, first, count)
}

// locateStrips sets how to decode a piece of an image with strips.
func (m *blockImage) locateStrips(p *piece) {
	first, count := m.strips.stripsOf(p.entry)
	above := (int(p.entry)*m.strips.each - first) * m.strips.rows.PartRows()
	p.job.Rows = count * m.strips.rows.PartRows()
	if above > 0 {
		p.above, p.stride = above, m.grid.storedWidth
		p.rows = raster.NewBuffer(m.coding.layout.Type, p.stride, above+p.within.Height(), len(p.samples))
	}
}
