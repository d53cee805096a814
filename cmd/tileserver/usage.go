package main

import (
	"errors"
	"fmt"
)

// errUsage marks errors in the command line or the configuration.
var errUsage = errors.New("usage")

// usageMistake is the text of an error that is errUsage.
type usageMistake string

func usageError(format string, arguments ...any) error {
	return usageMistake(fmt.Sprintf(format, arguments...))
}

func (m usageMistake) Error() string { return string(m) }

// Is makes it errUsage.
func (m usageMistake) Is(target error) bool { return target == errUsage }
