package web

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"tileserver/source"
	"tileserver/source/web/transport"
)

// IsCurrent reports whether the object, and the siblings that were asked for, are as they were. It asks the
// server once in the time that the store has for that, for all callers, and not at all if a list has told.
func (o *object) IsCurrent(ctx context.Context) (bool, error) {
	switch {
	case o.isChanged.Load():
		return false, nil
	case o.isConfirmed():
		return true, nil
	}
	return o.checks.ask(ctx, o.check)
}

// isConfirmed reports whether the object counts as current without asking.
func (o *object) isConfirmed() bool {
	return time.Since(o.openedAt)-time.Duration(o.confirmedAt.Load()) < o.store.config.Recheck
}

// check asks whether the object is current, unless somebody has just asked.
func (o *object) check(ctx context.Context) (bool, error) {
	if o.isConfirmed() {
		return true, nil
	}
	now := time.Since(o.openedAt)
	is, err := o.isUnchanged(ctx, now)
	if is && err == nil {
		is, err = o.siblings.areUnchanged(ctx)
	}
	if err != nil {
		return false, err
	}
	if is {
		o.confirmedAt.Store(int64(now))
	} else {
		o.noteChange()
	}
	return is, nil
}

// isUnchanged asks the server, or a list, whether the object has the opened version.
func (o *object) isUnchanged(ctx context.Context, now time.Duration) (bool, error) {
	if listed, ok := o.store.lists.stamp(o.path, now-time.Duration(o.confirmedAt.Load())); ok && versionIn(listed).isSame(o.version) {
		return true, nil
	}
	return o.store.isStill(ctx, o.path, o.version)
}

// isStill asks whether the object at a path has a version.
func (s *Store) isStill(ctx context.Context, path string, v version) (is bool, err error) {
	u, err := s.config.Service.Locate(path)
	if err != nil {
		return false, named(path, err)
	}
	header := http.Header{"Range": {formatRange(source.Range{Length: 1})}}
	v.exclude(header)
	err = s.fetch(ctx, s.request(u, header), func(answer *transport.Answer) error {
		is = v.isAnsweredBy(answer)
		return nil
	})
	if err != nil {
		return false, named(path, err)
	}
	return is, nil
}

// isAnsweredBy reports whether an answer to a request for the first byte is about this version.
func (v version) isAnsweredBy(answer *transport.Answer) bool {
	size := v.size
	switch answer.Status {
	case http.StatusNotModified:
		return true
	case http.StatusOK:
		if answer.Length >= 0 {
			size = answer.Length
		}
	case http.StatusPartialContent, http.StatusRequestedRangeNotSatisfiable:
		_, told, err := parseContentRange(answer.Header.Get("Content-Range"))
		if err == nil && told != unknownSize {
			size = told
		}
	default:
		return false
	}
	return versionOf(answer.Header, size).isSame(v)
}

const (
	// settleTime is how long an object on a web server must be untouched to count as complete.
	settleTime = 2 * time.Second

	// maxSettleTime is how long Settle waits at most.
	maxSettleTime = 5 * time.Second
)

// Settle waits until the next version of the object is complete. Buckets replace objects at once. A web server
// may serve a file that is being written.
func (o *object) Settle(ctx context.Context) error {
	_, isAtomic := o.store.config.Service.(Lister)
	var earlier *head
	for began := time.Now(); ; {
		now, err := o.store.heads.of(ctx, o.path, 0)
		if err != nil {
			return named(o.path, err)
		}
		age := time.Since(time.Unix(0, now.version.modified))
		if isAtomic || age >= settleTime || earlier != nil && now.version.isSame(earlier.version) {
			return nil
		}
		if time.Since(began) >= maxSettleTime {
			return fmt.Errorf("%w: %s is being written to", source.ErrChanged, o.Name())
		}
		earlier = now
		if err := transport.Sleep(ctx, settleTime); err != nil {
			return err
		}
	}
}
