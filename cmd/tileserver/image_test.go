package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tileserver/cmd/tileserver/info"
	"tileserver/dataset"
	"tileserver/decode/container"
	"tileserver/decode/tiff/tifftest"
)

// pages returns a file of three images, of which the second has an overview.
func pages(t *testing.T) (tifftest.File, string) {
	t.Helper()
	page := func(width, height, value int) tifftest.Image {
		return tifftest.Image{Width: width, Height: height, Value: func(x, y, _ int) float64 { return float64((x + 2*y + value) % 256) }}
	}
	small := page(20, 15, 9)
	small.Subfile = tifftest.Overview
	file := tifftest.File{Images: []tifftest.Image{page(33, 21, 0), page(40, 30, 70), small, page(21, 50, 140)}}
	return file, writeTIFF(t, "pages.tif", file)
}

func TestImagesOfAFile(t *testing.T) {
	file, path := pages(t)
	folder := t.TempDir()
	for number, want := range []tifftest.Image{file.Images[0], file.Images[1], file.Images[3]} {
		of := fmt.Sprintf("%s#%d", path, number+1)
		out := filepath.Join(folder, "out")
		mustRun(t, "read", of, "-o", out)
		var samples []byte
		for y := range want.Height {
			for x := range want.Width {
				samples = append(samples, byte(want.Value(x, y, 0)))
			}
		}
		if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, samples) {
			t.Errorf("image %d: %d bytes (%v), want others: %d", number+1, len(got), err, len(samples))
		}
		mustRun(t, "render", of, "-o", out+".png")
		if text := mustRun(t, "info", of); !strings.Contains(text, fmt.Sprintf("%d x %d", want.Width, want.Height)) || !strings.Contains(text, "image 3") {
			t.Errorf("image %d: info says %s", number+1, text)
		}
	}
	var info info.Description
	if err := json.Unmarshal([]byte(mustRun(t, "info", "--json", path+"#2")), &info); err != nil {
		t.Fatal(err)
	}
	if info.Page != 2 || info.Images != 3 || len(info.Pages) != 3 || info.Pages[2].Height != 50 || !slices.Equal(info.Overviews, [][2]int{{20, 15}}) {
		t.Errorf("info of the second image: %+v", info)
	}
	for _, of := range []string{path + "#4", path + "#0", path + "#-1", path + "#x"} {
		for _, command := range []string{"info", "read", "render"} {
			if code, _, stderr := runProgram(t, command, of, "-o", filepath.Join(folder, "none.png")); code != exitUsage && command != "info" {
				t.Errorf("%s %s: exit code %d, want %d: %s", command, of, code, exitUsage, stderr)
			}
		}
		if code, _, stderr := runProgram(t, "info", of); code != exitUsage {
			t.Errorf("info %s: exit code %d, want %d: %s", of, code, exitUsage, stderr)
		}
	}
}

func TestImagesOfAFileAreServed(t *testing.T) {
	_, path := pages(t)
	config := writeFile(t, filepath.Dir(path), "config.yaml", "layers: [{id: last, path: 'pages.tif#3'}]")
	s := start(t, append([]string{"serve", "--config", config, filepath.Dir(path), path + "#2", path + "#3"}, freePorts...)...)
	titles := layerTitles(t, s)
	if len(titles) != 3 || titles["last"] == "" || titles["pages"] == "" || titles["pages-2"] == "" {
		t.Errorf("layers %v, want the third image, the first one and the second", titles)
	}
}

