package decode

import (
	"errors"
	"fmt"
)

// errNoColumns is a mistake of the caller's.
var errNoColumns = errors.New("columns asked of a block that has none")

// checkWhole is check for codecs that know no columns.
func (j *Job) checkWhole() error {
	if j.Column > 0 || j.Beside != nil {
		return errNoColumns
	}
	return j.check()
}

// check tells whether job can be decoded without looking outside of its planes.
// A layout that no codec knows is ErrUnsupported; a job that contradicts its own
// layout is a mistake of the caller's.
func (j *Job) check() error {
	l, t := j.Layout, j.Target
	if err := l.Check(); err != nil {
		return err
	}
	switch {
	case j.Rows <= 0:
		return fmt.Errorf("a block of %d rows: %w", j.Rows, ErrUnsupported)
	case j.Column < 0 || t.Width() > l.Width-j.Column || t.Height() > j.Rows:
		return fmt.Errorf("%dx%d pixels from column %d on asked of a block of %dx%d", t.Width(), t.Height(), j.Column, l.Width, j.Rows)
	case (j.Column > 0 || j.Beside != nil) && !l.hasColumns():
		return errNoColumns
	case t.Type() != l.Type:
		return fmt.Errorf("%v samples asked of a block of %v", t.Type(), l.Type)
	case j.FirstBand < 0 || len(j.Samples) > t.Bands()-j.FirstBand:
		return fmt.Errorf("%d samples from band %d on asked of %d bands", len(j.Samples), j.FirstBand, t.Bands())
	}
	for _, s := range j.Samples {
		if s < 0 || s >= l.Samples {
			return fmt.Errorf("sample %d asked of a block of %d", s, l.Samples)
		}
	}
	for _, c := range j.Beside {
		if c.Target.Height() != t.Height() {
			return fmt.Errorf("columns of %d and of %d rows asked of one block", t.Height(), c.Target.Height())
		}
		if err := j.of(c).check(); err != nil {
			return err
		}
	}
	return nil
}
