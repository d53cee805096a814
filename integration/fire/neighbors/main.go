// Command neighbors measures how the cheap answers of a running server fare beside dear ones. Some
// clients ask for tiles of one layer, while others ask for views of another, in pixels as many as a
// server allows by default. It prints a line for each number of these others: answers in a second, and
// quantiles of their times.
//
//	tileserver serve --listen 127.0.0.1:8080 --state "" FOLDER &
//	go run ./integration/fire/neighbors -cheap ORTHO -dear LOSSLESS_JPEG_2000
//
// With -hits all tiles are one, which is cached. With -rounds, a number of tiles is asked for again and
// again, and the line tells how many were still cached. Beside this file, hits.sh measures cached answers
// so that the waits of the clients themselves count little, and slowdisk.sh runs a server that reads one
// folder from a disk of a few bytes a second.
//
// Compare two programs in turns, on a machine that does nothing else: the times of a busy one say little.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// measurement is what to measure.
type measurement struct {
	base        string
	cheap, dear layer
	clients     int // that ask for tiles
	lasting     time.Duration
	areHits     bool
	viewSide    int // pixels
	rounds      rounds
	http        *http.Client
}

// layer is what the server tells of a layer.
type layer struct {
	ID            string
	Width, Height int
	Bounds        [4]float64 // in degrees
	Sets          []struct {
		ID      string
		MaxZoom int
	} `json:"tile_matrix_sets"`
}

