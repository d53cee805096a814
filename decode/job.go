package decode

import "fmt"

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
	case t.Width() > l.Width || t.Height() > j.Rows:
		return fmt.Errorf("%dx%d pixels asked of a block of %dx%d", t.Width(), t.Height(), l.Width, j.Rows)
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
	return nil
}

// Check is nil if the codecs can read samples that lie as l says, and otherwise
// ErrUnsupported with what is the matter.
func (l *Layout) Check() error {
	if l.Width <= 0 || l.Samples <= 0 {
		return fmt.Errorf("a block of %d pixels of %d samples in a row: %w", l.Width, l.Samples, ErrUnsupported)
	}
	if !l.whole() && !l.narrowFloat() && !l.packed() {
		return fmt.Errorf("%d bits a sample of %v: %w", l.Bits, l.Type, ErrUnsupported)
	}
	switch l.Predictor {
	case NoPredictor, 0:
		return nil
	case HorizontalPredictor:
		if l.Bits == 8 || l.Bits == 16 || l.Bits == 32 || l.Bits == 64 {
			return nil
		}
	case FloatPredictor:
		if l.Type.IsFloat() {
			return nil
		}
	}
	return fmt.Errorf("predictor %d of %d-bit %v: %w", l.Predictor, l.Bits, l.Type, ErrUnsupported)
}

// whole tells whether samples are stored as they are in memory, up to the order
// of their bytes.
func (l *Layout) whole() bool { return l.Bits == 8*l.Type.Size() }
