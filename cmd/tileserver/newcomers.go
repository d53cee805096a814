package main

import (
	"io/fs"
	"os"
	"time"
)

// newcomers are files in folders that are no layers yet.
type newcomers struct {
	begun   bool     // the first list was followed
	ready   []wanted // to be opened
	waiting []wanted // for their files to be left alone, or to change

	seen      map[address]looks // of those that wait, at the last look
	refused   map[address]refusal
	unsettled time.Time // when to look again at files that may still be written; zero if there are none
}

// looks is by what a file that changes is told from one that does not.
type looks struct {
	size     int64
	modified int64 // as Unix nanoseconds
	mode     fs.FileMode
}

// refusal is why a file could not be opened.
type refusal struct {
	looks  looks
	reason string
	rest   time.Time // until when it is not tried again if it does not change
}

const (
	// settleTime is for how long a file must have been left alone to be opened: who copies
	// makes no longer pauses.
	settleTime = 2 * time.Second

	// refusalTime is after what time a file is tried again that does not change: the reason
	// may not have been in the file.
	refusalTime = 5 * time.Minute
)

func newNewcomers() newcomers {
	return newcomers{seen: make(map[address]looks), refused: make(map[address]refusal)}
}

// looksOf is how the file at a path looks; what cannot be looked at looks like nothing.
func looksOf(path string) looks {
	info, err := os.Stat(path)
	if err != nil {
		return looks{}
	}
	return looks{info.Size(), info.ModTime().UnixNano(), info.Mode()}
}

// isOlderThan tells whether a file was left alone for so long. One of tomorrow may be written
// today, by a machine whose clock is wrong.
func (l looks) isOlderThan(age time.Duration, now time.Time) bool {
	return l != looks{} && now.Sub(time.Unix(0, l.modified)) >= age
}

// follow takes for newcomers what is on a list and not open. Those on the first list are
// ready at once: nobody waits for a server that waits for files.
func (n *newcomers) follow(list []wanted, opened map[string]held) {
	queued := make(map[string]bool, len(n.ready))
	for _, w := range n.ready {
		queued[w.id] = true
	}
	refused := n.refused
	n.ready, n.waiting, n.refused = nil, nil, make(map[address]refusal, len(refused))
	for _, w := range list {
		if _, isOpen := opened[w.id]; isOpen {
			continue
		}
		before, isRefused := refused[w.from]
		if isRefused {
			n.refused[w.from] = before
		}
		if queued[w.id] || !n.begun && !isRefused {
			n.ready = append(n.ready, w)
		} else {
			n.waiting = append(n.waiting, w)
		}
	}
	n.begun = true
	n.look()
}

// look finds out which files have been left alone and may be opened, or opened again.
func (n *newcomers) look() {
	now := time.Now()
	waiting, before := n.waiting, n.seen
	n.waiting, n.seen, n.unsettled = nil, make(map[address]looks, len(waiting)), time.Time{}
	for _, w := range waiting {
		looks := looksOf(w.from.path)
		earlier, again := before[w.from]
		switch refused, isRefused := n.refused[w.from]; {
		case isRefused && refused.looks == looks && now.Before(refused.rest):
			n.waiting = append(n.waiting, w)
		case again && earlier == looks, !again && looks.isOlderThan(settleTime, now):
			n.ready = append(n.ready, w)
			continue
		default:
			n.waiting = append(n.waiting, w)
			n.unsettled = now.Add(settleTime)
		}
		n.seen[w.from] = looks
	}
}

// refuse has a file wait that could not be opened, and tells whether that is news.
func (n *newcomers) refuse(w wanted, looks looks, err error) (isNews bool) {
	before, again := n.refused[w.from]
	n.refused[w.from] = refusal{looks, err.Error(), time.Now().Add(refusalTime)}
	n.waiting = append(n.waiting, w)
	n.seen[w.from] = looks
	return !again || before.reason != err.Error()
}
