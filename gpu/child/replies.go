package child

import (
	"bufio"
	"errors"
	"io"

	"tileserver/gpu"
)

// greet waits for the first reply.
func (p *process) greet(replies *bufio.Scanner) error {
	var r reply
	if err := p.receive(replies, &r); err != nil {
		return err
	}
	if r.Adapter == nil || r.Adapter.Limits.BindingBytes <= 0 || r.Adapter.Limits.BatchBytes <= 0 {
		return errTurn
	}
	p.adapter = *r.Adapter
	p.watchdog.Stop()
	return nil
}

// listen takes replies until there are no more.
func (p *process) listen(replies *bufio.Scanner) error {
	for {
		var r reply
		if err := p.receive(replies, &r); err != nil {
			return err
		}
		if err := p.answer(r.Done); err != nil {
			return err
		}
	}
}

func (p *process) receive(replies *bufio.Scanner, r *reply) error {
	err := receive(replies, r)
	switch {
	case errors.Is(err, io.EOF):
		return errQuiet
	case err == nil && r.Error != "":
		return &childError{r.Error, r.NoDevice}
	}
	return err
}

// childError is an error that a child tells of itself.
type childError struct {
	text     string
	noDevice bool
}

func (e *childError) Error() string { return e.text }

// Is tells that the child found no device.
func (e *childError) Is(target error) bool { return e.noDevice && target == gpu.ErrNoDevice }

// answer notes that the oldest work is done.
func (p *process) answer(number uint64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.works) == 0 || p.works[0].number != number {
		return errTurn
	}
	close(p.works[0].answered)
	p.works = p.works[1:]
	if len(p.works) == 0 {
		p.watchdog.Stop()
	} else {
		p.watchdog.Reset(p.deadline)
	}
	return nil
}
