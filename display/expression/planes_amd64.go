//go:build !purego

package expression

//go:noescape
func loadUint8s(to *float64, from *uint8, steps int)

//go:noescape
func loadInt8s(to *float64, from *int8, steps int)

//go:noescape
func loadUint16s(to *float64, from *uint16, steps int)

//go:noescape
func loadInt16s(to *float64, from *int16, steps int)

//go:noescape
func loadUint32s(to *float64, from *uint32, steps int)

//go:noescape
func loadInt32s(to *float64, from *int32, steps int)

//go:noescape
func loadFloat32s(to *float64, from *float32, steps int)

//go:noescape
func scaleFloat64s(to *float64, scale, offset float64, steps int)

//go:noescape
func storeFloat32s(to *float32, from *float64, steps int)

// storeValidFloat32s clears the validity of values that are not finite.
//
//go:noescape
func storeValidFloat32s(to *float32, from *float64, validity *uint8, steps int)

// loadVectors loads the first samples and returns how many.
func loadVectors[T Sample](to []float64, from []T) int {
	count := steps(min(len(to), len(from)))
	if count == 0 {
		return 0
	}
	switch from := any(from).(type) {
	case []uint8:
		loadUint8s(&to[0], &from[0], count)
	case []int8:
		loadInt8s(&to[0], &from[0], count)
	case []uint16:
		loadUint16s(&to[0], &from[0], count)
	case []int16:
		loadInt16s(&to[0], &from[0], count)
	case []uint32:
		loadUint32s(&to[0], &from[0], count)
	case []int32:
		loadInt32s(&to[0], &from[0], count)
	case []float32:
		loadFloat32s(&to[0], &from[0], count)
	case []float64:
		return copy(to, from)
	default:
		return 0
	}
	return count * stepElements
}

// scaleVectors scales the first values and returns how many.
func scaleVectors(to []float64, scale, offset float64) int {
	count := steps(len(to))
	if count > 0 {
		scaleFloat64s(&to[0], scale, offset, count)
	}
	return count * stepElements
}

// storeVectors stores the first values and returns how many.
func storeVectors[T float32 | float64](to []T, from []float64) int {
	floats, ok := any(to).([]float32)
	count := steps(min(len(to), len(from)))
	if !ok || count == 0 {
		return 0
	}
	storeFloat32s(&floats[0], &from[0], count)
	return count * stepElements
}

// storeValidVectors stores the first values with their validity and returns how many.
func storeValidVectors[T float32 | float64](to []T, from []float64, validity []uint8) int {
	floats, ok := any(to).([]float32)
	count := steps(min(len(to), len(from), len(validity)))
	if !ok || count == 0 {
		return 0
	}
	storeValidFloat32s(&floats[0], &from[0], &validity[0], count)
	return count * stepElements
}
