package web

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// Who waits for another one that leaves asks on, also if that one leaves for a reason of its own, as what is read
// ahead does.
func TestTheReasonOfOneThatLeavesIsNotThatOfOthers(t *testing.T) {
	outranked := errors.New("outranked")
	var checks joint[bool]
	check := func(ctx context.Context) (bool, error) { <-ctx.Done(); return false, context.Cause(ctx) }
	read := func(ctx context.Context, _ string, _ *room) (*head, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	known := &heads{known: &shelf[*headCall]{in: NewMemory(1 << 20)}, reading: make(map[string]*headCall)}
	for name, ask := range map[string]func(ctx context.Context, isFirst bool) error{
		"whether it is current": func(ctx context.Context, isFirst bool) error {
			answer := func(context.Context) (bool, error) { return true, nil }
			if isFirst {
				answer = check
			}
			_, err := checks.ask(ctx, answer)
			return err
		},
		"its beginning": func(ctx context.Context, _ bool) error {
			_, err := known.of(ctx, "a", 0)
			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			known.read = read
			ctx, leave := context.WithCancelCause(t.Context())
			go func() {
				if err := ask(ctx, true); !errors.Is(err, outranked) {
					t.Errorf("%s: the one that left: %v", name, err)
				}
			}()
			synctest.Wait()
			known.read = func(context.Context, string, *room) (*head, error) { return new(head), nil }
			go func() {
				if err := ask(t.Context(), false); err != nil {
					t.Errorf("%s: the other one: %v", name, err)
				}
			}()
			synctest.Wait()
			leave(outranked)
			synctest.Wait()
		})
	}
}
