//go:build !invariants && !race

package raster_test

const checksInvariants = false
