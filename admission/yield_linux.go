package admission

import "syscall"

// yieldThread lets threads that wait for the core of this one run first. Go's own call keeps the
// thread, and other threads go on waiting.
func yieldThread() { syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }
