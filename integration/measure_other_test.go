//go:build !unix

package integration

import (
	"errors"
	"io"
)

// measuring and measure are for systems that tell what a process used.
const measuring = "TILESERVER_MEASURE"

func measure(string, io.Reader, io.Writer) error { return errors.ErrUnsupported }
