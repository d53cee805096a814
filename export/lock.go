package export

import (
	"errors"
	"fmt"
	"os"

	"tileserver/internal/filelock"
)

// lock keeps other processes from the folder until unlock is called or the process ends. On systems
// without such locks it does nothing.
func (f *workFolder) lock() (err error) {
	f.locked, err = os.OpenFile(f.in(lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	if err = filelock.Lock(f.locked); err == nil || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	f.unlock()
	return fmt.Errorf("%s: another export is at work: %w", f.path, err)
}

func (f *workFolder) unlock() { f.locked.Close() }
