package config

import "testing"

func TestSizesAreParsed(t *testing.T) {
	for _, test := range []struct {
		text string
		want Size
	}{
		{"0", 0}, {"1", 1}, {"1048576", 1 << 20}, {"12B", 12}, {"512MiB", 512 << 20}, {"1.5GiB", 3 << 29}, {"2 GB", 2e9},
		{"1kB", 1000}, {"1KB", 1000}, {"1KiB", 1024}, {"3TiB", 3 << 40}, {"0.5TB", 5e11}, {"1e3", 1000}, {"4GIB", 4 << 30}, {"4Gib", 4 << 30}, {"4gb", 4e9}, {"7b", 7}, {"8388607TiB", 8388607 << 40},
	} {
		var got Size
		if err := got.Set(test.text); err != nil || got != test.want {
			t.Errorf("%q: got %d and %v, want %d", test.text, got, err, test.want)
		}
		var again Size
		if err := again.Set(got.String()); err != nil || again != got {
			t.Errorf("%q is written %q, which is read as %d (%v)", test.text, got, again, err)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "-1MiB", "1Mi", "1M", "1 2", "NaN", "inf", "9000000TiB", "1e40", "0x"} {
		size := Size(7)
		if err := size.Set(text); err == nil {
			t.Errorf("%q: got %d, want an error", text, size)
		}
		if size != 7 {
			t.Errorf("%q: the size is %d after an error", text, size)
		}
	}
}

func TestAnInvalidSizeListsTheUnits(t *testing.T) {
	err := new(Size).Set("4Gi")
	if want := `"4Gi" is not a size such as 512MiB (units: KiB, MiB, GiB, TiB, kB, MB, GB, TB, B)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSizesUseTheLargestUnit(t *testing.T) {
	for size, want := range map[Size]string{
		0: "0B", 1: "1B", 1023: "1023B", 1024: "1KiB", 1536: "1536B", 1 << 20: "1MiB", 512 << 20: "512MiB", 3 << 29: "1536MiB", 1 << 40: "1TiB", 2e9: "1953125KiB",
	} {
		if got := size.String(); got != want {
			t.Errorf("%d: got %s, want %s", int64(size), got, want)
		}
	}
}
