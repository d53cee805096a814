package export

import (
	"errors"
	"fmt"
	"os"

	"tileserver/internal/filelock"
)

// lock keeps other processes from the folder until unlock is called or the process ends. On systems
// without such locks it does nothing.
func (p *part) lock() (err error) {
	p.locked, err = os.OpenFile(p.path(lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	if err = filelock.Lock(p.locked); err == nil || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	p.unlock()
	return fmt.Errorf("%s: another export is at work: %w", p.folder, err)
}

func (p *part) unlock() { p.locked.Close() }
