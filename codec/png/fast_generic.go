//go:build !amd64 || purego

package png

// The functions below call the Go twins where no assembly is available.

func subtract(out, row, prediction []byte) { subtractGo(out, row, prediction) }

func subtractMean(out, row, left, up []byte) { subtractMeanGo(out, row, left, up) }

func subtractPaeth(out, row, left, up, upLeft []byte) { subtractPaethGo(out, row, left, up, upLeft) }
