// Command points writes the table of coordinates for the tests of package geo, computed by PROJ
// without grid files. It needs PROJ's cs2cs and database, and the sqlite3 program. A developer runs
// it by hand.
//
//	go run ./geo/epsggen/points -db /usr/share/proj/proj.db -out geo/testdata/points.tsv
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// codes lists several systems for each map projection, unit of length, prime meridian and kind of
// datum.
func codes() []int {
	return []int{
		2046, 2048, 2056, 2154, 2163, 2180, 2193, 2229, 2263, 3005, 3031, 3034, 3035, 3068, 3079, 3111, 3112, 3167, 3338, 3347,
		3375, 3395, 3408, 3411, 3413, 3573, 3577, 3765, 3832, 3844, 3857, 3976, 3994, 3995, 4258, 4269, 4277, 4314,
		5041, 5070, 5513, 5514, 5880, 6201, 6244, 6931, 6933, 7856, 8857, 21781, 23032, 23700, 24500, 25832, 25833, 26591,
		26910, 26915, 27200, 27572, 27700, 28992, 29101, 29873, 31256, 31370, 31467, 32601, 32633, 32661, 32733,
		3295, 3993, 4088, 8441, 29701,
	}
}

func main() {
	path := flag.String("db", "/usr/share/proj/proj.db", "PROJ's database")
	out := flag.String("out", "geo/testdata/points.tsv", "the table to write")
	flag.Parse()
	if err := run(*path, *out); err != nil {
		log.Fatal(err)
	}
}

func run(path, out string) error {
	// A folder with only the database hides installed grid files.
	folder, err := os.MkdirTemp("", "points")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := os.Symlink(path, filepath.Join(folder, "proj.db")); err != nil {
		return err
	}
	p := proj{database: path, folder: folder}
	var table bytes.Buffer
	release, err := p.release()
	if err != nil {
		return err
	}
	fmt.Fprintf(&table, "# Made by geo/epsggen/points with %s, grid files hidden:\n", release)
	fmt.Fprintf(&table, "#   PROJ_NETWORK=OFF cs2cs -f %%.10f EPSG:4326 EPSG:<code>    (of the operations it knows, cs2cs takes the best at each point)\n")
	fmt.Fprintln(&table, "# and back by cs2cs EPSG:<code> EPSG:4326, which a datum shift brings some millimeters away, as it forgets the height.")
	fmt.Fprintln(&table, "# x and y are put in the order easting, northing where the registry has it the other way.")
	fmt.Fprintln(&table, "# shift: helmert where the result differs from that of the system's own datum by over a millimeter, else none.")
	fmt.Fprintln(&table, "# code\tlongitude\tlatitude\tx\ty\tlongitude back\tlatitude back\tshift")
	for _, code := range codes() {
		if err := p.system(&table, code); err != nil {
			return fmt.Errorf("EPSG:%d: %w", code, err)
		}
	}
	return os.WriteFile(out, table.Bytes(), 0o644)
}

// proj runs PROJ's programs.
type proj struct{ database, folder string }

type point struct{ x, y float64 }

func (p proj) release() (string, error) {
	output, err := exec.Command("cs2cs").CombinedOutput() // without arguments it prints an error that begins with the release
	if len(output) == 0 {
		return "", err
	}
	first, _, _ := strings.Cut(string(output), "\n")
	return "PROJ " + first, nil
}

