package main

// flooded is a cell that the flood has reached.
type flooded struct {
	height float32
	cell   int32
}

// before orders cells by height, then by index, so that every run gives the same result.
func (f flooded) before(g flooded) bool {
	return f.height < g.height || f.height == g.height && f.cell < g.cell
}

// floodQueue is a binary heap with the lowest cell first. It avoids container/heap for speed, since
// millions of cells pass through it.
type floodQueue []flooded

func (q *floodQueue) push(f flooded) {
	*q = append(*q, f)
	heap := *q
	child := len(heap) - 1
	for child > 0 {
		parent := (child - 1) / 2
		if !heap[child].before(heap[parent]) {
			return
		}
		heap[child], heap[parent] = heap[parent], heap[child]
		child = parent
	}
}

func (q *floodQueue) pop() flooded {
	heap := *q
	lowest := heap[0]
	last := len(heap) - 1
	heap[0] = heap[last]
	heap = heap[:last]
	*q = heap
	for parent := 0; ; {
		child := 2*parent + 1
		if child >= last {
			return lowest
		}
		if child+1 < last && heap[child+1].before(heap[child]) {
			child++
		}
		if !heap[child].before(heap[parent]) {
			return lowest
		}
		heap[child], heap[parent] = heap[parent], heap[child]
		parent = child
	}
}
