package admission_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/admission"
	"tileserver/cache"
)

type kilobyte struct{}

func (kilobyte) Size() int64 { return 1000 }

// A value that waited for a slot for a minute is worth no more to the cache than one that did not: the
// older one is evicted.
func TestWaitingMakesNoValueDearer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := admission.New(admission.Config{Cheap: 1, Queue: 10})
		values := cache.NewSpace[string, kilobyte](cache.New(3000), "values")
		load := func(key string) {
			_, err := values.FetchOne(t.Context(), key, func(ctx context.Context) (value kilobyte, err error) {
				return value, gate.Run(ctx, admission.Work{}, func(context.Context) error {
					time.Sleep(time.Millisecond)
					return nil
				})
			})
			if err != nil {
				t.Error(err)
			}
		}
		_, leave, err := gate.Enter(t.Context(), admission.Work{})
		if err != nil {
			t.Fatal(err)
		}
		go load("waited")
		time.Sleep(time.Minute)
		leave()
		synctest.Wait()
		time.Sleep(time.Second)
		load("at once")
		load("last")
		if values.Contains("waited") || !values.Contains("at once") || !values.Contains("last") {
			t.Error("what waited was not evicted first")
		}
	})
}
