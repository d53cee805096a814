package packets

// sweep passes over the reference grid, row after row, and meets the precincts of several levels where their
// upper left corners lie. It steps from corner to corner, not from point to point.
type sweep struct {
	levels        []*level
	columns, rows []axis // of each level
}

// axis tells where the precincts of a level begin on the reference grid, in one direction.
type axis struct {
	count int // of precincts
	first int // where the first one begins: at the edge of the tile where that cuts it
	cell  int // the others begin where their number, from here on,
	shift int // times a power of two
	step  int // and the points of the grid for each sample says
}

func newAxis(count, tileStart, start, precinctLog2, reduction, step int) axis {
	a := axis{count: count, cell: start >> precinctLog2, shift: precinctLog2 + reduction, step: step}
	a.first = a.cell << a.shift * step
	if start&(1<<precinctLog2-1) != 0 {
		a.first = tileStart
	}
	return a
}

// at is where a precinct but the first one begins.
func (a *axis) at(precinct int) int {
	return (a.cell + precinct) << a.shift * a.step
}

func newSweep(l *layout, levels []*level) *sweep {
	s := &sweep{levels: levels}
	for _, v := range levels {
		c, r := &l.tile.Components[v.component], l.resolution(v)
		reduction := len(c.Resolutions) - 1 - v.resolution
		s.columns = append(s.columns, newAxis(r.PrecinctColumns, l.tile.Rect.X0, r.Rect.X0, r.PrecinctWidthLog2, reduction, c.DX))
		s.rows = append(s.rows, newAxis(r.PrecinctRows, l.tile.Rect.Y0, r.Rect.Y0, r.PrecinctHeightLog2, reduction, c.DY))
	}
	return s
}

// precincts calls visit for each precinct: from above, then from the left, then in the order of the levels.
func (s *sweep) precincts(visit func(v *level, precinct int) bool) bool {
	var rows, columns queue
	for i := range s.levels {
		rows.push(waiting{s.rows[i].first, i, 0})
	}
	met := make([]int, len(s.levels)) // the row in which each level is
	for len(rows) > 0 {
		columns = columns[:0]
		for y := rows[0].at; len(rows) > 0 && rows[0].at == y; {
			w := rows[0]
			met[w.level] = w.precinct
			columns.push(waiting{s.columns[w.level].first, w.level, 0})
			rows.advance(&s.rows[w.level])
		}
		for len(columns) > 0 {
			w := columns[0]
			if v := s.levels[w.level]; !visit(v, met[w.level]*v.precinctColumns+w.precinct) {
				return false
			}
			columns.advance(&s.columns[w.level])
		}
	}
	return true
}

// waiting is a level that waits for the sweep to come to its next precinct.
type waiting struct{ at, level, precinct int }

func (w waiting) before(o waiting) bool {
	return w.at < o.at || w.at == o.at && w.level < o.level
}

// queue is a heap: the first one is met next.
type queue []waiting

func (q *queue) push(w waiting) {
	*q = append(*q, w)
	h := *q
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if !h[i].before(h[parent]) {
			return
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

// advance moves the first one to its next precinct, or drops it if that was its last.
func (q *queue) advance(a *axis) {
	h := *q
	if h[0].precinct++; h[0].precinct < a.count {
		h[0].at = a.at(h[0].precinct)
	} else {
		h[0] = h[len(h)-1]
		h = h[:len(h)-1]
		*q = h
	}
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(h[i]) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
