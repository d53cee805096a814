package admission

import (
	"container/list"
	"context"
	"sync/atomic"
	"time"
)

// A visit is a work that waits or has a slot. The lock of the gate guards its fields, but for waits,
// spent and hasFailed.
type visit struct {
	Work
	gate    *Gate
	sources []*source
	lane    Lane
	arrival int64         // its number
	decided chan struct{} // closed once it is let in or refused
	refusal *Refusal      // fixed once decided is closed

	place            *list.Element // in the queue of its group
	arrived, entered time.Time

	timer                         *time.Timer // until it is overdue; nil if it reads no source
	isOverdue, isExcused, hasLeft bool
	isLent                        bool // whether another visit has its slot while it waits
	hasFailed                     bool // whether its work returned an error; written before it leaves

	cancel context.CancelCauseFunc // of a prefetch

	waits waits
	spent atomic.Int64 // nanoseconds of work
}

// isBackground reports whether a visit computes statistics, builds overviews or prefetches.
func (v *visit) isBackground() bool { return v.Purpose != Answer }

func (v *visit) isBuild() bool {
	return v.Purpose == OverviewBuild || v.Purpose == RequestOverviewBuild
}

func (v *visit) isDecided() bool {
	select {
	case <-v.decided:
		return true
	default:
		return false
	}
}

type visitKey struct{}

// context returns the context of the work.
func (v *visit) context(of context.Context) context.Context {
	return context.WithValue(of, visitKey{}, v)
}

// IsDear reports whether a context is of a work that gives way to cheap answers.
func IsDear(ctx context.Context) bool {
	v, ok := ctx.Value(visitKey{}).(*visit)
	return ok && v.lane != Cheap
}

// MustLeaveCore reports whether the work of a context is dear while so many cached answers pass the gate
// that it should leave them a core.
func MustLeaveCore(ctx context.Context) bool {
	v, ok := ctx.Value(visitKey{}).(*visit)
	return ok && v.mustLeaveCore()
}

func (v *visit) mustLeaveCore() bool { return v.lane != Cheap && v.gate.cached.isThere() }

// GiveWay lets what waits for this core run first, if the work of a context must leave one. Work that
// computes for long calls it between its parts, each of a fraction of a millisecond.
func GiveWay(ctx context.Context) {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok && v.mustLeaveCore() {
		v.gate.yield()
	}
}

type storageKey struct{}

// Reading returns a context for the part of a work that reads from one storage. A work whose sources
// lie on one needs none.
func Reading(ctx context.Context, storage string) context.Context {
	return context.WithValue(ctx, storageKey{}, storage)
}

// Storage returns the name of the storage that the work of a context reads now, or "" if it is unknown.
func Storage(ctx context.Context) string {
	if storage, ok := ctx.Value(storageKey{}).(string); ok {
		return storage
	}
	if v, ok := ctx.Value(visitKey{}).(*visit); ok && len(v.Sources) > 0 {
		return v.Sources[0].Storage
	}
	return ""
}

// Spend records that the work of a context computed for some time.
func Spend(ctx context.Context, took time.Duration) {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		v.spent.Add(int64(took))
	}
}

// Spent returns the recorded time of the work of a context.
func Spent(ctx context.Context) time.Duration {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		return time.Duration(v.spent.Load())
	}
	return 0
}

type deadlineKey struct{}

// KeepDeadline returns a context that remembers its deadline for Enter, even if a cache detaches the
// work from the request that began it.
func KeepDeadline(ctx context.Context) context.Context {
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithValue(ctx, deadlineKey{}, deadline)
	}
	return ctx
}

// deadlineOf returns the deadline of a context, or the one it remembers. It is zero without any.
func deadlineOf(ctx context.Context) time.Time {
	if deadline, ok := ctx.Deadline(); ok {
		return deadline
	}
	kept, _ := ctx.Value(deadlineKey{}).(time.Time)
	return kept
}
