//go:build unix

package child

import (
	"math"
	"os"

	"golang.org/x/sys/unix"

	"tileserver/gpu"
)

// mapShared maps a file.
func mapShared(file *os.File, bytes int64) ([]byte, error) {
	if bytes > math.MaxInt {
		return nil, gpu.ErrTooLarge
	}
	memory, err := unix.Mmap(int(file.Fd()), 0, int(bytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	return memory, os.NewSyscallError("mmap", err)
}

func unmapShared(memory []byte) { _ = unix.Munmap(memory) }
