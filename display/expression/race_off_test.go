//go:build !race

package expression

const raceDetector = false
