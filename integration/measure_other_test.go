//go:build !unix

package integration

import (
	"errors"
	"io"
)

// measuring and measure have an implementation only on systems that report what a process used.
const measuring = "TILESERVER_MEASURE"

func measure(string, io.Reader, io.Writer) error { return errors.ErrUnsupported }
