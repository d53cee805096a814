// Command points writes the models and the pixels for the tests of package sensor, computed by GDAL.
// It needs GDAL's programs, and the folder of real test files. A developer runs it by hand.
//
//	go run ./geo/sensor/points -files ../shared/testdata -out geo/sensor/testdata
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tileserver/decode/rpc"
	"tileserver/decode/tiff/tifftest"
	"tileserver/geo/sensor"
)

func main() {
	files := flag.String("files", "../shared/testdata", "the folder of real test files")
	out := flag.String("out", "geo/sensor/testdata", "the folder to write to")
	flag.Parse()
	if err := run(*files, *out); err != nil {
		log.Fatal(err)
	}
}

func run(files, out string) error {
	models, err := readModels(files)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(models, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "models.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	release, err := exec.Command("gdaltransform", "--version").Output()
	if err != nil {
		return err
	}
	var table, onTerrain bytes.Buffer
	fmt.Fprintf(&table, "# Made by geo/sensor/points with %s:\n", bytes.TrimSpace(release))
	fmt.Fprintln(&table, "#   gdaltransform -rpc -i -to RPC_HEIGHT=<height> <model>")
	fmt.Fprintln(&table, "# model\theight\tlongitude\tlatitude\tcolumn\trow")
	fmt.Fprintf(&onTerrain, "# Made by geo/sensor/points with %s:\n", bytes.TrimSpace(release))
	fmt.Fprintln(&onTerrain, "#   gdaltransform -rpc -i -to RPC_DEM=<terrain> <model>")
	fmt.Fprintln(&onTerrain, "# model\tlongitude\tlatitude\tcolumn\trow")
	for _, m := range models {
		if err := errors.Join(m.writePoints(&table), m.writePointsOnTerrain(&onTerrain)); err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return errors.Join(
		os.WriteFile(filepath.Join(out, "points.tsv"), table.Bytes(), 0o644),
		os.WriteFile(filepath.Join(out, "terrain.tsv"), onTerrain.Bytes(), 0o644),
	)
}

// model is a model with a name for the table.
type model struct {
	Name string     `json:"name"`
	RPC  sensor.RPC `json:"rpc"`
}

// readModels returns the models of real files, and the same sensors above places where coordinates
// are special.
func readModels(files string) ([]model, error) {
	var models []model
	for _, file := range []struct{ name, path string }{
		{"hobart", "tiff/gdal/byte_rpc.tif"}, {"paris", "tiff/gdal/tif_webp.tif"}, {"lake", "tiff/rioxarray/test_rpcs.tif"},
	} {
		m, err := readModel(filepath.Join(files, file.path))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.path, err)
		}
		models = append(models, model{file.name, m.RPC})
	}
	west, east, north := models[0], models[2], models[1]
	west.Name, west.RPC.LongitudeOffset, west.RPC.LatitudeOffset = "antimeridian from the west", 179.97, -16.8
	east.Name, east.RPC.LongitudeOffset, east.RPC.LatitudeOffset = "antimeridian from the east", -179.99, 66.5
	north.Name, north.RPC.LatitudeOffset, north.RPC.LatitudeScale, north.RPC.LongitudeScale = "pole", 89.3, 0.4, 15
	return append(models, west, east, north), nil
}

// readModel returns the model of a file, as GDAL reads it.
func readModel(path string) (*rpc.Model, error) {
	output, err := exec.Command("gdalinfo", "-json", path).Output()
	if err != nil {
		return nil, err
	}
	var found struct {
		Metadata struct{ RPC map[string]string }
	}
	if err := json.Unmarshal(output, &found); err != nil {
		return nil, err
	}
	return rpc.FromMetadata(path, found.Metadata.RPC)
}

// writePoints writes the pixels of a grid of places, at three heights. The grid extends beyond the
// area of the model.
func (m *model) writePoints(table *bytes.Buffer) error {
	var places []string
	for _, y := range []float64{-1.4, -0.7, 0, 0.7, 1.4} {
		for _, x := range []float64{-1.4, -0.7, 0, 0.7, 1.4} {
			places = append(places, m.place(x, y))
		}
	}
	for _, z := range []float64{-0.9, 0, 0.9} {
		height := fmt.Sprintf("%.3f", m.RPC.HeightOffset+z*m.RPC.HeightScale)
		if err := m.transform(table, m.Name+"\t"+height, places, "RPC_HEIGHT="+height); err != nil {
			return err
		}
	}
	return nil
}

