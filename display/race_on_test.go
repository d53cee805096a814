//go:build race

package display

const raceDetector = true
