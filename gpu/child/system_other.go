//go:build !unix

package child

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"tileserver/gpu"
)

// errNotHere is why there is no device where a child inherits no files.
var errNotHere = fmt.Errorf("%w: %w", gpu.ErrNoDevice, errors.ErrUnsupported)

func newShared(int64) (*os.File, error)         { return nil, errNotHere }
func mapShared(*os.File, int64) ([]byte, error) { return nil, errNotHere }
func unmapShared([]byte)                        {}
func discard(*os.File, []byte) error            { return errNotHere }
func attributes() *syscall.SysProcAttr          { return nil }
