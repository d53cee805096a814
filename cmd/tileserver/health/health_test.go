package health

import "testing"

func TestReachable(t *testing.T) {
	for listen, want := range map[string]string{
		"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1", "::1": "::1", "10.1.2.3": "10.1.2.3", "maps.internal": "maps.internal",
	} {
		if got := reachable(listen); got != want {
			t.Errorf("a server that listens on %q is asked at %q, want %q", listen, got, want)
		}
	}
}
