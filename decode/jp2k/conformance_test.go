package jp2k

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The standard's codestreams are decoded within its tolerances: the maximum error of a sample, and
// the mean squared error of all.
func TestConformance(t *testing.T) {
	root := realFolder(t)
	measured := 0
	for _, row := range tableRows(t, filepath.Join(root, "CONFORMANCE.tsv")) {
		if !strings.HasSuffix(row["reference"], ".pgx.gz") {
			continue // colors of a display, or a reference that does not exist
		}
		measured++
		t.Run(strings.TrimPrefix(row["path"], "jp2k/")+"/"+row["component"], func(t *testing.T) {
			f, err := openReal(t.Context(), t, filepath.Join(root, row["path"]))
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.image.Component(t.Context(), mustInteger(t, row["component"]), mustInteger(t, row["reduce"]))
			if err != nil {
				t.Fatal(err)
			}
			want := readPackedPGX(t, filepath.Join(root, row["reference"]))
			if got.Width != want.width || got.Height != want.height {
				t.Fatalf("%dx%d samples, want %dx%d", got.Width, got.Height, want.width, want.height)
			}
			peak, meanSquare := difference(got.Samples, want.samples)
			maxPeak, maxMeanSquare := mustDecimal(t, row["peak_max"]), mustDecimal(t, row["mse_max"])
			t.Logf("peak %v of %v, mean square %.6g of %v; OpenJPEG has %q and %q", peak, maxPeak, meanSquare, maxMeanSquare, row["openjpeg_peak"], row["openjpeg_mse"])
			if peak > maxPeak || meanSquare > maxMeanSquare {
				t.Errorf("peak %v and mean square %v, want at most %v and %v", peak, meanSquare, maxPeak, maxMeanSquare)
			}
			if f.reported() != "" {
				t.Errorf("reported %q", f.reported())
			}
		})
	}
	if measured < 65 {
		t.Errorf("%d components were measured, not 65 or more", measured)
	}
}

// difference returns the maximum error and the mean squared error of samples.
func difference(got, want []int64) (peak, meanSquare float64) {
	for i := range got {
		d := float64(got[i] - want[i])
		peak, meanSquare = max(peak, d, -d), meanSquare+d*d/float64(len(got))
	}
	return peak, meanSquare
}

func mustInteger(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func mustDecimal(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
