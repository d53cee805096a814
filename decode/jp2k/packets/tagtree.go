package packets

// shape is the structure of tag trees of one size. Each node stands for up to 2 x 2 nodes of the
// level below.
type shape struct {
	levels []treeLevel // from the leaves to the root
	nodes  int
}

type treeLevel struct{ columns, first int }

func newShape(columns, rows int) *shape {
	s := &shape{}
	for {
		s.levels = append(s.levels, treeLevel{columns, s.nodes})
		s.nodes += columns * rows
		if columns*rows <= 1 {
			return s
		}
		columns, rows = (columns+1)/2, (rows+1)/2
	}
}

// node holds the minimum of all leaves below it, as far as known.
type node struct {
	minimum uint16
	known   bool // false if minimum is only a lower bound
}

// tagTree is a grid of numbers that is decoded bit by bit. Zero nodes mean that nothing is known.
type tagTree struct {
	shape *shape
	nodes []node
}

// below decodes until it is known whether a leaf is below a bound, and returns its value if so.
// Otherwise it returns the height of the node that excludes the leaf. The node excludes all leaves
// below it.
func (t *tagTree) below(bits *bitReader, column, row int, bound uint16) (value uint16, height int, ok bool) {
	levels := t.shape.levels
	minimum := uint16(0)
	for height = len(levels) - 1; ; height-- {
		n := t.at(levels, height, column, row)
		n.minimum = max(n.minimum, minimum)
		if !n.known && n.minimum < bound {
			zeros, one := bits.zeros(int(bound - n.minimum))
			n.minimum, n.known = n.minimum+uint16(zeros), one
		}
		if minimum = n.minimum; minimum >= bound || height == 0 {
			return minimum, height, minimum < bound
		}
	}
}

func (t *tagTree) at(levels []treeLevel, height, column, row int) *node {
	f := &levels[height]
	return &t.nodes[f.first+row>>height*f.columns+column>>height]
}
