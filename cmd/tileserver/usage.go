package main

import (
	"errors"

	"tileserver/cmd/tileserver/demo"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/decode/container"
	"tileserver/source"
)

// isUserError reports whether an error is about the command line, the configuration, or the choice
// of a file.
func isUserError(err error) bool {
	refused := dataset.FileError{}
	switch {
	case errors.As(err, new(usage.Mistake)), errors.As(err, new(usage.Unusable)), config.IsMistake(err):
		return true
	case errors.Is(err, source.ErrRemote), errors.Is(err, demo.ErrOtherFiles), errors.As(err, new(container.NoImageError)):
		return true
	}
	return errors.As(err, &refused) && refused.IsUserError()
}
