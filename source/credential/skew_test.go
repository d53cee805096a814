package credential_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/source/credential"
)

// The time of a service is learned where it differs, and learned anew when that changes.
func TestTheTimeOfAServiceIsLearned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []time.Duration
		c := credential.Clock{OnSkew: func(ahead time.Duration) { told = append(told, ahead) }}
		for _, step := range []struct {
			date  string // or of the clock of the service
			ahead time.Duration
			again bool
			now   time.Duration // after that, of the service
		}{
			{"", 0, false, 0}, {"yesterday", 0, false, 0}, {"", 30 * time.Second, false, 0}, {"", 20 * time.Minute, true, 20 * time.Minute},
			{"", 20*time.Minute + 10*time.Second, false, 20 * time.Minute}, {"", 25 * time.Hour, false, 20 * time.Minute},
			{"", -3 * time.Hour, true, -3 * time.Hour}, {"", 0, true, 0},
		} {
			date := step.date
			if date == "" {
				date = time.Now().Add(step.ahead).UTC().Format(http.TimeFormat)
			}
			if again := c.Learn(http.Header{"Date": {date}}); again != step.again || c.Now() != time.Now().Add(step.now) {
				t.Errorf("%+v: again %t, it is %v ahead", step, again, time.Until(c.Now()))
			}
			time.Sleep(time.Minute)
		}
		if len(told) != 3 || told[0] != 20*time.Minute || told[1] != -3*time.Hour || told[2] != 0 {
			t.Errorf("told %v", told)
		}
		if c.Learn(http.Header{}) {
			t.Error("an answer without a date tells the time")
		}
	})
}

// Requests that were signed before the time was learned are signed anew, too. Those that are refused later are not.
func TestAllThatWereUnderwayAreSignedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		c := credential.Clock{OnSkew: func(time.Duration) { told++ }}
		learn := func() (again bool) {
			return c.Learn(http.Header{"Date": {time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}})
		}
		for request := range 3 {
			if !learn() || told != 1 {
				t.Errorf("request %d is lost, or the difference was told %d times", request, told)
			}
		}
		time.Sleep(time.Minute)
		if learn() {
			t.Error("a signature of the right time is made again")
		}
	})
}
