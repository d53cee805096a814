//go:build !linux

package main

import "time"

// sleepUntil returns at a time, or up to a timer's delay later.
func sleepUntil(at time.Time) { time.Sleep(time.Until(at)) }
