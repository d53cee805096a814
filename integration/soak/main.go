package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var s settings
	var minutes float64
	flag.StringVar(&s.program, "program", filepath.Join("bin", "tileserver"), "the program under attack")
	flag.Float64Var(&minutes, "minutes", 60, "how long to attack it")
	flag.StringVar(&s.real, "real", os.Getenv("TILESERVER_TESTDATA"), "folder of real files, which are served too; none without")
	flag.StringVar(&s.folder, "folder", "", "folder for files and the log; default a temporary one")
	flag.IntVar(&s.port, "port", 0, "the first of four ports; default any that are free")
	flag.StringVar(&s.gpu, "gpu", "off", "off, or strict for a program that was built with the tag gpu: a device then does all that it can")
	flag.Parse()
	s.lasting = time.Duration(minutes * float64(time.Minute))
	isSound, err := s.run(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || !isSound {
		os.Exit(1)
	}
}

// settings is what the command line says.
type settings struct {
	program, folder, real string
	gpu                   string
	lasting               time.Duration
	port                  int
}

// sampleEvery returns the time between two samples of the process.
func (s settings) sampleEvery() time.Duration { return min(s.lasting/12, 5*time.Second) }

// warmingTime returns for how long a server is asked before its state counts as that of the beginning.
func (s settings) warmingTime() time.Duration { return min(s.lasting/5, 2*time.Minute) }

// quietTime returns how long a server without requests may take to give back what they took.
func (s settings) quietTime() time.Duration { return min(s.lasting, time.Minute) }

// run attacks a server, and reports whether it kept its promises.
func (s settings) run(ctx context.Context) (isSound bool, err error) {
	if s.folder == "" {
		if s.folder, err = os.MkdirTemp("", "soak"); err != nil {
			return false, err
		}
		defer os.RemoveAll(s.folder)
	}
	world, err := writeWorld(s.folder, s.real)
	if err != nil {
		return false, err
	}
	server, err := world.serve(s.program, world.attacked(), slices.Concat(s.ports(0), s.deviceOptions()))
	if err != nil {
		return false, err
	}
	defer server.kill()
	t, err := newTraffic(server, world)
	if err != nil {
		return false, err
	}
	fmt.Println("finding the rate of requests")
	t.warm(ctx, s.warmingTime())
	t.client.CloseIdleConnections()
	before, err := server.quiet(ctx, s.quietTime())
	if err != nil {
		return false, err
	}
	t.takeSpan() // those of the measurement are not told
	fmt.Println("attacking for", s.lasting)
	samples := s.attack(ctx, server, world, t)
	t.client.CloseIdleConnections()
	after, err := server.quiet(ctx, s.quietTime())
	if err != nil {
		return false, err
	}
	if err := server.stop(); err != nil {
		t.complain("the server ended with %v", err)
	}
	t.judgeOdd()
	t.complainAboutLog(server)
	fmt.Println("comparing answers with those of a quiet server")
	r := report{hasDevice: s.hasDevice(), every: s.sampleEvery(), samples: samples, before: before, after: after, traffic: t}
	if r.judged, err = world.compare(s.program, s.ports(2), t); err != nil {
		return false, err
	}
	return r.print(os.Stdout), nil
}

// ports returns the options for the ports of a server.
func (s settings) ports(first int) []string {
	listen, admin := "127.0.0.1:0", "127.0.0.1:0"
	if s.port > 0 {
		listen, admin = fmt.Sprint("127.0.0.1:", s.port+first), fmt.Sprint("127.0.0.1:", s.port+first+1)
	}
	return []string{"--listen", listen, "--admin-listen", admin}
}

// deviceMiB is the memory of batches, if there is a device.
const deviceMiB = 64

func (s settings) hasDevice() bool { return s.gpu != "" && s.gpu != "off" }

// deviceOptions returns the options for the device of the server under attack. That with whose answers its
// own are compared has none.
func (s settings) deviceOptions() []string {
	if !s.hasDevice() {
		return nil
	}
	return []string{"--gpu", s.gpu, "--gpu-memory", fmt.Sprint(deviceMiB, "MiB")}
}

// attack sends all traffic and changes files, and returns samples of the process.
func (s settings) attack(ctx context.Context, server *server, world *world, t *traffic) (samples []sample) {
	ctx, stop := context.WithTimeout(ctx, s.lasting)
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		t.send(ctx)
	}()
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		world.change(ctx, server, t)
	}()
	began := time.Now()
	tick := time.NewTicker(s.sampleEvery())
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			<-ended
			<-changed
			return samples
		case <-tick.C:
		}
		now, err := server.sample(ctx)
		if err != nil {
			if ctx.Err() == nil {
				t.complain("sample: %v", err)
			}
			continue
		}
		now.at, now.sent = time.Since(began), t.takeSpan()
		samples = append(samples, now)
		fmt.Printf("%v, %.0f/s\n", now, t.rate())
	}
}
