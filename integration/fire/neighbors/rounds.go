package main

import (
	"context"
	"fmt"
	"time"
)

// rounds says how often which tiles are asked for again.
type rounds struct {
	tiles int // in a round; 0 without rounds
	every time.Duration
}

// repeatTiles asks for the same tiles in each round, and prints how many were cached after the first.
func (m *measurement) repeatTiles(others int) {
	addresses := make([]string, m.rounds.tiles)
	for i := range addresses {
		addresses[i] = m.tile()
	}
	var tiles counts
	asked, cached, began := 0, 0, time.Now()
	for round := 0; time.Since(began) < m.lasting; round++ {
		next := time.Now().Add(m.rounds.every)
		for _, address := range addresses {
			response := m.ask(context.Background(), address, "", &tiles)
			if round == 0 {
				continue
			}
			if asked++; response != nil && response.Header.Get("X-Cache") == "HIT" {
				cached++
			}
		}
		time.Sleep(time.Until(next))
	}
	fmt.Printf("%3d others: %d of %d tiles were cached, %d busy, %d failed\n", others, cached, asked, tiles.busy.Load(), tiles.others.Load())
}
