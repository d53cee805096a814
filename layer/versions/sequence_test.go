package versions

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/raster"
)

// A fakeFile is a file with numbered versions. 0 means that it is gone.
type fakeFile struct {
	version, opened, changes int
	err                      error
	reported                 []error
}

func (f *fakeFile) sequence() *Sequence[int] {
	return New(Config[int]{
		Open: func(context.Context, *int) (*int, error) {
			f.opened++
			if f.version == 0 {
				return nil, fs.ErrNotExist
			}
			if f.err != nil {
				return nil, f.err
			}
			v := f.version
			return &v, nil
		},
		IsCurrent: func(v *int) bool { return *v == f.version },
		Settle:    func(context.Context, *int) error { time.Sleep(time.Second); return nil },
		OnChange:  func() { f.changes++ },
		OnError:   func(err error) { f.reported = append(f.reported, err) },
	})
}

func mustBe(t *testing.T, s *Sequence[int], want int, wantErr error) {
	t.Helper()
	time.Sleep(2 * checkInterval)
	if v, err := s.Current(); *v != want || !errors.Is(err, wantErr) {
		t.Errorf("the current version is %d, %v; want %d, %v", *v, err, want, wantErr)
	}
}

// A file is replaced, removed, returned, and removed and replaced.
func TestStatesOfAVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFile{version: 1}
		s := f.sequence()
		if err := s.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, step := range []struct {
			version, want, changes int
			err                    error
		}{{1, 1, 0, nil}, {2, 2, 1, nil}, {0, 2, 2, ErrGone}, {2, 2, 3, nil}, {0, 2, 4, ErrGone}, {3, 3, 6, nil}} {
			f.version = step.version
			mustBe(t, s, step.want, step.err)
			if f.changes != step.changes {
				t.Errorf("step %d: %d changes, want %d", i, f.changes, step.changes)
			}
		}
	})
}

// While the next version cannot be opened, the one before stays current, and each distinct error is
// reported once.
func TestVersionThatCannotBeOpened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFile{version: 1}
		s := f.sequence()
		if err := s.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.version = 2
		for _, text := range []string{"half written", "half written", "not a TIFF"} {
			f.err = errors.New(text)
			mustBe(t, s, 1, nil)
		}
		if len(f.reported) != 2 || f.changes != 0 {
			t.Errorf("the errors %v were reported, and %d changes", f.reported, f.changes)
		}
	})
}

// Requests that find at once that the file has changed share one attempt.
func TestNextVersionIsOpenedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFile{version: 1}
		s := f.sequence()
		if err := s.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.version = 2
		var wait sync.WaitGroup
		for range 20 {
			wait.Go(func() {
				got, err := Use(t.Context(), s, func(v *int) (int, error) {
					if *v == 1 {
						return 0, raster.ErrChanged
					}
					return *v, nil
				})
				if got != 2 || err != nil {
					t.Errorf("got the version %d, %v", got, err)
				}
			})
		}
		wait.Wait()
		if f.opened != 2 {
			t.Errorf("the file was opened %d times, want 2", f.opened)
		}
	})
}

// A request waits a moment for a storage that hangs, once in each check, and others wait for nothing.
// Then it uses the version that it has.
func TestAStorageThatHangsDelaysOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, test := range map[string]struct {
			isCurrentHangs bool
			want           time.Duration
		}{"when asked": {true, checkPatience}, "when opened": {false, openPatience}} {
			f := &fakeFile{version: 1}
			s := f.sequence()
			if err := s.Open(t.Context()); err != nil {
				t.Fatal(err)
			}
			resume := make(chan struct{})
			isCurrent, open := s.config.IsCurrent, s.config.Open
			s.config.IsCurrent = func(v *int) bool {
				if test.isCurrentHangs {
					<-resume
				}
				return isCurrent(v)
			}
			s.config.Open = func(ctx context.Context, previous *int) (*int, error) {
				if !test.isCurrentHangs {
					<-resume
				}
				return open(ctx, previous)
			}
			f.version = 2
			waited := time.Duration(0)
			for range 100 {
				began := time.Now()
				if v, err := s.Current(); *v != 1 || err != nil {
					t.Errorf("%s: the version is %d, %v", name, *v, err)
				}
				waited += time.Since(began)
				time.Sleep(checkInterval / 10)
			}
			if waited != test.want {
				t.Errorf("%s: requests waited for %v, want %v", name, waited, test.want)
			}
			close(resume)
			synctest.Wait()
			time.Sleep(time.Second) // the file settles
			synctest.Wait()
			if v, err := s.Current(); *v != 2 || err != nil {
				t.Errorf("%s: when the storage answers, the version is %d, %v", name, *v, err)
			}
		}
	})
}

// The request that begins an attempt may leave like any other. The attempt goes on for the others.
func TestARequestMayLeaveTheAttemptThatItBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFile{version: 1}
		s := f.sequence()
		if err := s.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.version = 2
		old := s.Last()
		begun := time.Now()
		leader, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		var requests sync.WaitGroup
		requests.Go(func() {
			if _, err := s.Next(leader, old); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != time.Second/2 {
				t.Errorf("the request that began it: %v after %v", err, time.Since(begun))
			}
		})
		synctest.Wait()
		requests.Go(func() {
			if v, err := s.Next(t.Context(), old); err != nil || *v != 2 || time.Since(begun) != time.Second {
				t.Errorf("another one: %v after %v", err, time.Since(begun))
			}
		})
		requests.Wait()
		if f.opened != 2 {
			t.Errorf("the file was opened %d times, want 2", f.opened)
		}
	})
}

// An attempt that everybody has left ends in time, so that the next check makes another one.
func TestAnAttemptIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFile{version: 1}
		s := f.sequence()
		if err := s.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.version = 2
		open := s.config.Open
		s.config.Open = func(ctx context.Context, previous *int) (*int, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		mustBe(t, s, 1, nil)
		time.Sleep(maxOpenTime)
		synctest.Wait()
		s.config.Open = open
		mustBe(t, s, 2, nil)
		if len(f.reported) != 1 || !errors.Is(f.reported[0], context.DeadlineExceeded) {
			t.Errorf("the errors %v were reported", f.reported)
		}
	})
}
