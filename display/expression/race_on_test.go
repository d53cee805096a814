//go:build race

package expression

const raceDetector = true
