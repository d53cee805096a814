package child

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// newShared returns a file in memory. Nobody can make it smaller, so no process loses what it has mapped.
// It takes no memory until somebody writes to it.
func newShared(bytes int64) (*os.File, error) {
	descriptor, err := unix.MemfdCreate("gpu", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	file := os.NewFile(uintptr(descriptor), "gpu")
	if err := file.Truncate(bytes); err != nil {
		file.Close()
		return nil, err
	}
	if _, err := unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_SEAL); err != nil {
		file.Close()
		return nil, os.NewSyscallError("fcntl", err)
	}
	return file, nil
}

// discard gives the memory of a file back to the system. It then has zeros.
func discard(_ *os.File, memory []byte) error { return unix.Madvise(memory, unix.MADV_REMOVE) }

// attributes keep signals for this process from the child, such as those of Ctrl+C, since it works until
// the last request is answered. It ends with the thread that starts it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
