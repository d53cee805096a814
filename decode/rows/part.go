package rows

// Part takes pixels apart: of each pixel of row, planes[i] gets sample i. The planes are as long as there are pixels.
func Part[T Cell](planes [][]T, row []T) {
	width := 0
	if len(planes) > 0 {
		width = len(planes[0])
	}
	row = row[:width*len(planes)]
	for i := range planes {
		planes[i] = planes[i][:width]
	}
	partInGo(planes, row, partVectors(planes, row))
}

// partInGo parts the pixels from one on.
func partInGo[T Cell](planes [][]T, row []T, from int) {
	row = row[from*len(planes):]
	switch len(planes) {
	case 3:
		part3(planes[0][from:], planes[1][from:], planes[2][from:], row)
	case 4:
		part4(planes[0][from:], planes[1][from:], planes[2][from:], planes[3][from:], row)
	default:
		for i, plane := range planes {
			if from < len(plane) {
				Pick(plane[from:], row[i:], len(planes))
			}
		}
	}
}

func part3[T Cell](a, b, c, row []T) {
	b, c = b[:len(a)], c[:len(a)]
	for i := range a {
		if len(row) < 3 {
			return
		}
		a[i], b[i], c[i] = row[0], row[1], row[2]
		row = row[3:]
	}
}

func part4[T Cell](a, b, c, d, row []T) {
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	for i := range a {
		if len(row) < 4 {
			return
		}
		a[i], b[i], c[i], d[i] = row[0], row[1], row[2], row[3]
		row = row[4:]
	}
}

// Pick fills plane with every step-th sample of row, from the first on.
func Pick[T Cell](plane, row []T, step int) {
	at := 0
	for i := range plane {
		plane[i] = row[at]
		at += step
	}
}
