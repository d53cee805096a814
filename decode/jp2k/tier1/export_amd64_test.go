//go:build !purego

package tier1

// HasFastInstructions tells whether the passes in assembly are used.
var HasFastInstructions = hasFastInstructions
