//go:build !unix

package integration

import "errors"

// measuring and measure are for systems that tell what a process used.
const measuring = "TILESERVER_MEASURE_INTO"

func measure(string, []string) error { return errors.ErrUnsupported }
