package web

import (
	"fmt"
	"hash/maphash"
	"strings"
	"testing"

	"tileserver/source"
)

func TestStampsAreFoundAsTheyWere(t *testing.T) {
	tags := []string{
		"", `"1"`, `W/"1"`, `"d41d8cd98f00b204e9800998ecf8427e"`, `"D41D8CD98F00B204E9800998ECF8427E"`, `"d41d8cd98f00b204e9800998ecf8427g"`,
		`"d41d8cd98f00b204e9800998ecf8427e-12"`, "d41d8cd98f00b204e9800998ecf8427e", strings.Repeat("x", 60_000),
	}
	all := stamps{seed: maphash.MakeSeed()}
	want := make(map[string]source.Stamp)
	for i := range 500 {
		path := fmt.Sprintf("s3://bucket/%d.tif", i*i%10007)
		want[path] = source.Stamp{Size: int64(i) << 30, Modified: int64(i) * 1e17, Tag: tags[i%len(tags)]}
	}
	for path, stamp := range want {
		all.add(path, stamp)
	}
	all.finish()
	for path, stamp := range want {
		if got, ok := all.of(path); !ok || got != stamp {
			t.Fatalf("%s is %+v, want %+v", path, got, stamp)
		}
	}
	if got, ok := all.of("s3://bucket/none.tif"); ok {
		t.Errorf("one that is not there is %+v", got)
	}
	all = stamps{seed: all.seed}
	all.add("a", source.Stamp{Size: 7, Tag: strings.Repeat("x", 100_000)})
	all.finish()
	if got, ok := all.of("a"); !ok || got != (source.Stamp{Size: 7}) {
		t.Errorf("one with an absurd tag is %d bytes, %t", got.Size, ok)
	}
}
