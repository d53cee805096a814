package api_test

import (
	"strings"
	"testing"

	"tileserver/http/servertest"
)

func TestBandNamesInDocuments(t *testing.T) {
	server := servertest.New(t, nil)
	server.Add(t, withInfrared())
	for path, says := range map[string]string{
		"/layers/infrared/point/5,5?crs=image":        `"band_names":["","","","nir"]`,
		"/layers/infrared/point/5,5?crs=image&bidx=4": `"band_names":["nir"]`,
		"/layers/infrared/statistics?bidx=4":          `{"b4":{"name":"nir","min":`,
		"/layers/infrared/statistics?bidx=3":          `{"b3":{"min":`,
		"/layers/infrared/statistics?bidx=7":          "there is no band 7; the bands are 1 to 4",
		"/layers/infrared/preview.png?rescale=5":      "rescale must be 2 numbers with commas between them, such as 5.9,45.8, not",
		"/healthz":                                    "--admin-listen",
		"/metrics":                                    "--admin-listen",
	} {
		if got := server.Get(t, path).Body.String(); !strings.Contains(strings.ReplaceAll(got, " ", ""), strings.ReplaceAll(says, " ", "")) {
			t.Errorf("%s is %.300s, want it to say %s", path, got, says)
		}
	}
	if got := server.Get(t, "/layers/infrared/point/5,5?crs=image&expression=b4*2").Body.String(); strings.Contains(got, "band_names") {
		t.Errorf("what is computed has a name: %s", got)
	}
}
