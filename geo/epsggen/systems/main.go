// Command systems writes the table of systems without a code for the tests of package geo: each in
// the notations of GDAL, with coordinates computed by PROJ. It needs gdalsrsinfo and gdal_create of
// GDAL, and cs2cs of PROJ. A developer runs it by hand.
//
//	go run ./geo/epsggen/systems -out geo/testdata/systems.jsonl -names geo/testdata/names.tsv
//
// The second table has a system of the registry for each method, in words without any code.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// area is where a system is tested: around a center.
type area struct{ longitude, latitude, width, height float64 }

func world(longitude float64) area { return area{longitude, 0, 360, 180} }

type test struct {
	proj string
	area area
}

// tests lists for each map projection its aspects, a sphere, and parameters that are not the usual
// ones.
func tests() []test {
	return []test{
		{"+proj=geos +sweep=x +lon_0=-75 +h=35786023 +ellps=GRS80", area{-75, 0, 170, 170}},
		{"+proj=geos +sweep=x +lon_0=-137.2 +h=35786023 +x_0=1000 +y_0=-2000 +ellps=WGS84", area{-137.2, 0, 170, 170}},
		{"+proj=geos +sweep=y +lon_0=0 +h=35785831 +a=6378169 +rf=295.488065897014", area{0, 0, 170, 170}},
		{"+proj=geos +sweep=y +lon_0=140.7 +h=35785863 +ellps=WGS84", area{140.7, 0, 170, 170}},
		{"+proj=geos +sweep=y +lon_0=9.5 +h=35785831 +R=6371000", area{9.5, 0, 170, 170}},
		{"+proj=aeqd +lat_0=40 +lon_0=10 +ellps=WGS84", world(10)},
		{"+proj=aeqd +lat_0=0 +lon_0=0 +ellps=WGS84", world(0)},
		{"+proj=aeqd +lat_0=90 +lon_0=0 +ellps=WGS84", world(0)},
		{"+proj=aeqd +lat_0=-90 +lon_0=30 +x_0=5000 +ellps=intl", world(30)},
		{"+proj=aeqd +lat_0=-35 +lon_0=149 +x_0=500000 +y_0=100000 +ellps=bessel", world(149)},
		{"+proj=aeqd +lat_0=52 +lon_0=-97.5 +R=6371000", world(-97.5)},
		{"+proj=eqdc +lat_1=20 +lat_2=60 +lat_0=40 +lon_0=-96 +ellps=GRS80", world(-96)},
		{"+proj=eqdc +lat_1=33 +lat_2=33 +lat_0=0 +lon_0=100 +x_0=1000 +y_0=3000 +ellps=clrk66", world(100)},
		{"+proj=eqdc +lat_1=-5 +lat_2=-42 +lat_0=-32 +lon_0=-60 +ellps=aust_SA", world(-60)},
		{"+proj=eqdc +lat_1=43 +lat_2=62 +lat_0=30 +lon_0=10 +R=6371000", world(10)},
		{"+proj=stere +lat_0=40 +lon_0=10 +k_0=0.9 +ellps=WGS84", world(10)},
		{"+proj=stere +lat_0=0 +lon_0=-30 +ellps=WGS84", world(-30)},
		{"+proj=stere +lat_0=-52 +lon_0=70 +x_0=2000 +y_0=7000 +ellps=intl", world(70)},
		{"+proj=stere +lat_0=46 +lon_0=25 +R=6371000", world(25)},
		{"+proj=stere +lat_0=90 +lon_0=-45 +k_0=0.994 +x_0=2000000 +y_0=2000000 +ellps=WGS84", world(-45)},
		{"+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +ellps=WGS84", world(-45)},
		{"+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +ellps=WGS84", world(0)},
		{"+proj=stere +lat_0=90 +lat_ts=60 +lon_0=10 +R=6370040", world(10)},
		{"+proj=labrd +lat_0=-18.9 +lon_0=46.4372291666667 +azi=18.9 +k_0=0.9995 +x_0=400000 +y_0=800000 +ellps=intl", area{46.7, -18.7, 8, 14}},
		{"+proj=bonne +lat_1=40 +lon_0=10 +ellps=WGS84", world(10)},
		{"+proj=bonne +lat_1=-35 +lon_0=-60 +x_0=3000 +y_0=4000 +ellps=intl", world(-60)},
		{"+proj=bonne +lat_1=90 +lon_0=0 +ellps=WGS84", world(0)},
		{"+proj=bonne +lat_1=60 +lon_0=0 +R=6371000", world(0)},
		{"+proj=vandg +lon_0=0 +R=6371007", world(0)},
		{"+proj=vandg +lon_0=150 +x_0=1000 +y_0=2000 +ellps=WGS84", world(150)},
		{"+proj=robin +lon_0=0 +ellps=WGS84", world(0)},
		{"+proj=robin +lon_0=-100 +x_0=1000 +y_0=2000 +R=6371007", world(-100)},
		{"+proj=moll +lon_0=0 +ellps=WGS84", world(0)},
		{"+proj=moll +lon_0=90 +x_0=1000 +y_0=2000 +R=6371007", world(90)},
		{"+proj=sinu +lon_0=0 +R=6371007.181", world(0)},
		{"+proj=sinu +lon_0=-60 +x_0=500 +y_0=900 +ellps=GRS80", world(-60)},
		{"+proj=poly +lat_0=0 +lon_0=-54 +x_0=5000000 +y_0=10000000 +ellps=aust_SA", world(-54)},
		{"+proj=poly +lat_0=30 +lon_0=10 +R=6371000", world(10)},
	}
}

