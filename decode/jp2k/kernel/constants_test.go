package kernel

import (
	"testing"

	"tileserver/gpu/gputest"
)

func TestTheSourceHasTheSameConstants(t *testing.T) {
	gputest.CheckConstants(t, Tiles, map[string]int{
		"blockWords": blockWords, "placeWords": placeWords, "componentWords": componentWords, "windowWords": windowWords,
		"levelWords": levelWords, "headWords": headWords, "groupSize": groupSize,
	})
}
