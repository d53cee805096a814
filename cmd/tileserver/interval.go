package main

import (
	"fmt"
	"time"
)

// interval is how often something is done, as people write it: 10s, 1m30s, or 0 for never.
type interval time.Duration

// Set reads an interval.
func (i *interval) Set(text string) error {
	read, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%q is no time; write it like 10s", text)
	}
	*i = interval(read)
	return nil
}

func (i interval) String() string { return time.Duration(i).String() }

// UnmarshalText reads an interval in a configuration file, where a plain 0 is a number.
func (i *interval) UnmarshalText(text []byte) error { return i.Set(string(text)) }
