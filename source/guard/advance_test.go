package guard_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
	"tileserver/source/guard"
	"tileserver/source/sourcetest"
)

// pagedStore lists in pages, each of which takes some time.
type pagedStore struct {
	source.Store
	pages    int
	took     time.Duration
	advances bool
}

func (p pagedStore) List(ctx context.Context, _ string) ([]source.Entry, error) {
	for range p.pages {
		select {
		case <-time.After(p.took):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if p.advances {
			source.Advance(ctx)
		}
	}
	return []source.Entry{{Name: "a"}}, nil
}

// A list of many pages may take longer than a page may. Only a page that does not come is a failure.
func TestACallThatAdvancesGoesOn(t *testing.T) {
	for _, test := range []struct {
		took     time.Duration
		advances bool
		isDone   bool
	}{{timeout / 3, true, true}, {timeout / 3, false, false}, {2 * timeout, true, false}} {
		synctest.Test(t, func(t *testing.T) {
			s := guard.Wrap(pagedStore{sourcetest.NewStore(), 100, test.took, test.advances}, guard.Config{Timeout: timeout})
			entries, err := s.List(t.Context(), "folder")
			if test.isDone != (err == nil && len(entries) == 1) || !test.isDone && !errors.Is(err, source.ErrStalled) {
				t.Errorf("%+v: %v, %v", test, entries, err)
			}
			if failures := s.Storages()[0].Failures; test.isDone != (failures == 0) {
				t.Errorf("%+v: %d failures", test, failures)
			}
		})
	}
}
