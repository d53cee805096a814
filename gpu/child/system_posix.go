//go:build unix && !linux

package child

import (
	"os"
	"syscall"
)

// newShared returns a temporary file without a name.
func newShared(bytes int64) (*os.File, error) {
	file, err := os.CreateTemp("", "tileserver-gpu-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, err
	}
	if err := file.Truncate(bytes); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// discard gives the disk space of a file back. It then has zeros.
func discard(file *os.File, memory []byte) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	return file.Truncate(int64(len(memory)))
}

// attributes keep signals for this process from the child, such as those of Ctrl+C, since it works until
// the last request is answered.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
