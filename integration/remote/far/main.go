// Command far puts a network between clients and a server on this machine: what is sent arrives later,
// over a line of some bytes a second that all connections share. It prints how much went over the line
// when it is asked at its second port, and begins to count anew.
//
//	go run ./integration/remote/far -to 127.0.0.1:8000 -latency 20ms -rate 100e6
//	curl 127.0.0.1:9901
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:9900", "address for clients")
	stats := flag.String("stats", "127.0.0.1:9901", "address that tells what went over the line")
	to := flag.String("to", "", "address of the server")
	latency := flag.Duration("latency", 20*time.Millisecond, "time of a round trip")
	rate := flag.Float64("rate", 100e6, "bytes a second, each way")
	flag.Parse()
	l := &link{latency: *latency / 2, rate: *rate}
	if err := serve(l, *listen, *stats, *to); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(l *link, listen, stats, to string) error {
	clients, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- http.ListenAndServe(stats, http.HandlerFunc(l.tell)) }()
	go func() {
		for {
			client, err := clients.Accept()
			if err != nil {
				failed <- err
				return
			}
			go l.carry(client, to)
		}
	}()
	return <-failed
}

// tell prints the counts and sets them to zero.
func (l *link) tell(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintf(w, "%d requests, %d connections, %.1f MB\n",
		l.counts.requests.Swap(0), l.counts.connections.Swap(0), float64(l.counts.received.Swap(0))/1e6)
}
