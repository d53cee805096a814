package decode

// unpack takes the samples that job asks for out of rows in the machine's order.
func unpack(rows []byte, job *Job) {
	switch l := job.Layout; {
	case l.subsampled():
		unpackClumps(rows, job)
	case l.Fields != nil:
		unpackFields(rows, job)
	case l.narrowFloat():
		unpackNarrowFloats(rows, job)
	case !l.whole():
		unpackBits(rows, job)
	case l.Bits == 8:
		unpackWords[uint8](rows, job)
	case l.Bits == 16:
		unpackWords[uint16](rows, job)
	case l.Bits == 32:
		unpackWords[uint32](rows, job)
	case l.Bits == 64:
		unpackWords[uint64](rows, job)
	case l.Bits == 128:
		unpackWords[pair](rows, job)
	}
}

// unpackWords copies samples that are stored as they are in memory.
func unpackWords[T cell](rows []byte, job *Job) {
	perRow := job.Layout.Width * job.Layout.Samples
	source := asWords[T](rows)
	planes := targetPlanes[T](job)
	width := job.Target.Width()
	for y := range job.Target.Height() {
		row := source[y*perRow+job.Column*job.Layout.Samples:][:width*job.Layout.Samples]
		at := y * width
		switch {
		case job.Layout.Samples == 1:
			for _, plane := range planes {
				copy(plane[at:][:width], row)
			}
		case job.inOrder(3):
			split3(planes[0][at:][:width], planes[1][at:], planes[2][at:], row)
		case job.inOrder(4):
			split4(planes[0][at:][:width], planes[1][at:], planes[2][at:], planes[3][at:], row)
		default:
			for i, s := range job.Samples {
				pick(planes[i][at:][:width], row[s:], job.Layout.Samples)
			}
		}
	}
}

// inOrder tells whether job wants all n samples of a pixel, one after the other.
func (j *Job) inOrder(n int) bool {
	if j.Layout.Samples != n || len(j.Samples) != n {
		return false
	}
	for i, s := range j.Samples {
		if i != s {
			return false
		}
	}
	return true
}

// targetPlanes are the planes that the samples of job go to.
func targetPlanes[T cell](job *Job) [][]T {
	planes := make([][]T, len(job.Samples))
	for i := range planes {
		planes[i] = asWords[T](job.Target.Plane(job.FirstBand + i))
	}
	return planes
}

func split3[T cell](a, b, c, row []T) {
	b, c = b[:len(a)], c[:len(a)]
	for i := range a {
		if len(row) < 3 {
			return
		}
		a[i], b[i], c[i] = row[0], row[1], row[2]
		row = row[3:]
	}
}

func split4[T cell](a, b, c, d, row []T) {
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	for i := range a {
		if len(row) < 4 {
			return
		}
		a[i], b[i], c[i], d[i] = row[0], row[1], row[2], row[3]
		row = row[4:]
	}
}

// pick takes every step-th sample of row.
func pick[T cell](plane, row []T, step int) {
	for i := range plane {
		plane[i] = row[0]
		row = row[min(step, len(row)):]
	}
}
