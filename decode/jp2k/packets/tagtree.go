package packets

// shape is what tag trees of one size have in common: each node stands for up to 2 x 2 nodes of the floor below.
type shape struct {
	floors []floor // the leaves first, the root last
	nodes  int
}

type floor struct{ columns, first int }

func newShape(columns, rows int) *shape {
	s := &shape{}
	for {
		s.floors = append(s.floors, floor{columns, s.nodes})
		s.nodes += columns * rows
		if columns*rows <= 1 {
			return s
		}
		columns, rows = (columns+1)/2, (rows+1)/2
	}
}

// node is the least value of all leaves below it, as far as that is known.
type node struct {
	least uint16
	known bool // and not only a lower bound
}

// tagTree is a grid of numbers that are learnt bit by bit. The zero value of its nodes is that nothing is known.
type tagTree struct {
	shape *shape
	nodes []node
}

// below reads on until it is known whether a leaf's value is less than a bound, and returns the value if it is. Else it returns
// on which floor that came out: it is true of all leaves below the same node.
func (t *tagTree) below(bits *bitReader, column, row int, bound uint16) (value uint16, height int, ok bool) {
	floors := t.shape.floors
	least := uint16(0)
	for height = len(floors) - 1; ; height-- {
		n := t.at(floors, height, column, row)
		n.least = max(n.least, least)
		if !n.known && n.least < bound {
			zeros, one := bits.zeros(int(bound - n.least))
			n.least, n.known = n.least+uint16(zeros), one
		}
		if least = n.least; least >= bound || height == 0 {
			return least, height, least < bound
		}
	}
}

func (t *tagTree) at(floors []floor, height, column, row int) *node {
	f := &floors[height]
	return &t.nodes[f.first+row>>height*f.columns+column>>height]
}
