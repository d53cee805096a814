package terrain

// gradients computes the gradients of a row, which has one more height on each side. Heights are
// subtracted before they are added, so that their common part costs no precision.
func gradients(east, south, above, here, below []float32, scaleEast, scaleSouth float32) {
	done := gradientVectors(east, south, above, here, below, scaleEast, scaleSouth)
	gradientsGeneric(east[done:], south[done:], above[done:], here[done:], below[done:], scaleEast, scaleSouth)
}

func gradientsGeneric(east, south, above, here, below []float32, scaleEast, scaleSouth float32) {
	n := len(east)
	south, above, here, below = south[:n], above[:n+2], here[:n+2], below[:n+2]
	left, middle := below[0]-above[0], below[1]-above[1]
	for i := range n {
		right := below[i+2] - above[i+2]
		across := (above[i+2] - above[i]) + (below[i+2] - below[i])
		center := here[i+2] - here[i]
		east[i] = (across + (center + center)) * scaleEast
		south[i] = ((left + right) + (middle + middle)) * scaleSouth
		left, middle = middle, right
	}
}

// A neighborhood holds nine heights, row by row.
type neighborhood [9]float32

// readNeighborhood reads the heights around a pixel and substitutes missing ones. If the pixel
// itself has no height, the neighborhood is flat.
func readNeighborhood(g *Grid, center int) (n neighborhood) {
	if g.Coverage[center] == 0 {
		return n
	}
	positions := [9]int{
		center - g.Width - 1, center - g.Width, center - g.Width + 1,
		center - 1, center, center + 1,
		center + g.Width - 1, center + g.Width, center + g.Width + 1,
	}
	middle := g.Heights[center]
	for i, position := range positions {
		opposite := positions[8-i]
		switch {
		case g.Coverage[position] != 0:
			n[i] = g.Heights[position]
		case g.Coverage[opposite] != 0:
			n[i] = middle + (middle - g.Heights[opposite])
		default:
			n[i] = middle
		}
	}
	return n
}

// gradient returns the gradient at the center.
func (n *neighborhood) gradient(scaleEast, scaleSouth float32) (east, south float32) {
	var e, s [1]float32
	gradientsGeneric(e[:], s[:], n[0:3], n[3:6], n[6:9], scaleEast, scaleSouth)
	return e[0], s[0]
}
