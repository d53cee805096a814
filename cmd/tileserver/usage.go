package main

import (
	"errors"

	"tileserver/cmd/tileserver/usage"
	"tileserver/decode/container"
)

// isUserError reports whether an error is about the command line, the configuration, or the choice
// of a file.
func isUserError(err error) bool {
	refused := fileError{}
	return errors.As(err, new(usage.Mistake)) || errors.As(err, new(usage.Unusable)) || isConfigMistake(err) ||
		errors.As(err, new(container.NoImageError)) || errors.As(err, &refused) && refused.isUserError()
}

func usageError(format string, arguments ...any) error { return usage.Mistakef(format, arguments...) }

func unusableError(format string, arguments ...any) error {
	return usage.Unusablef(format, arguments...)
}
