package blocks

import (
	"errors"
	"fmt"

	"tileserver/decode"
)

// errNoColumns means that the caller asked for columns of a block whose layout does not allow it.
var errNoColumns = errors.New("a range of columns requested from a block that must be decoded whole")

// checkNoColumns is check for codecs that cannot decode a range of columns.
func (j *Job) checkNoColumns() error {
	if j.Column > 0 || j.OtherColumns != nil {
		return errNoColumns
	}
	return j.check()
}

// check returns an error if decoding the job would reach outside its planes. A layout that no codec
// can read is decode.ErrUnsupported. A job that contradicts its own layout is a mistake of the caller.
func (j *Job) check() error {
	l, t := j.Layout, j.Target
	if err := l.Check(); err != nil {
		return err
	}
	switch {
	case j.Rows <= 0:
		return fmt.Errorf("a block of %d rows: %w", j.Rows, decode.ErrUnsupported)
	case j.Column < 0 || t.Width() > l.Width-j.Column || t.Height() > j.Rows:
		return fmt.Errorf("%dx%d pixels from column %d on requested from a block of %dx%d", t.Width(), t.Height(), j.Column, l.Width, j.Rows)
	case (j.Column > 0 || j.OtherColumns != nil) && !l.hasColumns():
		return errNoColumns
	case t.Type() != l.Type:
		return fmt.Errorf("%v samples requested from a block of %v", t.Type(), l.Type)
	case j.FirstBand < 0 || len(j.Samples) > t.Bands()-j.FirstBand:
		return fmt.Errorf("%d samples from band %d on requested for %d bands", len(j.Samples), j.FirstBand, t.Bands())
	}
	for _, s := range j.Samples {
		if s < 0 || s >= l.Samples {
			return fmt.Errorf("sample %d requested from a block of %d samples", s, l.Samples)
		}
	}
	for _, c := range j.OtherColumns {
		if c.Target.Height() != t.Height() {
			return fmt.Errorf("columns with %d and %d rows requested from one block", t.Height(), c.Target.Height())
		}
		if err := j.forColumns(c).check(); err != nil {
			return err
		}
	}
	return nil
}
