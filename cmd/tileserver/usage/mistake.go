package usage

import "fmt"

// A Mistake is an error in how a command line is written, which the help of the command explains.
type Mistake string

// Mistakef returns a formatted Mistake.
func Mistakef(format string, arguments ...any) error {
	return Mistake(fmt.Sprintf(format, arguments...))
}

func (m Mistake) Error() string { return string(m) }

// An Unusable is an error in a value of the right form, such as the number of an image that the
// file does not have. Help would not explain it.
type Unusable string

// Unusablef returns a formatted Unusable.
func Unusablef(format string, arguments ...any) error {
	return Unusable(fmt.Sprintf(format, arguments...))
}

func (u Unusable) Error() string { return string(u) }
