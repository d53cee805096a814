package local

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// readsMemory says that this platform can read what is in memory without waiting for anything else.
const readsMemory = true

// readCached reads the bytes at offset that are in memory, and returns how many it read. It never
// waits for a disk or a server.
func (f *File) readCached(dst []byte, offset int64) (n int) {
	if f.mayWait.Load() {
		return 0
	}
	c := cachedReads.Get().(*cachedRead)
	defer cachedReads.Put(c)
	c.dst, c.offset, c.n, c.err = dst, offset, 0, 0
	_ = f.raw.Control(c.call) // unlike Read, it lets others read the file meanwhile
	if c.err != 0 && c.err != unix.EAGAIN && c.err != unix.EINTR {
		f.mayWait.Store(true)
	}
	c.dst = nil
	return c.n
}

// cachedRead is a call that reads from memory. It is used again, since files are read in many small
// ones.
type cachedRead struct {
	dst    []byte
	offset int64
	n      int
	err    unix.Errno
	call   func(descriptor uintptr)
}

var cachedReads = sync.Pool{New: func() any {
	c := new(cachedRead)
	c.call = c.read
	return c
}}

func (c *cachedRead) read(descriptor uintptr) {
	into := unix.Iovec{Base: unsafe.SliceData(c.dst)}
	into.SetLen(len(c.dst))
	low, high := uintptr(c.offset), uintptr(c.offset>>32) // where low has all bits, the system ignores high
	n, _, err := unix.Syscall6(unix.SYS_PREADV2, descriptor, uintptr(unsafe.Pointer(&into)), 1, low, high, unix.RWF_NOWAIT)
	if c.err = err; err == 0 {
		c.n = int(n)
	}
}