// system is a line of the table. Coordinates that PROJ does not have are missing.
type system struct {
	Proj   string       `json:"proj"`
	WKT1   string       `json:"wkt1,omitempty"`
	ESRI   string       `json:"esri,omitempty"`
	WKT2   string       `json:"wkt2,omitempty"`
	Keys   *keys        `json:"keys,omitempty"`
	Points [][4]float64 `json:"points"` // longitude, latitude, x, y
	Beyond [][2]float64 `json:"beyond,omitempty"`
}

// keys holds the GeoTIFF tags.
type keys struct {
	Directory []uint16  `json:"directory"`
	Doubles   []float64 `json:"doubles"`
	ASCII     string    `json:"ascii"`
}

func main() {
	out := flag.String("out", "geo/testdata/systems.jsonl", "the table to write")
	names := flag.String("names", "geo/testdata/names.tsv", "the table of names to write")
	flag.Parse()
	if err := writeNames(*names); err != nil {
		log.Fatal(err)
	}
	var table bytes.Buffer
	for _, t := range tests() {
		s, err := describe(t)
		if err != nil {
			log.Fatalf("%s: %v", t.proj, err)
		}
		line, err := json.Marshal(s)
		if err != nil {
			log.Fatal(err)
		}
		table.Write(append(line, '\n'))
	}
	if err := os.WriteFile(*out, table.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// codes lists a system of the registry for each method that GDAL has, and the variants that share a
// name.
func codes() []int {
	return []int{
		2048, 2056, 2065, 2154, 2218, 2221, 3031, 3035, 3139, 3145, 3295, 3375, 3395, 3832, 3844, 3857, 3993, 4087, 5221, 5472,
		5513, 5514, 5641, 5880, 6201, 6245, 6933, 8441, 8857, 21781, 23700, 27200, 27500, 28992, 29101, 29701, 31370, 32633, 32661,
	}
}

func writeNames(path string) error {
	code := regexp.MustCompile(`,?(ID|AUTHORITY)\["EPSG","?[0-9]+"?\]`)
	var table bytes.Buffer
	for _, number := range codes() {
		for _, name := range []string{"wkt1", "wkt_esri", "wkt2"} {
			if text := code.ReplaceAllString(notation(fmt.Sprintf("EPSG:%d", number), name), ""); text != "" {
				fmt.Fprintf(&table, "%d\t%s\t%s\n", number, name, text)
			}
		}
	}
	return os.WriteFile(path, table.Bytes(), 0o644)
}

func describe(t test) (*system, error) {
	s := &system{Proj: t.proj, WKT1: notation(t.proj, "wkt1"), ESRI: notation(t.proj, "wkt_esri"), WKT2: notation(t.proj, "wkt2")}
	var err error
	if s.Keys, err = geoTIFFKeys(t.proj); err != nil {
		return nil, err
	}
	return s, s.addPoints(t)
}

// notation returns a system in the words of GDAL, or an empty text if GDAL has none.
func notation(proj, name string) string {
	output, err := exec.Command("gdalsrsinfo", "--single-line", "-o", name, proj).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(output))
}

// addPoints adds coordinates across the area, on its edges and just inside them.
func (s *system) addPoints(t test) error {
	var lonLat [][2]float64
	for _, x := range []float64{-.5, -.499999, -.4, -.13, 0, .000001, .21, .48} {
		for _, y := range []float64{-.5, -.499999, -.45, -.25, -.11, 0, .000001, .17, .36, .49, .4999, .5} {
			longitude := math.Remainder(t.area.longitude+x*t.area.width, 360)
			lonLat = append(lonLat, [2]float64{round(longitude), round(t.area.latitude + y*t.area.height)})
		}
	}
	xy, err := transform(t.proj, lonLat)
	if err != nil {
		return err
	}
	for i, q := range xy {
		if math.IsInf(q[0], 0) || math.IsInf(q[1], 0) {
			s.Beyond = append(s.Beyond, lonLat[i])
			continue
		}
		s.Points = append(s.Points, [4]float64{lonLat[i][0], lonLat[i][1], round(q[0]), round(q[1])})
	}
	return nil
}

func round(value float64) float64 { return math.Round(value*1e6) / 1e6 }

// transform returns infinite values for points that PROJ does not have.
func transform(proj string, points [][2]float64) ([][2]float64, error) {
	arguments := []string{"-f", "%.8f", "+proj=longlat"}
	for _, word := range strings.Fields(proj) {
		for _, prefix := range []string{"+ellps=", "+a=", "+rf=", "+R="} {
			if strings.HasPrefix(word, prefix) {
				arguments = append(arguments, word)
			}
		}
	}
	command := exec.Command("cs2cs", append(append(arguments, "+to"), strings.Fields(proj)...)...)
	var input strings.Builder
	for _, p := range points {
		fmt.Fprintf(&input, "%.8f %.8f\n", p[0], p[1])
	}
	command.Stdin = strings.NewReader(input.String())
	output, err := command.Output()
	if err != nil {
		return nil, err
	}
	var results [][2]float64
	for line := range strings.Lines(string(output)) {
		q := [2]float64{math.Inf(1), math.Inf(1)}
		if !strings.HasPrefix(line, "*") {
			if _, err := fmt.Sscan(line, &q[0], &q[1]); err != nil {
				return nil, fmt.Errorf("cs2cs said %q", line)
			}
		}
		results = append(results, q)
	}
	if len(results) != len(points) {
		return nil, fmt.Errorf("%d points of %d", len(results), len(points))
	}
	return results, nil
}

// geoTIFFKeys returns the tags of a file that GDAL writes in this system.
func geoTIFFKeys(proj string) (*keys, error) {
	folder, err := os.MkdirTemp("", "systems")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "a.tif")
	if output, err := exec.Command("gdal_create", "-q", "-outsize", "1", "1", "-a_srs", proj, "-a_ullr", "0", "1", "1", "0", path).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gdal_create: %s", output)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return keysOf(file)
}

// keysOf reads three tags of a little-endian TIFF.
func keysOf(file []byte) (*keys, error) {
	order := binary.LittleEndian
	directory := file[order.Uint32(file[4:]):]
	k := &keys{}
	for i := range int(order.Uint16(directory)) {
		entry := directory[2+12*i:]
		count, place := int(order.Uint32(entry[4:])), order.Uint32(entry[8:])
		var err error
		switch order.Uint16(entry) {
		case 34735:
			k.Directory = make([]uint16, count)
			_, err = binary.Decode(file[place:], order, k.Directory)
		case 34736:
			k.Doubles = make([]float64, count)
			_, err = binary.Decode(file[place:], order, k.Doubles)
		case 34737:
			k.ASCII = string(file[place:][:count])
		}
		if err != nil {
			return nil, err
		}
	}
	return k, nil
}
