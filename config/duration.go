package config

import (
	"fmt"
	"strings"
	"time"
)

// A Duration is a duration in the notation of the configuration: 10s, 1m30s, or 0.
type Duration time.Duration

// Set parses a duration.
func (d *Duration) Set(text string) error {
	read, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%q is not a duration such as 10s or 1m30s", text)
	}
	*d = Duration(read)
	return nil
}

// String formats a duration without trailing zero units: 1m, not 1m0s.
func (d Duration) String() string {
	text := time.Duration(d).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// UnmarshalText parses a duration in a configuration file.
func (d *Duration) UnmarshalText(text []byte) error { return d.Set(string(text)) }