// writePointsOnTerrain writes the pixels of places between the heights of a terrain. It writes none
// for a terrain across the antimeridian, where GDAL knows no heights.
func (m *model) writePointsOnTerrain(table *bytes.Buffer) error {
	if math.Abs(m.RPC.LongitudeOffset)+m.RPC.LongitudeScale > 180 {
		return nil
	}
	folder, err := os.MkdirTemp("", "points")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	const columns, rows = 60, 50
	heights := tifftest.File{Images: []tifftest.Image{{
		Width: columns, Height: rows, Bits: 16, Value: func(x, y, _ int) float64 { return float64(4 * (10*distance(x%20, 10) + 7*distance(y%14, 7))) },
		Tags: tifftest.GeoTIFF(tifftest.Georeference{
			EPSG: 4326, Geographic: true, OriginX: m.RPC.LongitudeOffset - m.RPC.LongitudeScale, OriginY: m.RPC.LatitudeOffset + m.RPC.LatitudeScale,
			PixelX: 2 * m.RPC.LongitudeScale / columns, PixelY: 2 * m.RPC.LatitudeScale / rows,
		}),
	}}}
	content, err := heights.Encode()
	if err != nil {
		return err
	}
	path := filepath.Join(folder, "heights.tif")
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return err
	}
	var places []string
	for i := range 60 {
		x, y := float64(i*17%60)/60-0.5, float64(i*31%60)/60-0.5
		places = append(places, m.place(1.7*x, 1.7*y))
	}
	return m.transform(table, m.Name, places, "RPC_DEM="+path)
}

func distance(a, b int) int { return max(a-b, b-a) }

// place returns the text of a place by its position in the area of the model.
func (m *model) place(x, y float64) string {
	longitude := math.Remainder(m.RPC.LongitudeOffset+x*m.RPC.LongitudeScale, 360)
	return fmt.Sprintf("%.9f\t%.9f", longitude, m.RPC.LatitudeOffset+y*m.RPC.LatitudeScale)
}

// transform writes the pixels of places by GDAL, with an option for the ground.
func (m *model) transform(table *bytes.Buffer, prefix string, places []string, ground string) error {
	file, err := os.CreateTemp("", "*.vrt")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if _, err := file.WriteString(m.dataset()); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	command := exec.Command("gdaltransform", "-rpc", "-i", "-to", ground, file.Name())
	command.Stdin = strings.NewReader(strings.ReplaceAll(strings.Join(places, "\n"), "\t", " "))
	output, err := command.Output()
	if err != nil {
		return err
	}
	pixels := strings.Split(strings.TrimSpace(string(output)), "\n")
	if len(pixels) != len(places) {
		return fmt.Errorf("%d pixels of %d places", len(pixels), len(places))
	}
	for i, pixel := range pixels {
		var column, row float64
		if _, err := fmt.Sscan(pixel, &column, &row); err != nil {
			return fmt.Errorf("%s: %q: %w", places[i], pixel, err)
		}
		fmt.Fprintf(table, "%s\t%s\t%.6f\t%.6f\n", prefix, places[i], column, row)
	}
	return nil
}

// dataset returns a VRT with the model in GDAL's metadata.
func (m *model) dataset() string {
	var b strings.Builder
	b.WriteString(`<VRTDataset rasterXSize="100" rasterYSize="80"><Metadata domain="RPC">`)
	item := func(name string, numbers ...float64) {
		fmt.Fprintf(&b, `<MDI key="%s">%s</MDI>`, name, strings.Trim(fmt.Sprint(numbers), "[]"))
	}
	item("LINE_OFF", m.RPC.LineOffset)
	item("SAMP_OFF", m.RPC.SampleOffset)
	item("LAT_OFF", m.RPC.LatitudeOffset)
	item("LONG_OFF", m.RPC.LongitudeOffset)
	item("HEIGHT_OFF", m.RPC.HeightOffset)
	item("LINE_SCALE", m.RPC.LineScale)
	item("SAMP_SCALE", m.RPC.SampleScale)
	item("LAT_SCALE", m.RPC.LatitudeScale)
	item("LONG_SCALE", m.RPC.LongitudeScale)
	item("HEIGHT_SCALE", m.RPC.HeightScale)
	item("LINE_NUM_COEFF", m.RPC.LineNumerator[:]...)
	item("LINE_DEN_COEFF", m.RPC.LineDenominator[:]...)
	item("SAMP_NUM_COEFF", m.RPC.SampleNumerator[:]...)
	item("SAMP_DEN_COEFF", m.RPC.SampleDenominator[:]...)
	b.WriteString(`</Metadata><VRTRasterBand dataType="Byte" band="1"/></VRTDataset>`)
	return b.String()
}
