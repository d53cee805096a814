package rows

// Split deinterleaves pixels: planes[i] receives sample i of each pixel of row. All planes have the
// length of the row in pixels.
func Split[T Cell](planes [][]T, row []T) {
	width := 0
	if len(planes) > 0 {
		width = len(planes[0])
	}
	row = row[:width*len(planes)]
	for i := range planes {
		planes[i] = planes[i][:width]
	}
	splitInGo(planes, row, splitVectors(planes, row))
}

// splitInGo splits the pixels from index from on.
func splitInGo[T Cell](planes [][]T, row []T, from int) {
	row = row[from*len(planes):]
	switch len(planes) {
	case 3:
		split3(planes[0][from:], planes[1][from:], planes[2][from:], row)
	case 4:
		split4(planes[0][from:], planes[1][from:], planes[2][from:], planes[3][from:], row)
	default:
		for i, plane := range planes {
			if from < len(plane) {
				Pick(plane[from:], row[i:], len(planes))
			}
		}
	}
}

func split3[T Cell](a, b, c, row []T) {
	b, c = b[:len(a)], c[:len(a)]
	for i := range a {
		if len(row) < 3 {
			return
		}
		a[i], b[i], c[i] = row[0], row[1], row[2]
		row = row[3:]
	}
}

func split4[T Cell](a, b, c, d, row []T) {
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	for i := range a {
		if len(row) < 4 {
			return
		}
		a[i], b[i], c[i], d[i] = row[0], row[1], row[2], row[3]
		row = row[4:]
	}
}

// Pick fills plane with every step-th sample of row, starting with the first.
func Pick[T Cell](plane, row []T, step int) {
	at := 0
	for i := range plane {
		plane[i] = row[at]
		at += step
	}
}
