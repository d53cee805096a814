package components

import (
	"context"
	"slices"

	"tileserver/decode/jp2k/packets"
	"tileserver/source"
)

// A walk reads a far tile from its beginning to its end, as a scan of its packets does. Pieces are under way while
// others are parsed, so it takes about as long as the bytes take on the line. They grow, and become more, as long as
// the scan goes on where they end. Where it skips more than a round trip is worth, they begin small again.
type walk struct {
	*prefetchReader
	runs   []packets.Range // of the tile; none lies close behind another
	pieces []*piece        // in memory or under way; the first one has what was peeked last
	end    int64           // of the last piece
	next   int64           // size of the next piece
	ahead  int             // number of pieces to have under way
	share  walkShare

	kept      readBytes // the first bytes that were read
	keptBytes int64
}

// walkShare is what a walk may have, of what all walks of a call may.
type walkShare struct {
	pieces int   // under way beside the first one
	bytes  int64 // that are kept
}

// piece is a range that is under way.
type piece struct {
	packets.Range
	bytes   []byte
	err     error
	done    chan struct{} // closed once bytes or err is set
	cancel  context.CancelFunc
	isTaken bool // whether it was waited for
}

const (
	maxPieceBytes    = 2 << 20
	maxPieces        = 8       // under way, of all walks of a call
	maxWalkKeptBytes = 8 << 20 // of all walks of a call
)

// shareOf returns the share of the walk over a tile, of so many that are read in a call.
func shareOf(tiles int) walkShare {
	each := ceilDivide(tiles, maxTileReaders)
	return walkShare{max(maxPieces*each/tiles, 1), maxWalkKeptBytes / int64(tiles)}
}

// newWalk returns a walk over the tile-parts of a tile.
func newWalk(r *prefetchReader, parts []packets.Range, share walkShare) *walk {
	w := &walk{prefetchReader: r, next: source.TripBytes, share: share}
	for _, p := range parts {
		if last := len(w.runs) - 1; last >= 0 {
			if gap := p.Offset - endOf(w.runs[last]); gap >= 0 && gap <= source.TripBytes {
				w.runs[last].Length += gap + p.Length
				continue
			}
		}
		w.runs = append(w.runs, p)
	}
	return w
}

func endOf(r packets.Range) int64 { return r.Offset + r.Length }

// Peek returns bytes that are in memory, or waits for the pieces with them.
func (w *walk) Peek(offset int64, minLength int) ([]byte, error) {
	length := min(int64(minLength), w.Size()-offset)
	if length <= 0 {
		return nil, nil
	}
	if known := w.inMemory(offset, length); known != nil {
		return known, nil
	}
	if !w.moveTo(offset) {
		return w.prefetchReader.Peek(offset, minLength)
	}
	return w.bytes(offset, length)
}

// moveTo makes the piece with an offset the first one. It returns false if no run has the offset.
func (w *walk) moveTo(offset int64) bool {
	passed := 0
	for passed < len(w.pieces) && !contains(w.pieces[passed].Range, offset) {
		w.pieces[passed].cancel()
		passed++
	}
	w.pieces = w.pieces[passed:]
	gap := offset - w.end
	goesOn := len(w.pieces) > 0 || w.end > 0 && gap >= 0 && gap <= source.TripBytes
	switch {
	case !goesOn && w.end > 0:
		w.next, w.ahead = farJumpReadBytes, 0
	case goesOn && passed > 0:
		w.ahead = min(max(2*w.ahead, 1), w.share.pieces)
	}
	if len(w.pieces) == 0 {
		rest := w.rest(offset)
		if rest.Offset != offset || !w.ask(rest) {
			return false
		}
	}
	for len(w.pieces) <= w.ahead && w.ask(w.rest(w.end)) {
	}
	return true
}

func contains(r packets.Range, offset int64) bool { return offset >= r.Offset && offset < endOf(r) }

// rest returns what is left of the run that has an offset. If a run ends there, it returns the next one.
func (w *walk) rest(offset int64) packets.Range {
	for i, run := range w.runs {
		switch {
		case contains(run, offset):
			return packets.Range{Offset: offset, Length: endOf(run) - offset}
		case endOf(run) == offset && i+1 < len(w.runs):
			return w.runs[i+1]
		}
	}
	return packets.Range{}
}

// ask asks for the next piece of the rest of a run. It returns false if nothing is left.
func (w *walk) ask(rest packets.Range) bool {
	if rest.Length <= 0 {
		return false
	}
	length := w.next
	if head := source.HeadBytes - w.extent.Offset - rest.Offset; head > 0 {
		length = head // which is in memory
	} else {
		w.next = min(max(2*w.next, source.TripBytes), maxPieceBytes)
	}
	ctx, cancel := context.WithCancel(w.ctx)
	p := &piece{Range: packets.Range{Offset: rest.Offset, Length: min(length, rest.Length)}, done: make(chan struct{}), cancel: cancel}
	w.pieces, w.end = append(w.pieces, p), endOf(p.Range)
	go p.read(ctx, w.src, source.Range{Offset: w.extent.Offset + p.Offset, Length: p.Length})
	return true
}

func (p *piece) read(ctx context.Context, src source.Source, wanted source.Range) {
	defer close(p.done)
	read, err := src.ReadRanges(ctx, []source.Range{wanted})
	if p.err = err; err == nil {
		p.bytes = read[0]
	}
}

// bytes returns bytes from an offset in the first piece on. They may end in another piece.
func (w *walk) bytes(offset, length int64) ([]byte, error) {
	first, err := w.await(w.pieces[0])
	if err != nil {
		return nil, err
	}
	known := first[offset-w.pieces[0].Offset:]
	if int64(len(known)) >= length {
		return known, nil
	}
	known = slices.Clone(known)
	for i := 1; int64(len(known)) < length; i++ {
		end := offset + int64(len(known))
		if i == len(w.pieces) && !w.ask(w.rest(end)) || w.pieces[i].Offset != end {
			return w.prefetchReader.Peek(offset, int(length))
		}
		more, err := w.await(w.pieces[i])
		if err != nil {
			return nil, err
		}
		known = append(known, more[:min(int64(len(more)), length-int64(len(known)))]...)
	}
	return known, nil
}

// await waits for a piece. The first ones are kept.
func (w *walk) await(p *piece) ([]byte, error) {
	select {
	case <-p.done:
	case <-w.ctx.Done():
		return nil, context.Cause(w.ctx)
	}
	if p.err == nil && !p.isTaken && w.keptBytes+p.Length <= w.share.bytes {
		w.kept, w.keptBytes = append(w.kept, readRange{p.Offset, p.bytes}), w.keptBytes+p.Length
	}
	p.isTaken = true
	return p.bytes, p.err
}

// stop ends what is under way.
func (w *walk) stop() {
	for _, p := range w.pieces {
		p.cancel()
	}
}
