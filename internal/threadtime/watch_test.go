package threadtime_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"tileserver/internal/threadtime"
)

// Goroutines that share the cores are measured as if each were alone. Those that wait use no time.
func TestWaitingIsNotMeasured(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system does not tell what a thread used")
	}
	began := time.Now()
	var total time.Duration
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 8 * runtime.NumCPU() {
		all.Go(func() {
			stop := threadtime.Start()
			for sum, i := 0, 0; i < 20_000_000; i++ {
				sum += i * sum
			}
			used := stop()
			mu.Lock()
			defer mu.Unlock()
			total += used
		})
	}
	all.Wait()
	if most := time.Since(began) * time.Duration(runtime.NumCPU()) * 11 / 10; total <= 0 || total > most {
		t.Errorf("they used %v of at most %v", total, most)
	}
	stop, resume := threadtime.Start(), make(chan struct{})
	time.AfterFunc(50*time.Millisecond, func() { close(resume) })
	<-resume
	if used := stop(); used > 25*time.Millisecond {
		t.Errorf("waiting used %v", used)
	}
}
