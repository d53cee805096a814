//go:build !purego

package tier1

// HasFastInstructions reports whether the passes in assembly are used.
const HasFastInstructions = true
