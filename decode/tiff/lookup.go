package tiff

import "context"

// lookup is the pieces of block indexes that a request has in hand. A request looks
// through all that it needs, loads what was missing in one go, and looks again.
// One goroutine uses it.
type lookup struct {
	recent  [4]recentPiece // offsets and sizes, of a page and of its mask
	oldest  int            // of recent
	held    map[pieceKey]piece
	missing []missingPiece // each once or a few times
}

// recentPiece saves looking for a piece that the unit before was in, too.
type recentPiece struct {
	column *column
	number int64
	piece  piece
	known  bool
}

type missingPiece struct {
	pieces *pieces
	key    pieceKey
}

// at is the i-th value of a column, if it is at hand.
func (l *lookup) at(x *blockIndex, c *column, i int64) (value uint64, known bool) {
	if c.value != nil {
		return uintAt(c.value, int(i), c.kind, c.order), true
	}
	number, within := c.place(i)
	p, known := l.piece(x, c, number)
	if p == nil {
		return 0, known
	}
	return uintAt(p, within, c.kind, c.order), true
}

// piece is a piece of a column, nil for one of zeros, if it is at hand.
func (l *lookup) piece(x *blockIndex, c *column, number int64) (p piece, known bool) {
	for i := range l.recent {
		if r := &l.recent[i]; r.column == c && r.number == number {
			return r.piece, r.known
		}
	}
	if p, known = l.find(x, c, number); known {
		c.zeros.note(c, number, p == nil)
	}
	l.recent[l.oldest] = recentPiece{c, number, p, known}
	l.oldest = (l.oldest + 1) % len(l.recent)
	return p, known
}

func (l *lookup) find(x *blockIndex, c *column, number int64) (p piece, known bool) {
	if c.zeros.kind(number) == onlyZeros {
		return nil, true
	}
	key := x.pieces.key(c.piece(number))
	if p, known = l.held[key]; known {
		return p, true
	}
	if p, known = x.pieces.kept(key); !known {
		l.missing = append(l.missing, missingPiece{x.pieces, key})
	}
	return p, known
}

// load gets the first of the pieces that were missing, as many as given, and forgets
// the others: whoever looks again will miss them again.
func (l *lookup) load(ctx context.Context, most int) error {
	missing := l.missing[:min(len(l.missing), most)]
	l.missing, l.recent = nil, [len(l.recent)]recentPiece{}
	if l.held == nil {
		l.held = make(map[pieceKey]piece)
	}
	for len(missing) > 0 {
		from := missing[0].pieces // those of one file in one go; a mask may lie in another
		var keys []pieceKey
		var others []missingPiece
		for _, m := range missing {
			if m.pieces == from {
				keys = append(keys, m.key)
			} else {
				others = append(others, m)
			}
		}
		got, err := from.load(ctx, keys)
		if err != nil {
			return err
		}
		for i, key := range keys {
			l.held[key] = got[i]
		}
		missing = others
	}
	return nil
}
