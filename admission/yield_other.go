//go:build !linux

package admission

import "runtime"

// yieldThread lets other goroutines run first.
func yieldThread() { runtime.Gosched() }
