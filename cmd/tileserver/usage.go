package main

import (
	"errors"
	"fmt"
)

// errUsage marks errors in the command line or the configuration.
var errUsage = errors.New("usage")

// usageMistake is an error in how a command is written. It is errUsage.
type usageMistake string

func usageError(format string, arguments ...any) error {
	return usageMistake(fmt.Sprintf(format, arguments...))
}

func (m usageMistake) Error() string { return string(m) }

// Is makes it errUsage.
func (m usageMistake) Is(target error) bool { return target == errUsage }

// unusable is an error in a value of the right form, such as the number of an image that the file
// does not have. It is errUsage, but help would not explain it.
type unusable string

func unusableError(format string, arguments ...any) error {
	return unusable(fmt.Sprintf(format, arguments...))
}

func (u unusable) Error() string { return string(u) }

// Is makes it errUsage.
func (u unusable) Is(target error) bool { return target == errUsage }
