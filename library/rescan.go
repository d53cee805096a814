package library

import "context"

// Rescanned is what is known after folders were scanned for those who asked.
type Rescanned struct {
	IsComplete bool     // whether all folders were listed; others are taken in when they are
	Layers     int      // that are served; files that were just found may have yet to be opened
	Problems   []string // a line for each folder that cannot be read
}

// Rescan scans all folders now, and waits until what was found is applied. It does not wait long for folders
// that take long. The library must be watched meanwhile. Rescan is safe for concurrent use.
func (l *Library) Rescan(ctx context.Context) (Rescanned, error) {
	answer := make(chan Rescanned, 1)
	select {
	case l.asked <- answer:
	case <-ctx.Done():
		return Rescanned{}, context.Cause(ctx)
	}
	select {
	case result := <-answer:
		return result, nil
	case <-ctx.Done():
		return Rescanned{}, context.Cause(ctx)
	}
}

// scanAsked scans all folders, once for all who have asked by now. They are answered even if that panics.
func (l *Library) scanAsked(ctx context.Context, first chan<- Rescanned) {
	asking, result := append(l.othersAsking(), first), Rescanned{}
	defer func() {
		for _, answer := range asking {
			answer <- result
		}
	}()
	l.scans.startAnew(ctx, l.desired.paths)
	found, took := l.scans.await(ctx)
	l.applyScans(ctx, found, took)
	result = Rescanned{IsComplete: len(l.scans.running) == 0, Layers: len(l.Catalog.Layers()), Problems: l.Problems()}
}

// othersAsking returns those who wait for the library to hear them.
func (l *Library) othersAsking() (asking []chan<- Rescanned) {
	for {
		select {
		case answer := <-l.asked:
			asking = append(asking, answer)
		default:
			return asking
		}
	}
}
