package terrain

// gradients makes those of a row, which has one more height on each side. Heights are subtracted before they are added:
// what neighbours have in common takes no digits away from their difference.
func gradients(east, south, above, here, below []float32, scaleEast, scaleSouth float32) {
	done := gradientVectors(east, south, above, here, below, scaleEast, scaleSouth)
	gradientsInGo(east[done:], south[done:], above[done:], here[done:], below[done:], scaleEast, scaleSouth)
}

func gradientsInGo(east, south, above, here, below []float32, scaleEast, scaleSouth float32) {
	n := len(east)
	south, above, here, below = south[:n], above[:n+2], here[:n+2], below[:n+2]
	left, middle := below[0]-above[0], below[1]-above[1]
	for i := range n {
		right := below[i+2] - above[i+2]
		across := (above[i+2] - above[i]) + (below[i+2] - below[i])
		centre := here[i+2] - here[i]
		east[i] = (across + (centre + centre)) * scaleEast
		south[i] = ((left + right) + (middle + middle)) * scaleSouth
		left, middle = middle, right
	}
}

// neighbourhood is nine heights, row by row.
type neighbourhood [9]float32

// readNeighbourhood reads the heights around a pixel that has one, and stands in for those that are missing. A pixel
// without height has a flat neighbourhood.
func readNeighbourhood(g *Grid, centre int) (n neighbourhood) {
	if g.Coverage[centre] == 0 {
		return n
	}
	places := [9]int{
		centre - g.Width - 1, centre - g.Width, centre - g.Width + 1,
		centre - 1, centre, centre + 1,
		centre + g.Width - 1, centre + g.Width, centre + g.Width + 1,
	}
	middle := g.Heights[centre]
	for i, place := range places {
		opposite := places[8-i]
		switch {
		case g.Coverage[place] != 0:
			n[i] = g.Heights[place]
		case g.Coverage[opposite] != 0:
			n[i] = middle + (middle - g.Heights[opposite])
		default:
			n[i] = middle
		}
	}
	return n
}

// gradient is that of the centre.
func (n *neighbourhood) gradient(scaleEast, scaleSouth float32) (east, south float32) {
	var e, s [1]float32
	gradientsInGo(e[:], s[:], n[0:3], n[3:6], n[6:9], scaleEast, scaleSouth)
	return e[0], s[0]
}
