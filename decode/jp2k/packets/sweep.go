package packets

// sweep visits the precincts of several levels in the order of their upper left corners on the
// reference grid, row by row. It steps from corner to corner, not from point to point.
type sweep struct {
	levels        []*level
	columns, rows []axis // by level
}

// axis gives the positions of the precincts of a level on the reference grid, in one direction.
type axis struct {
	count int // number of precincts
	first int // start of the first precinct, which may be the edge of the tile
	cell  int // number of the first precinct in the grid of precincts
	shift int // base-2 logarithm of the size of precincts, in samples of the component
	step  int // distance of the component's samples on the reference grid
}

func newAxis(count, tileStart, start, precinctLog2, reduction, step int) axis {
	a := axis{count: count, cell: start >> precinctLog2, shift: precinctLog2 + reduction, step: step}
	a.first = a.cell << a.shift * step
	if start&(1<<precinctLog2-1) != 0 {
		a.first = tileStart
	}
	return a
}

// at returns the start of a precinct other than the first.
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

// precincts calls visit for each precinct: by row, then by column, then in the order of the levels.
func (s *sweep) precincts(visit func(v *level, precinct int) bool) bool {
	var rows, columns queue
	for i := range s.levels {
		rows.push(event{s.rows[i].first, i, 0})
	}
	currentRow := make([]int, len(s.levels)) // the current row of each level
	for len(rows) > 0 {
		columns = columns[:0]
		for y := rows[0].at; len(rows) > 0 && rows[0].at == y; {
			next := rows[0]
			currentRow[next.level] = next.precinct
			columns.push(event{s.columns[next.level].first, next.level, 0})
			rows.advance(&s.rows[next.level])
		}
		for len(columns) > 0 {
			next := columns[0]
			if v := s.levels[next.level]; !visit(v, currentRow[next.level]*v.precinctColumns+next.precinct) {
				return false
			}
			columns.advance(&s.columns[next.level])
		}
	}
	return true
}

// event is the next precinct of a level on one axis.
type event struct{ at, level, precinct int }

func (e event) before(o event) bool {
	return e.at < o.at || e.at == o.at && e.level < o.level
}

// queue is a heap of events. The first one comes next.
type queue []event

func (q *queue) push(w event) {
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

// advance moves the first event to its next precinct, or removes it after its last.
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
