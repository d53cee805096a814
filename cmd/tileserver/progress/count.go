package progress

import (
	"fmt"
	"time"
)

// Count is how much of some work is done.
type Count struct {
	Things     string // such as "tiles"
	Done, Made int64  // those that are ready, and of these the ones that this process made
	Total      int64
}

// After tells how much is done after some time, how fast, and how long the rest will take.
func (c Count) After(took time.Duration) string {
	line := fmt.Sprintf("%d of %d %s, %s", c.Done, c.Total, c.Things, Percent(c.Done, c.Total))
	if seconds := took.Seconds(); c.Made > 0 && seconds > 0 {
		rate := float64(c.Made) / seconds
		left := time.Duration(float64(c.Total-c.Done) / rate * float64(time.Second))
		line += fmt.Sprintf(", %.0f %s/s, %v left", rate, c.Things, left.Round(time.Second))
	}
	return line
}

// Size returns a number of bytes as text, in the unit that fits.
func Size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d bytes", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	case bytes < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
}

// Percent returns a part of all as text.
func Percent(part, all int64) string { return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(all)) }
