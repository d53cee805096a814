package guard_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tileserver/source"
	"tileserver/source/guard"
	"tileserver/source/local"
	"tileserver/source/ranges"
)

// BenchmarkRead compares reads of what is in memory: of a plain file, of one whose calls may hang, and of
// one that is guarded as well.
func BenchmarkRead(b *testing.B) {
	const most = 1 << 20
	path := filepath.Join(b.TempDir(), "file")
	if err := os.WriteFile(path, make([]byte, most), 0o600); err != nil {
		b.Fatal(err)
	}
	var options ranges.Options
	calls := local.Store{Options: options, Calls: local.NewCalls()}
	for _, kind := range []struct {
		name  string
		store source.Store
	}{{"plain", local.Store{Options: options}}, {"calls", calls}, {"guarded", guard.Wrap(calls, guard.Config{Timeout: 30 * time.Second})}} {
		for _, size := range []int64{4 << 10, 64 << 10, most} {
			b.Run(fmt.Sprintf("%s/%d", kind.name, size), func(b *testing.B) {
				o, err := kind.store.Open(b.Context(), path)
				if err != nil {
					b.Fatal(err)
				}
				defer o.Close()
				b.ReportAllocs()
				wanted := []source.Range{{Length: size}}
				for b.Loop() {
					if _, err := o.ReadRanges(b.Context(), wanted); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
