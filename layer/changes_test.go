package layer_test

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestRefreshNoticesChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &changingDataset{version: 1}
		c := newChangingCatalog(t, source, nil)
		first := c.Refresh()
		time.Sleep(2 * time.Second)
		if again := c.Refresh(); !again.Equal(first) {
			t.Errorf("nothing has changed, at %v", again)
		}
		source.set(func() { source.version = 2 })
		time.Sleep(2 * time.Second)
		if again := c.Refresh(); !again.After(first) {
			t.Errorf("the next version is of %v, the first of %v", again, first)
		}
	})
}
