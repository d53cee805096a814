package serve

import (
	"fmt"
	"strings"
	"time"

	"tileserver/layer"
)

// Step is a timed step of rendering a picture.
type Step struct {
	Name     string
	Duration time.Duration
}

func stepsOf(t *layer.Timing) []Step {
	return []Step{
		{"plan", time.Duration(t.Plan.Load())},
		{"read", time.Duration(t.Read.Load())},
		{"sample", time.Duration(t.Sample.Load())},
		{"render", time.Duration(t.Render.Load())},
		{"encode", time.Duration(t.Encode.Load())},
	}
}

// serverTiming formats steps for Server-Timing, in milliseconds.
func serverTiming(steps []Step) string {
	parts := make([]string, len(steps))
	for i, s := range steps {
		parts[i] = fmt.Sprintf("%s;dur=%.3f", s.Name, float64(s.Duration)/float64(time.Millisecond))
	}
	return strings.Join(parts, ", ")
}