func TestSideFilesArePartOfADataset(t *testing.T) {
	path := writeTIFF(t, "scene.tif", tifftest.File{Images: []tifftest.Image{{Width: 40, Height: 30, Samples: 1, Value: ramp}}})
	folder := filepath.Dir(path)
	write := func(name string, image tifftest.Image) {
		t.Helper()
		data, err := tifftest.File{Images: []tifftest.Image{image}}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, folder, name, string(data))
	}
	keys := make(map[string]bool)
	for _, step := range []struct {
		name   string
		change func()
	}{
		{"nothing", func() {}},
		{"overviews", func() { write("scene.tif.ovr", tifftest.Image{Width: 20, Height: 15, Value: ramp}) }},
		{"a mask", func() { write("scene.tif.msk", tifftest.Image{Width: 40, Height: 30, Value: ramp}) }},
		{"another mask", func() { write("scene.tif.msk", tifftest.Image{Width: 40, Height: 30, Bits: 1, Value: ramp}) }},
		{"notes", func() { writeFile(t, folder, "scene.tif.aux.xml", "<PAMDataset/>") }},
		{"a world file", func() { writeFile(t, folder, "scene.tfw", "1 0 0 -1 0 0") }},
		{"no world file", func() { os.Remove(filepath.Join(folder, "scene.tfw")) }},
	} {
		before, file, err := new(program).fileOpener(16<<20).Open(t.Context(), path, dataset.Options{ID: "id"})
		if err != nil {
			t.Fatal(err)
		}
		step.change()
		if is, err := file.IsCurrent(t.Context()); is != (step.name == "nothing") || err != nil {
			t.Errorf("%s: still current: %v, %v", step.name, is, err)
		}
		keys[before.Images()[0].Key()] = true
		if err := before.Close(); err != nil {
			t.Error(err)
		}
	}
	if want := 6; len(keys) != want {
		t.Errorf("%d keys, want %d: %v", len(keys), want, keys)
	}
}

func TestInfoOfMetadata(t *testing.T) {
	const metadata, rpc = 42112, 50844
	numbers := make([]float64, 92)
	numbers[5] = 12.5
	image := tifftest.Image{Width: 40, Height: 30, Samples: 2, Value: ramp, Tags: []tifftest.Tag{
		{ID: metadata, Value: `<GDALMetadata><Item name="TITLE">a` + "\t\n" + `&#155;b</Item><Item name="SCALE" sample="0" role="scale">0.5</Item>` +
			`<Item name="UNITTYPE" sample="0" role="unittype">m</Item><Item name="DESCRIPTION" sample="1" role="description">depth</Item></GDALMetadata>`},
		{ID: rpc, Value: numbers},
	}}
	path := writeTIFF(t, "scene.tif", tifftest.File{Images: []tifftest.Image{image}})
	writeFile(t, filepath.Dir(path), "scene.tif.aux.xml", `<PAMDataset><GCPList><GCP Id="one" Pixel="1.5" Line="2" X="3" Y="4" Z="5"/></GCPList>`+
		`<PAMRasterBand band="2"><NoDataValue>7</NoDataValue><Metadata><MDI key="STATISTICS_MINIMUM">1</MDI><MDI key="STATISTICS_MAXIMUM">9</MDI>`+
		`<MDI key="STATISTICS_MEAN">5</MDI><MDI key="STATISTICS_STDDEV">2</MDI></Metadata></PAMRasterBand></PAMDataset>`)
	var info info.Description
	if err := json.Unmarshal([]byte(mustRun(t, "info", "--json", path)), &info); err != nil {
		t.Fatal(err)
	}
	first, second := info.BandInfo[0], info.BandInfo[1]
	if first.Scale == nil || *first.Scale != 0.5 || first.Offset == nil || *first.Offset != 0 || first.Unit != "m" || first.NoData != nil || first.Statistics != nil {
		t.Errorf("the first band is %+v", first)
	}
	if second.Name != "depth" || second.NoData == nil || *second.NoData != 7 || second.Scale != nil || second.Statistics == nil || *second.Statistics != (container.Statistics{Minimum: 1, Maximum: 9, Mean: 5, StdDev: 2}) {
		t.Errorf("the second band is %+v", second)
	}
	if len(info.ControlPoints) != 1 || info.ControlPoints[0] != (container.ControlPoint{Name: "one", Column: 1.5, Row: 2, X: 3, Y: 4, Z: 5}) || info.RPC == nil || info.RPC.LongitudeOffset != 12.5 {
		t.Errorf("control points %+v, RPC %+v", info.ControlPoints, info.RPC)
	}
	if !slices.Equal(info.SideFiles, []string{"scene.tif.aux.xml"}) || !strings.HasPrefix(info.Metadata[""]["TITLE"], "a\t") {
		t.Errorf("side files %q, metadata %q", info.SideFiles, info.Metadata)
	}
	text := mustRun(t, "info", path)
	for _, want := range []string{
		"TITLE=a \uFFFDb\n", "value = 0.5 * sample + 0, in m", "depth, nodata 7, noted from 1 to 9", "longitude 12.5", "column 1.5, row 2 is at 3, 4, 5", "scene.tif.aux.xml",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}
