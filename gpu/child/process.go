package child

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"tileserver/gpu"
)

// process is a child from its start to its end.
type process struct {
	command  *exec.Cmd
	outgoing chan []byte // requests to be written
	output   output

	adapter gpu.Adapter   // set when opened is closed, unless the child failed
	opened  chan struct{} // closed when the child has opened its device, or failed
	ended   chan struct{} // closed when the child answers no more
	exited  chan struct{} // closed when the child is no more

	mu        sync.Mutex
	running   *os.Process // nil before the start
	requests  io.WriteCloser
	failure   error         // why the child ends; set before it is killed
	isLeaving bool          // the child is to end by itself
	works     []*work       // that it has not answered, oldest first
	last      uint64        // the number of the latest work
	deadline  time.Duration // of the oldest
	watchdog  *time.Timer   // kills a child that answers too late
}

// work is a batch in a child.
type work struct {
	number   uint64
	answered chan struct{} // closed when its output is written
}

// reapTime is how long the system may take to end a child that was killed. A driver that hangs may take
// longer; nothing waits for that.
const reapTime = time.Second

// newProcess returns a process that is not started.
func newProcess(c *Config) *process {
	p := &process{
		command: exec.Command(c.Program, c.Arguments...), outgoing: make(chan []byte, slots+1), deadline: c.Deadline,
		opened: make(chan struct{}), ended: make(chan struct{}), exited: make(chan struct{}),
	}
	p.command.Env = append(os.Environ(), c.Environment...)
	p.command.Stdout, p.command.Stderr = &p.output, &p.output
	p.command.SysProcAttr, p.command.WaitDelay = attributes(), reapTime
	return p
}

// start starts the child, which has some time to open its device, and returns its replies.
func (p *process) start(shared []*slot, patience time.Duration) (*os.File, error) {
	replies, forChild, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer forChild.Close()
	p.command.ExtraFiles = []*os.File{forChild}
	for _, s := range shared {
		p.command.ExtraFiles = append(p.command.ExtraFiles, s.file)
	}
	requests, err := p.command.StdinPipe()
	if err == nil {
		err = p.launch()
	}
	if err == nil {
		err = p.begin(requests, patience)
	}
	if err != nil {
		replies.Close()
		return nil, err
	}
	return replies, nil
}

// launch starts the child from a thread that stays until the child exits, since some systems end the child
// with that thread.
func (p *process) launch() error {
	launched := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.command.Start()
		launched <- err
		if err == nil {
			_ = p.command.Wait() // ProcessState has the result
			close(p.exited)
		}
	}()
	return <-launched
}

// begin lets requests be written.
func (p *process) begin(requests io.WriteCloser, patience time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running, p.requests = p.command.Process, requests
	p.watchdog = time.AfterFunc(patience, func() { p.fail(errLate) })
	if p.isLeaving {
		return errClosed
	}
	go p.write(requests)
	return nil
}

var (
	errLate  = errors.New("it does not answer in time")
	errTurn  = errors.New("it answers out of turn")
	errBusy  = errors.New("it has as many batches as it may")
	errQuiet = errors.New("its process ended")
)

// write writes requests. A child that reads none of them ends by the watchdog.
func (p *process) write(requests io.Writer) {
	for {
		select {
		case line := <-p.outgoing:
			if _, err := requests.Write(line); err != nil {
				return // the replies end, too
			}
		case <-p.exited:
			return
		}
	}
}

// submit sends a batch to the child.
func (p *process) submit(r request) (*work, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil {
		return nil, down(p.failure)
	}
	w := &work{number: p.last + 1, answered: make(chan struct{})}
	r.Batch = w.number
	if err := p.post(r); err != nil {
		return nil, err
	}
	p.last, p.works = w.number, append(p.works, w)
	if len(p.works) == 1 {
		p.watchdog.Reset(p.deadline)
	}
	return w, nil
}

// post hands a request to the writer, and does not wait for it.
func (p *process) post(r request) error {
	line, err := encode(r)
	if err != nil {
		return err
	}
	select {
	case p.outgoing <- line:
		return nil
	default:
		return errBusy
	}
}

// close ends the child, and returns when it is no more.
func (p *process) close() error {
	p.shut()
	if !waitFor(p.ended, leaveTime) {
		p.fail(errClosed)
	}
	if !waitFor(p.ended, reapTime) || !waitFor(p.exited, reapTime) {
		return errors.New("the process of the GPU does not end")
	}
	return nil
}

// shut lets the child end: by itself if it has nothing to do.
func (p *process) shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isLeaving = true
	switch {
	case p.running == nil:
	case len(p.works) > 0:
		p.kill(errClosed)
	default:
		p.requests.Close()
	}
}

// leaveTime is how long a child that is idle may take to end by itself.
const leaveTime = 3 * time.Second

// freeMemory lets the child give memory back. It does so later if it is busy now.
func (p *process) freeMemory() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.post(request{FreeMemory: true}) // a child with so many requests needs its memory
}

// fail kills the child.
func (p *process) fail(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kill(why)
}

// kill kills the child. The caller holds the lock.
func (p *process) kill(why error) {
	if p.failure == nil {
		p.failure = why
	}
	if p.running != nil {
		_ = p.running.Kill() // it may have exited
	}
}

// end ends the child after an error, and returns why it ended.
func (p *process) end(err error) error {
	p.fail(err)
	if p.running == nil {
		close(p.exited)
		return err
	}
	p.watchdog.Stop()
	hasExited := waitFor(p.exited, reapTime)
	p.mu.Lock()
	defer p.mu.Unlock()
	if hasExited && p.failure == errQuiet {
		p.failure = fmt.Errorf("%w: %v", errQuiet, p.command.ProcessState)
	}
	return p.failure
}

// err returns why the child ended, if it did.
func (p *process) err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure == nil {
		return nil
	}
	return down(p.failure)
}

// waitFor waits until a channel is closed, but not longer than some time.
func waitFor(c <-chan struct{}, limit time.Duration) bool {
	select {
	case <-c:
		return true
	case <-time.After(limit):
		return false
	}
}
