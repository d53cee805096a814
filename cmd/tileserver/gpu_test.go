package main

import (
	"runtime"
	"testing"
)

// A server that measures its GPU has no memory for the results of thousands of jobs.
func TestSamplesTakeLittleMemory(t *testing.T) {
	const jobs, most = 512, 4 << 20
	for _, sample := range samples() {
		before := heapBytes()
		work := sample.Work(jobs)
		for job := range jobs {
			work.Do(job)
		}
		if took := heapBytes() - before; took > most {
			t.Errorf("%s: %d jobs of the sample take %d KiB, want at most %d", sample.Kernel.Name, jobs, took>>10, most>>10)
		}
		runtime.KeepAlive(work)
	}
}

// heapBytes returns the memory that is in use.
func heapBytes() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
