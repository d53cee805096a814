package disktier

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source"
	"tileserver/source/guard"
	"tileserver/source/sourcetest"
)

// While a host is away, what is on the disk can be read: it does not need the host.
func TestWhatIsOnTheDiskIsReadWhileTheHostIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keeper, s, data := newKeeper(), sourcetest.NewStore(), randomBytes(1, oddBytes)
		s.Put("host/a.tif", data, time.Hour)
		guarded := guard.Wrap(keeper.tier().Over(s), guard.Config{Timeout: time.Second})
		o, err := guarded.Open(t.Context(), "host/a.tif")
		if err != nil {
			t.Fatal(err)
		}
		warm, cold := source.Range{Offset: 5, Length: 9}, source.Range{Offset: 5 * blockBytes, Length: 9}
		wantBytes(t, o, data, warm)
		synctest.Wait()
		resume := s.Hang("host")
		for range 10 {
			if _, err := o.ReadRanges(t.Context(), []source.Range{cold}); !errors.Is(err, source.ErrStalled) {
				t.Errorf("what must be fetched: %v", err)
			}
			wantBytes(t, o, data, warm)
		}
		if status := guarded.Storages()[0]; !status.IsAway || status.Refused == 0 {
			t.Errorf("the host is %+v", status)
		}
		resume()
		time.Sleep(time.Minute)
		wantBytes(t, o, data, cold, warm)
	})
}
