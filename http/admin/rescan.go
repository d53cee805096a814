package admin

import (
	"context"
	"net/http"
	"time"

	"tileserver/http/answer"
)

// Rescanned is the answer to those who have the folders scanned.
type Rescanned struct {
	IsComplete bool     `json:"complete"` // whether all folders were listed; the others are taken in when they are
	Layers     int      `json:"layers"`   // that are served; files that were just found may have yet to be opened
	Problems   []string `json:"problems"` // a line for each folder that cannot be read
}

// rescanTime bounds how long a client waits for the scan of folders. Scans go on without it.
const rescanTime = time.Minute

// Actions returns the routes for what operators have the server do, by POST.
func Actions(config Config) map[string]answer.Handler {
	a := &service{Config: config}
	return map[string]answer.Handler{"/admin/rescan": a.rescan}
}

// rescan scans the folders now.
func (a *service) rescan(e *answer.Exchange, r *http.Request) error {
	if a.Rescan == nil {
		return answer.NotFound("this server has no folders to scan")
	}
	ctx, cancel := context.WithTimeout(r.Context(), rescanTime)
	defer cancel()
	result, err := a.Rescan(ctx)
	if err != nil {
		return err
	}
	if result.Problems == nil {
		result.Problems = []string{}
	}
	e.SendJSON(r, result)
	return nil
}
