package memory

import (
	"strings"
	"testing"

	"tileserver/config"
)

// fitted returns the budgets of a configuration within a limit, in MiB.
func fitted(t *testing.T, text string, limitMiB int64, files Files) (budgets [4]int64, err error) {
	t.Helper()
	c := config.Default()
	if err := c.Decode("c.yaml", []byte(text)); err != nil {
		t.Fatal(err)
	}
	err = Limit{limitMiB << 20, "a test"}.Fit(&c, files, 0)
	for i, b := range budgetsOf(&c, 0) {
		budgets[i] = int64(*b.size >> 20)
	}
	return budgets, err
}

func TestBudgetsFollowFromALimit(t *testing.T) {
	for _, test := range []struct {
		text     string
		limitMiB int64
		want     [4]int64 // cache, in_flight, rendering, sending
	}{
		{"", 2048, [4]int64{540, 256, 640, 256}},
		{"", 8192, [4]int64{5916, 256, 640, 256}},
		{"", 1024, [4]int64{244, 122, 306, 122}},
		{"", 200, [4]int64{23, 16, 28, 16}},
		{"cache: 1GiB", 2048, [4]int64{1024, 148, 371, 148}},
		{"cache: 100MiB", 8192, [4]int64{100, 256, 640, 256}},
		{"rendering: 64MiB\nsending: 64MiB", 512, [4]int64{146, 73, 64, 64}},
	} {
		got, err := fitted(t, test.text, test.limitMiB, Files{})
		sum := got[0] + got[1] + got[2] + got[3] + int64(besideBudgets>>20)
		if got != test.want || err != nil || sum > test.limitMiB {
			t.Errorf("%q within %d MiB: %v, together %d: %v; want %v", test.text, test.limitMiB, got, sum, err, test.want)
		}
	}
}

func TestBudgetsThatDoNotFitAreRefusedWithTheirSum(t *testing.T) {
	for _, test := range []struct {
		text     string
		limitMiB int64
		want     string
	}{
		{"cache: 2GiB", 2048, "c.yaml:1: cache: cache 2GiB + in_flight 16MiB + rendering 16MiB + sending 16MiB + 100MiB for the program are 2196MiB, " +
			"more than the limit of 2GiB (a test); give less, or leave keys out that then follow from the limit"},
		{"in_flight: 1MiB\nrendering: 1GiB", 1024, "c.yaml:2: rendering: "},
		{"", 64, "--cache: "},
	} {
		_, err := fitted(t, test.text, test.limitMiB, Files{})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || !config.IsMistake(err) {
			t.Errorf("%q within %d MiB: %v, want %s", test.text, test.limitMiB, err, test.want)
		}
	}
}

func TestWithoutALimitTheConfigurationStays(t *testing.T) {
	c := config.Default()
	c.Cache = 1 << 40
	if err := (Limit{}).Fit(&c, Files{}, 0); err != nil || c.Cache != 1<<40 || c.Sending != config.Default().Sending {
		t.Errorf("%v: cache %v, sending %v", err, c.Cache, c.Sending)
	}
}

func TestFilesThatStayInMemoryCount(t *testing.T) {
	files := Files{Grids: 80<<20 - 7, Heights: 2 * 16 << 20, DiskCache: 40 << 20, Remote: 64 << 20}
	got, err := fitted(t, "", 4096, files)
	if without := int64(2332); err != nil || got[0] != without-80-32-40-64 {
		t.Errorf("the cache has %d MiB, without files %d: %v", got[0], without, err)
	}
	_, err = fitted(t, "cache: 1GiB\nin_flight: 256MiB\nrendering: 512MiB\nsending: 128MiB", 2048, files)
	if want := "grids 80MiB + heights for dem 32MiB + records of disk_cache 40MiB + remote_memory 64MiB + 100MiB for the program are "; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("it says %v, want %q", err, want)
	}
}

// The batches of GPUs lie in memory of the server, those of each in its own.
func TestBatchesOfGPUsCount(t *testing.T) {
	for _, test := range []struct {
		text             string
		limitMiB         int64
		gpus             int
		cache, gpuMemory config.Size // in MiB
		fails            string
	}{
		{"", 2048, 0, 540, 512, ""},
		{"", 2048, 1, 398, 398, ""},
		{"", 4096, 1, 1820, 512, ""},
		{"", 4096, 2, 1308, 512, ""},
		{"gpu_memory: 64MiB", 4096, 2, 2204, 64, ""},
		{"gpu_memory: 1GiB", 2048, 2, 0, 1024, "c.yaml:1: gpu_memory: cache 1MiB + in_flight 16MiB + rendering 16MiB + sending 16MiB + 2 x gpu_memory 1GiB + 100MiB for the program are 2197MiB, "},
	} {
		c := config.Default()
		if err := c.Decode("c.yaml", []byte(test.text)); err != nil {
			t.Fatal(err)
		}
		err := Limit{test.limitMiB << 20, "a test"}.Fit(&c, Files{}, test.gpus)
		if test.fails != "" {
			if err == nil || !strings.HasPrefix(err.Error(), test.fails) {
				t.Errorf("%q with %d GPUs: %v, want %s", test.text, test.gpus, err, test.fails)
			}
			continue
		}
		if cache, batches := c.Cache>>20, c.GPUMemory>>20; err != nil || cache != test.cache || batches != test.gpuMemory {
			t.Errorf("%q with %d GPUs within %d MiB: the cache has %d, each GPU %d: %v", test.text, test.gpus, test.limitMiB, cache, batches, err)
		}
	}
}
