// Package reuse keeps scratch memory from one use to the next. Encoders and decoders that do the
// same work many times call it. It owns no memory, and must never know what the memory is for.
package reuse

// Slice returns a slice of the given length in the memory of scratch, or in new memory if scratch
// is too small. Reused memory keeps the values of its last use; new memory is zero.
func Slice[T any](scratch []T, length int) []T {
	if cap(scratch) < length {
		return make([]T, length)
	}
	return scratch[:length]
}
