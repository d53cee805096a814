package disktier

import (
	"testing"

	"tileserver/source"
	"tileserver/source/web"
	"tileserver/source/web/transport"
	"tileserver/source/web/webtest"
)

// After a restart, a server is asked for what tells the version of a file, and for nothing that was read
// before. Another version is read anew.
func TestAServerIsAskedOnceForEachBlock(t *testing.T) {
	server, folder := webtest.New(t), t.TempDir()
	data := randomBytes(1, 40*blockBytes+5)
	server.Put("/a.tif", string(data))
	far := source.Range{Offset: 20*blockBytes - 9, Length: 3 * blockBytes}
	for process, want := range []int{2, 1, 1, 2, 1} {
		if process == 3 {
			data = randomBytes(2, len(data))
			server.Put("/a.tif", string(data))
		}
		tier := openTier(t, folder)
		store := tier.Over(web.NewStore(web.Config{Service: web.Plain{}, Client: transport.New(transport.Config{}), IsTrusted: true}))
		o, err := store.Open(t.Context(), server.URL+"/a.tif")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			wantBytes(t, o, data, far, source.Range{Length: 9})
		}
		if err := o.Close(); err != nil {
			t.Error(err)
		}
		tier.Close()
		if asked := server.Asked(); len(asked) != want {
			t.Errorf("process %d asked %d times, want %d: %v", process, len(asked), want, asked)
		}
	}
}