func main() {
	m := measurement{http: &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 256}}}
	cheap := flag.String("cheap", "", "`LAYER` of the tiles, which has a place on the earth")
	dear := flag.String("dear", "", "`LAYER` of the views")
	others := flag.String("others", "0,4,16,64", "`NUMBERS` of clients that ask for views")
	flag.StringVar(&m.base, "base", "http://127.0.0.1:8080", "`ADDRESS` of the server")
	flag.IntVar(&m.clients, "clients", 4, "`NUMBER` of clients that ask for tiles")
	flag.DurationVar(&m.lasting, "lasting", 8*time.Second, "`TIME` of each measurement")
	flag.BoolVar(&m.areHits, "hits", false, "ask for one tile, half of the time conditionally")
	flag.IntVar(&m.viewSide, "view", 4096, "width and height of views, in `PIXELS`")
	flag.IntVar(&m.rounds.tiles, "rounds", 0, "ask for the same `NUMBER` of tiles in each round")
	flag.DurationVar(&m.rounds.every, "every", 3*time.Second, "`TIME` from a round to the next")
	flag.Parse()
	err := errors.Join(m.describe(*cheap, &m.cheap), m.describe(*dear, &m.dear))
	for text := range strings.SplitSeq(*others, ",") {
		number, parseErr := strconv.Atoi(text)
		if err = errors.Join(err, parseErr); err == nil {
			m.beside(number)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (m *measurement) describe(id string, to *layer) error {
	response, err := m.http.Get(m.base + "/layers/" + id)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("layer %q: %s", id, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(to)
}

// settling is how long views are asked for before tiles are.
const settling = 3 * time.Second

// beside measures tiles beside a number of clients that ask for views.
func (m *measurement) beside(others int) {
	ctx, stop := context.WithCancel(context.Background())
	var views counts
	var asking sync.WaitGroup
	for range others {
		asking.Go(func() { m.askForViews(ctx, &views) })
	}
	if others > 0 {
		time.Sleep(settling)
	}
	if m.rounds.tiles > 0 {
		m.repeatTiles(others)
		stop()
		asking.Wait()
		return
	}
	began := time.Now()
	var tiles counts
	all := make([][]time.Duration, m.clients)
	var watching sync.WaitGroup
	for i := range all {
		watching.Go(func() { all[i] = m.askForTiles(&tiles) })
	}
	watching.Wait()
	took := time.Since(began)
	stop()
	asking.Wait()
	print(others, slices.Concat(all...), took, &tiles, &views)
}

// counts counts answers.
type counts struct{ sound, busy, others atomic.Int64 }

func print(others int, times []time.Duration, took time.Duration, tiles, views *counts) {
	slices.Sort(times)
	at := func(share float64) time.Duration {
		if len(times) == 0 {
			return 0
		}
		return times[min(int(share*float64(len(times))), len(times)-1)].Round(10 * time.Microsecond)
	}
	fmt.Printf("%3d others: %7.1f tiles/s, p50 %v, p90 %v, p99 %v, max %v, %d busy, %d failed | views: %d sound, %d busy, %d failed\n",
		others, float64(len(times))/took.Seconds(), at(.5), at(.9), at(.99), at(1),
		tiles.busy.Load(), tiles.others.Load(), views.sound.Load(), views.busy.Load(), views.others.Load())
}

// ask returns the answer to a request without its body, which it has read.
func (m *measurement) ask(ctx context.Context, address, etag string, c *counts) *http.Response {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, m.base+address, nil)
	if err != nil {
		panic(err) // the address is made here
	}
	if etag != "" {
		request.Header.Set("If-None-Match", etag)
	}
	response, err := m.http.Do(request)
	if err == nil {
		_, err = io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	switch {
	case ctx.Err() != nil:
	case err != nil:
		c.others.Add(1)
	case response.StatusCode == http.StatusOK, response.StatusCode == http.StatusNotModified:
		c.sound.Add(1)
	case response.StatusCode == http.StatusServiceUnavailable:
		c.busy.Add(1)
	default:
		c.others.Add(1)
	}
	return response
}

// askForViews asks for views anywhere in the image until ctx ends.
func (m *measurement) askForViews(ctx context.Context, c *counts) {
	for ctx.Err() == nil {
		x, y := rand.IntN(max(m.dear.Width-m.viewSide, 1)), rand.IntN(max(m.dear.Height-m.viewSide, 1))
		address := fmt.Sprintf("/layers/%s/view.png?crs=image&bbox=%d,%d,%d,%d&width=%d&height=%d", m.dear.ID, x, y, x+m.viewSide, y+m.viewSide, m.viewSide, m.viewSide)
		if response := m.ask(ctx, address, "", c); response == nil || response.StatusCode != http.StatusOK {
			time.Sleep(200 * time.Millisecond)
		}
	}
}

// askForTiles asks for tiles, and returns how long each answer took.
func (m *measurement) askForTiles(c *counts) (times []time.Duration) {
	fixed, etag := m.tile(), ""
	for end := time.Now().Add(m.lasting); time.Now().Before(end); {
		address, condition := m.tile(), ""
		if m.areHits {
			address = fixed
			if rand.IntN(2) == 0 {
				condition = etag
			}
			time.Sleep(2 * time.Millisecond)
		}
		began := time.Now()
		if response := m.ask(context.Background(), address, condition, c); response != nil {
			etag = response.Header.Get("ETag")
		}
		times = append(times, time.Since(began))
	}
	return times
}

// tile returns the address of any tile near the resolution of the image. A picture of another
// background is another picture, so a tile that was asked for before is no hit, but its blocks may be.
func (m *measurement) tile() string {
	zoom := 0
	for _, set := range m.cheap.Sets {
		if set.ID == "WebMercatorQuad" {
			zoom = set.MaxZoom - 1
		}
	}
	b := m.cheap.Bounds
	x, y := tileAt(b[0]+rand.Float64()*(b[2]-b[0]), b[1]+rand.Float64()*(b[3]-b[1]), zoom)
	address := fmt.Sprintf("/tiles/%s/%d/%d/%d.jpg", m.cheap.ID, zoom, x, y)
	if !m.areHits {
		address += fmt.Sprintf("?background=%%23%06x", rand.IntN(1<<24))
	}
	return address
}

// tileAt returns the column and row of the tile of WebMercatorQuad at a place in degrees.
func tileAt(longitude, latitude float64, zoom int) (x, y int) {
	count := math.Exp2(float64(zoom))
	northing := math.Asinh(math.Tan(latitude*math.Pi/180)) / math.Pi
	return int((longitude/360 + .5) * count), int((1 - northing) / 2 * count)
}