// system writes the rows of one reference system: points across its area of use.
func (p proj) system(table *bytes.Buffer, code int) error {
	s, err := p.describe(code)
	if err != nil {
		return err
	}
	var lonLat []point
	for _, f := range []point{{.5, .5}, {.3, .35}, {.7, .65}, {.35, .7}, {.65, .3}} {
		longitude := math.Remainder(s.west+f.x*(s.east-s.west), 360)
		lonLat = append(lonLat, point{round(longitude), round(s.south + f.y*(s.north-s.south))})
	}
	latLon := swapped(lonLat)
	world, err := p.transform(4326, code, latLon)
	if err != nil {
		return err
	}
	own, err := p.transform(s.base, code, latLon)
	if err != nil {
		return err
	}
	back, err := p.transform(code, 4326, world)
	if err != nil {
		return err
	}
	for i, q := range world {
		shift := "none"
		tolerance := 0.001
		if s.base == code {
			tolerance = 1e-8
		}
		if math.Hypot(own[i].x-q.x, own[i].y-q.y) > tolerance {
			shift = "helmert"
		}
		if s.northFirst {
			q.x, q.y = q.y, q.x
		}
		fmt.Fprintf(table, "%d\t%.6f\t%.6f\t%s\t%s\t%.10f\t%.10f\t%s\n", code, lonLat[i].x, lonLat[i].y,
			s.number(q.x), s.number(q.y), back[i].y, back[i].x, shift)
	}
	return nil
}

func swapped(points []point) []point {
	other := make([]point, len(points))
	for i, q := range points {
		other[i] = point{q.y, q.x}
	}
	return other
}

func round(value float64) float64 { return math.Round(value*1e6) / 1e6 }

// description describes a system in the database.
type description struct {
	west, south, east, north float64
	base                     int // the geographic system it is based on
	northFirst               bool
	geographic               bool
}

func (d description) number(value float64) string {
	if d.geographic {
		return fmt.Sprintf("%.10f", value)
	}
	return fmt.Sprintf("%.6f", value)
}

func (p proj) describe(code int) (description, error) {
	statement := fmt.Sprintf(`select e.west_lon, e.south_lat, e.east_lon, e.north_lat, c.base, lower(a.orientation), lower(a.name), c.geographic
		from (select code, geodetic_crs_code as base, coordinate_system_code as cs, 'projected_crs' as kind, 0 as geographic
			from projected_crs where auth_name='EPSG'
			union select code, code, coordinate_system_code, 'geodetic_crs', 1 from geodetic_crs where auth_name='EPSG') c
		join usage u on u.object_table_name=c.kind and u.object_auth_name='EPSG' and u.object_code=c.code
		join extent e on e.auth_name='EPSG' and e.code=u.extent_code
		join axis a on a.coordinate_system_auth_name='EPSG' and a.coordinate_system_code=c.cs and a.coordinate_system_order=1
		where c.code='%d' order by u.code limit 1`, code)
	output, err := exec.Command("sqlite3", "-readonly", "-separator", "\t", p.database, statement).Output()
	if err != nil {
		return description{}, err
	}
	fields := strings.Split(strings.TrimSpace(string(output)), "\t")
	if len(fields) != 8 {
		return description{}, fmt.Errorf("not in the database")
	}
	var d description
	if _, err := fmt.Sscan(strings.Join(fields[:5], " "), &d.west, &d.south, &d.east, &d.north, &d.base); err != nil {
		return description{}, err
	}
	if d.east < d.west {
		d.east += 360
	}
	d.northFirst = fields[5] == "north" || strings.Contains(fields[6], "northing")
	d.geographic = fields[7] == "1"
	return d, nil
}

// transform takes and returns coordinates in the axis order of the registry.
func (p proj) transform(from, to int, coordinates []point) ([]point, error) {
	var input bytes.Buffer
	for _, q := range coordinates {
		fmt.Fprintf(&input, "%.10f %.10f\n", q.x, q.y)
	}
	command := exec.Command("cs2cs", "-f", "%.10f", fmt.Sprintf("EPSG:%d", from), fmt.Sprintf("EPSG:%d", to))
	command.Env = append(os.Environ(), "PROJ_NETWORK=OFF", "PROJ_DATA="+p.folder, "PROJ_LIB="+p.folder)
	command.Stdin = &input
	output, err := command.Output()
	if err != nil {
		return nil, err
	}
	var points []point
	for line := range strings.Lines(string(output)) {
		var q point
		if _, err := fmt.Sscan(line, &q.x, &q.y); err != nil {
			return nil, fmt.Errorf("cs2cs said %q", line)
		}
		points = append(points, q)
	}
	if len(points) != len(coordinates) {
		return nil, fmt.Errorf("%d points of %d", len(points), len(coordinates))
	}
	return points, nil
}
