package admission

import (
	"container/list"
	"time"
)

// A Purpose says what a work is for.
type Purpose int

// The purposes of work.
const (
	Answer               Purpose = iota // a picture or a document for a request
	StyleStatistics                     // for the styles of layers
	RequestStatistics                   // for the expressions and nodata values of requests
	OverviewBuild                       // in the background, for the styles of layers
	RequestOverviewBuild                // in the background, for the nodata values of requests
	prefetch                            // what nobody has asked for yet
)

// A Lane is a queue with slots of its own.
type Lane int

// The lanes. All but Cheap are dear.
const (
	Cheap Lane = iota
	Dear
	styleStatistics
	requestStatistics
	overviewBuilds
	requestOverviewBuilds
	prefetches
	laneCount = iota
)

// String returns the name of a lane in metrics and in the log.
func (l Lane) String() string {
	return [laneCount]string{"cheap", "dear", "style_statistics", "request_statistics", "overviews", "request_overviews", "prefetch"}[l]
}

// maxCheapCost is the cost above which an answer is dear. A map tile of a lossless JPEG 2000 takes 50
// milliseconds, which busy cores may triple before they are measured; most tiles take 5.
const maxCheapCost = 200 * time.Millisecond

// laneOf returns the lane of a work.
func (g *Gate) laneOf(w *Work) Lane {
	switch {
	case w.Purpose == StyleStatistics:
		return styleStatistics
	case w.Purpose == RequestStatistics:
		return requestStatistics
	case w.Purpose == OverviewBuild:
		return overviewBuilds
	case w.Purpose == RequestOverviewBuild:
		return requestOverviewBuilds
	case w.Purpose == prefetch:
		return prefetches
	case w.Cost > maxCheapCost || !g.memory.isCheap(w.Bytes):
		return Dear
	}
	return Cheap
}

// A bound says how many visits a lane has.
type bound struct{ slots, waiting int }

// The bounds of statistics and builds. Statistics and builds of requests have lanes of their own,
// since clients may ask for any number of them. Nothing bounds the queues of builds, since each group
// has one at most.
const (
	maxWaitingStatistics = 64
	maxBuilds            = 2
	maxPrefetches        = 4
	unbounded            = 1 << 30
)

func boundsOf(c Config) [laneCount]bound {
	return [laneCount]bound{
		Cheap:                 {max(c.Cheap, 1), max(c.Queue, 0)},
		Dear:                  {max(c.Dear, 1), max(c.Queue, 0)},
		styleStatistics:       {1, maxWaitingStatistics},
		requestStatistics:     {1, maxWaitingStatistics},
		overviewBuilds:        {maxBuilds, unbounded},
		requestOverviewBuilds: {1, unbounded},
		prefetches:            {maxPrefetches, unbounded},
	}
}

// A lane holds the visits of a Lane.
type lane struct {
	name              Lane
	slots, maxWaiting int

	occupied, excused int // visits inside, and those of them that are excused
	lent              int // those that lend their slots
	waiting           int
	groups            map[string]*group // that wait
	turns             list.List         // of *group; the first one is next

	insideCost  time.Duration // of the visits that are not excused
	calibration calibration

	entered, full, late int64
	waits, ratios       Histogram
}

// A group is the queue of visits that take turns with other groups.
type group struct {
	name  string
	queue list.List // of *visit, in order of arrival
	cost  time.Duration
	turn  *list.Element
}

func newLane(name Lane, b bound) lane {
	return lane{name: name, slots: b.slots, maxWaiting: b.waiting, groups: make(map[string]*group), waits: newHistogram(waitBounds), ratios: newHistogram(ratioBounds)}
}

// queue adds a visit to the end of its group.
func (l *lane) queue(v *visit) {
	to := l.groups[v.Group]
	if to == nil {
		to = &group{name: v.Group}
		to.turn = l.turns.PushBack(to)
		l.groups[v.Group] = to
	}
	v.place = to.queue.PushBack(v)
	to.cost += v.Cost
	l.waiting++
}

// unqueue removes a waiting visit.
func (l *lane) unqueue(v *visit) {
	from := l.groups[v.Group]
	from.queue.Remove(v.place)
	from.cost -= v.Cost
	l.waiting--
	if from.queue.Len() == 0 {
		l.turns.Remove(from.turn)
		delete(l.groups, v.Group)
	}
}

// next returns the visit whose turn it is, or nil if it needs a slot and none is free, or all are held up. A
// visit that is held up is passed by those of its group that are not: a stack waits for each of its layers,
// and tiles of one of them need not. One that begins with a wait is held up until it may lend its slot: a far
// server that answers late would keep all slots from others.
func (l *lane) next(isHeldUp func(*visit) bool) *visit {
	isFull, mayLend := l.counted() >= l.slots, l.mayLendMore()
	if isFull && !mayLend {
		return nil
	}
	for turn := l.turns.Front(); turn != nil; turn = turn.Next() {
		v := turn.Value.(*group).next(func(v *visit) bool { return !mayLend && v.waitsFirst() || isHeldUp(v) })
		switch {
		case v == nil:
		case isFull && !v.waitsFirst():
			return nil // those behind it would take what it waits for
		default:
			return v
		}
	}
	return nil
}

// mayLendMore reports whether another visit may lend its slot.
func (l *lane) mayLendMore() bool { return l.lent < maxLent*l.slots }

// counted returns how many visits count against the slots.
func (l *lane) counted() int {
	return l.occupied - min(l.excused, maxExcused*l.slots) - min(l.lent, maxLent*l.slots)
}

// hasExcusedAll reports whether as many visits are excused as can be.
func (l *lane) hasExcusedAll() bool { return l.excused >= maxExcused*l.slots }

// next returns the first visit that is not held up, or nil.
func (g *group) next(isHeldUp func(*visit) bool) *visit {
	for place := g.queue.Front(); place != nil; place = place.Next() {
		if v := place.Value.(*visit); !isHeldUp(v) {
			return v
		}
	}
	return nil
}

// passTurn puts a group behind the others.
func (l *lane) passTurn(group string) { l.turns.MoveToBack(l.groups[group].turn) }

// noteEntry records that a visit has waited and enters.
func (l *lane) noteEntry(v *visit) {
	l.entered++
	v.entered = time.Now()
	l.waits.observe(v.entered.Sub(v.arrived).Seconds())
}

// occupy counts the slot of a visit, and vacate ends that.
func (l *lane) occupy(v *visit) {
	l.occupied++
	if v.isExcused {
		l.excused++
	} else {
		l.insideCost += v.Cost
	}
}

func (l *lane) vacate(v *visit) {
	l.occupied--
	if v.isExcused {
		l.excused--
	} else {
		l.insideCost -= v.Cost
	}
}

// lastOfLongest returns the visit to refuse when one too many waits: the last one of the group with the
// most, which is that of the newcomer in doubt. So one group cannot fill the queue for the others.
func (l *lane) lastOfLongest(newcomer *visit) *visit {
	longest := l.groups[newcomer.Group]
	for _, other := range l.groups {
		if other.queue.Len() > longest.queue.Len() {
			longest = other
		}
	}
	return longest.queue.Back().Value.(*visit)
}
