// Command load asks a server for tiles, by several clients at a time, and prints how fast they came. It chooses
// tiles of a layer once, so that several servers can be asked for the same.
//
//	go run ./integration/remote/load -choose 300 -layer http://127.0.0.1:8080/layers/ORTHO >tiles
//	go run ./integration/remote/load -address http://127.0.0.1:8080/tiles/ORTHO/{z}/{x}/{y}.jpg <tiles
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	choose := flag.Int("choose", 0, "print a `NUMBER` of tiles of a layer, and ask for none")
	layer := flag.String("layer", "", "`ADDRESS` of the layer")
	seed := flag.Uint64("seed", 1, "`NUMBER` that chooses other tiles")
	address := flag.String("address", "", "`ADDRESS` of tiles, with {z}, {x} and {y}")
	clients := flag.Int("clients", 10, "`NUMBER` of clients")
	flag.Parse()
	var err error
	if *choose > 0 {
		err = chooseTiles(*layer, *choose, rand.New(rand.NewPCG(*seed, 0)))
	} else {
		err = load(*address, *clients)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// chooseTiles prints different tiles near the resolution of a layer.
func chooseTiles(address string, count int, random *rand.Rand) error {
	answer, err := http.Get(address)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var layer struct {
		Bounds [4]float64 // in degrees
		Sets   []struct {
			ID      string
			MaxZoom int
		} `json:"tile_matrix_sets"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&layer); err != nil {
		return err
	}
	zoom := 0
	for _, set := range layer.Sets {
		if set.ID == "WebMercatorQuad" {
			zoom = set.MaxZoom - 1
		}
	}
	b, chosen := layer.Bounds, make(map[string]bool)
	const maxDraws = 100 // for each tile; a small layer has fewer than asked for
	for draws := 0; len(chosen) < count && draws < maxDraws*count; draws++ {
		x, y := tileAt(b[0]+random.Float64()*(b[2]-b[0]), b[1]+random.Float64()*(b[3]-b[1]), zoom)
		if tile := fmt.Sprintf("%d %d %d", zoom, x, y); !chosen[tile] {
			chosen[tile] = true
			fmt.Println(tile)
		}
	}
	return nil
}

// tileAt returns the column and row of the tile of WebMercatorQuad at a place in degrees.
func tileAt(longitude, latitude float64, zoom int) (x, y int) {
	count := math.Exp2(float64(zoom))
	northing := math.Asinh(math.Tan(latitude*math.Pi/180)) / math.Pi
	return int((longitude/360 + .5) * count), int((1 - northing) / 2 * count)
}

// load asks for the tiles of standard input.
func load(address string, clients int) error {
	tiles, err := addresses(address)
	if err != nil {
		return err
	}
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	left := make(chan string)
	var mu sync.Mutex // guards the variables below
	var times []time.Duration
	failed := 0
	var asking sync.WaitGroup
	for range clients {
		asking.Go(func() {
			for tile := range left {
				began := time.Now()
				err := ask(client, tile)
				mu.Lock()
				times = append(times, time.Since(began))
				if err != nil {
					failed++
				}
				mu.Unlock()
			}
		})
	}
	began := time.Now()
	for _, tile := range tiles {
		left <- tile
	}
	close(left)
	asking.Wait()
	tell(times, time.Since(began), failed)
	return nil
}

// addresses returns the addresses of the tiles of standard input.
func addresses(template string) (all []string, err error) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		at := strings.Fields(lines.Text())
		if len(at) != 3 {
			return nil, fmt.Errorf("%q is no tile", lines.Text())
		}
		all = append(all, strings.NewReplacer("{z}", at[0], "{x}", at[1], "{y}", at[2]).Replace(template))
	}
	return all, lines.Err()
}

func ask(client *http.Client, address string) error {
	answer, err := client.Get(address)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "image/") {
		return fmt.Errorf("status %s", answer.Status)
	}
	return err
}

// tell prints tiles, tiles a second, two quantiles of the times in milliseconds, and how many failed.
func tell(times []time.Duration, took time.Duration, failed int) {
	slices.Sort(times)
	at := func(share float64) float64 {
		if len(times) == 0 {
			return 0
		}
		return times[int(share*float64(len(times)-1))].Seconds() * 1000
	}
	fmt.Printf("%d %.0f %.1f %.1f %d\n", len(times), float64(len(times))/took.Seconds(), at(.5), at(.99), failed)
}
