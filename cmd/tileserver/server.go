package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/cmd/tileserver/device"
	"tileserver/cmd/tileserver/grids"
	"tileserver/cmd/tileserver/logs"
	"tileserver/cmd/tileserver/memory"
	"tileserver/cmd/tileserver/ports"
	"tileserver/config"
	"tileserver/dataset"
	"tileserver/display/picture"
	"tileserver/gpu/child"
	"tileserver/http/documents"
	"tileserver/layer"
	"tileserver/library"
	"tileserver/source/disktier"
	"tileserver/source/local"
	"tileserver/web"

	tilehttp "tileserver/http"
	"tileserver/http/admin"
	"tileserver/http/answer"
	"tileserver/http/clients"
	"tileserver/http/prefetch"
)

// server holds the parts of a running server.
type server struct {
	program *program
	config  config.Config // at the start
	logger  *logs.Log
	level   *slog.LevelVar // of the log; changed by a reload
	files   servedFiles
	state   state
	kept    *disktier.Tier // what is read of remote files; or nil
	opener  *dataset.Opener
	visited *dataset.Opener // of files that requests name by their address
	catalog *layer.Catalog
	library *library.Library
	ready   func() error                                   // nil once all files that were found at the start are open
	rescan  func(context.Context) (admin.Rescanned, error) // nil if no folders are watched
	metrics *tilehttp.Metrics
	public  replaceable // the handler of maps
	ports   ports.Ports

	devices         *device.Devices // nil if no work goes to a GPU
	deviceProcesses []*child.Device // of devices
	pieces          atomic.Int64    // of a file that are read at a time to build overviews

	connections *ports.Connections // of maps

	documents *documents.Cache      // of all handlers, one after the other
	requests  tilehttp.RequestCount // likewise
	sending   *answer.Sending       // likewise
	clients   *clients.Limiter      // likewise; nil limits nobody

	prefetcher *prefetch.Prefetcher // likewise; nil loads nothing

	skipped int // files that could not be opened at the start
}

// openServer returns a server with its handler and its open ports. It does not serve yet. The
// caller closes it.
func (p *program) openServer(c config.Config) (*server, error) {
	s, err := p.newServer(c)
	if err != nil {
		return nil, err
	}
	handler, err := s.handler(c)
	if err == nil {
		s.public.replace(handler)
		s.warnOfForgery(&c)
		s.ports, err = ports.Open(c.Listen, c.AdminListen)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// newServer returns a server without a handler and ports.
func (p *program) newServer(c config.Config) (*server, error) {
	level := new(slog.LevelVar)
	level.Set(levelNamed(c.LogLevel))
	logger := newLog(p.stderr, c.LogFormat, level)
	p.notices.logTo(logger.Logger)
	shifts, err := grids.Open(c.Grids, func(name string, err error) {
		logger.Warn("grid cannot be used, maps in old datums may be off by meters", "grid", name, "err", err)
	})
	if err != nil {
		return nil, c.At("grids").Mistakef("%v", err)
	}
	addThreads()
	memory.BoundServer(c, filesInMemory(&c))
	state, kept := openState(&c, logger.Logger), openDiskCache(&c, logger.Logger)
	pixelCache := cache.New(int64(c.Cache))
	pixelCache.BoundAhead(int64(min(c.Prefetch, c.Cache/maxPrefetchShare)))
	s := &server{
		program: p, config: c, logger: logger, level: level, state: state, kept: kept,
		files:       p.servedFiles(c.StorageTimeout, local.NewLinks(linkRule(c.Symlinks)), logger.Logger, kept),
		connections: ports.NewConnections(c.MaxConnections),
	}
	s.pieces.Store(int64(c.Workers))
	if err := s.openDevices(); err != nil {
		return nil, err
	}
	s.opener = dataset.NewOpener(dataset.Config{
		Files: s.files, Workers: c.Workers, InFlight: int64(c.InFlight), Gatherer: s.gatherer(),
		Cache: pixelCache, State: state.values, Grids: shifts.Grids, Logger: logger.Logger,
	})
	s.visited = s.opener.Over(p.visitedFiles(c.StorageTimeout, logger.Logger, kept))
	gate := admission.New(admissionOf(c, logger.Logger))
	if s.devices != nil {
		s.devices.OnUseful(func() {
			gate.AddCheapSlots(picturesOfBatch)
			s.pieces.Store(piecesOfBatch)
		})
	}
	s.documents = documents.NewCache(pixelCache, gate)
	s.catalog = layer.NewCatalog(layer.CatalogConfig{
		Cache:     pixelCache,
		Gate:      gate,
		MaxPixels: c.MaxPixels,
		Encoder:   new(picture.Encoder),
		State:     state.values,

		SavedOverviews: state.overviews,
		Pieces:         func() int { return int(s.pieces.Load()) },
		MaxVisited:     c.KeptOpen,
	})
	s.library = library.New(library.Config{
		Catalog: s.catalog, Files: s.files, IsRaster: s.opener.Formats.HasExtension, Open: s.openImage, Logger: logger.Logger,
	})
	s.ready = s.library.Ready
	s.sending = answer.NewSending(answer.SendingConfig{MaxBytes: int64(c.Sending), MinRate: int64(c.MinSendRate), Allowance: time.Duration(c.SendAllowance)})
	s.clients = clients.New(clients.Limit{Rate: c.ClientRate, Burst: c.ClientBurst})
	s.prefetcher = prefetch.New(pixelCache.MaxAheadBytes())
	s.metrics = tilehttp.NewMetrics(tilehttp.MetricsConfig{
		Registry: prometheus.NewRegistry(), Catalog: s.catalog, Decoding: s.decoding, Storages: s.files.stats, Origins: p.originStats, DiskCache: diskCacheStats(kept), State: state.stats, Device: s.deviceStats(),
		Prefetcher: s.prefetcher, GridBytes: shifts.Grids.Bytes, LogLinesLost: logger.Lost, Clients: s.clients, Connections: s.connectionStats, Sending: s.sending,
	})
	return s, nil
}

// maxPrefetchShare divides the cache into the most that may be prefetched, so that what was used stays.
const maxPrefetchShare = 8

// addThreads lets Go run half as many threads more as there are cores, unless GOMAXPROCS says how many.
// Decoders may keep all cores busy. With a thread for each core, a cached picture would wait twice for
// ten milliseconds until Go interrupts one of them. With more, the kernel shares the cores, and lets a
// thread that has slept run at once.
func addThreads() {
	if os.Getenv("GOMAXPROCS") == "" {
		cores := config.Default().Workers
		runtime.GOMAXPROCS(cores + cores/2 + 1)
	}
}

// admissionOf returns what the gate of a configuration admits.
func admissionOf(c config.Config, logger *slog.Logger) admission.Config {
	admit := admission.ForWorkers(c.Workers)
	admit.Queue, admit.Memory = c.Queue, int64(c.Rendering)
	if c.ShadowAdmission {
		admit.Shadow = func(late *admission.Refusal) {
			logger.Info("would be refused", "lane", late.Lane.String(), "layer", late.Work.Group, "cost", late.Work.Cost, "wait", late.RetryAfter)
		}
	}
	return admit
}

// openImage opens the dataset of a layer. Errors name the option to raise when a block is too large.
func (s *server) openImage(image dataset.Address, options dataset.Options) layer.Open {
	open := s.opener.Layer(image, options).Open
	return func(ctx context.Context) (*layer.Dataset, error) {
		d, err := open(ctx)
		return d, memory.Hint(err, s.config.InFlight)
	}
}

// run serves until ctx ends, then lets requests finish. It prints the greeting, which has %s for the
// address, once the server accepts requests.
func (s *server) run(ctx context.Context, greeting string) error {
	build := builtFrom()
	s.logger.Info("serving", "maps", "http://"+s.ports.Public.Addr().String(), "admin", s.ports.AdminAddress(),
		"layers", len(s.catalog.Layers()), "offered", s.catalog.Offered(), "skipped", s.skipped, "cache", s.config.Cache.String(), "in_flight", s.config.InFlight.String(),
		"rendering", s.config.Rendering.String(), "sending", s.config.Sending.String(), "workers", s.config.Workers, "version", build.version)
	if _, isBuilt := web.Viewer(); !isBuilt {
		s.logger.Info("serving a plain page, the viewer was not built; make viewer or make build adds it")
	}
	fmt.Fprintf(s.program.stdout, greeting, ports.BrowserURL(s.ports.Public.Addr()))
	if s.program.listening != nil {
		s.program.listening(s.ports.Public.Addr().String(), s.ports.AdminAddress())
	}
	forOperators := tilehttp.NewAdminHandler(tilehttp.AdminConfig{
		Config: admin.Config{
			Catalog: s.catalog, Version: build.version, Revision: build.commit, Modified: build.modified,
			Problems: s.problems, Patience: patienceOf(&s.config), Device: s.deviceStats(), Rescan: s.rescan,
			Ready: func(context.Context) error {
				if ctx.Err() != nil {
					return errStopping
				}
				return s.ready()
			},
		},
		Logger: s.logger.Logger, Metrics: s.metrics, Hosts: s.adminHosts(),
	})
	s.logger.Serve()
	go memory.ReturnAfterBursts(ctx)
	go memory.BoundGarbage(ctx)
	err := s.ports.Serve(ctx, ports.Config{
		Public: &s.public, Admin: forOperators, Connections: s.connections, Stop: s.howToStop(), Logger: s.logger.Logger,
		Pace: ports.Pace{MinRate: int64(s.config.MinSendRate), Allowance: time.Duration(s.config.SendAllowance)},
	})
	if err == nil {
		s.logger.Info("stopped")
	}
	return err
}

// problems returns a line for each storage that does not answer, and for each folder that cannot be
// read.
func (s *server) problems() []string {
	return slices.Concat(s.files.problems(), s.state.problems(), s.library.Problems())
}

// adminHosts returns the names under which operators call the server: the one that it listens on, and
// those that the configuration allows.
func (s *server) adminHosts() []string {
	host, _, _ := net.SplitHostPort(s.config.AdminListen)
	return append([]string{host}, s.config.AdminHosts...)
}

// patienceOf returns how long no picture may be finished while others wait. Each may take as long as
// request_timeout, so less than twice that would say nothing.
func patienceOf(c *config.Config) time.Duration {
	if c.Watchdog == 0 {
		return 0
	}
	return time.Duration(max(c.Watchdog, 2*c.RequestTimeout))
}

// errStopping is why a server that stops is not ready, and why it cancels requests.
var errStopping = errors.New("the server is stopping")

func (s *server) howToStop() ports.Stop {
	return ports.Stop{
		Drain: time.Duration(s.config.DrainDelay), Grace: time.Duration(s.config.ShutdownTimeout),
		Canceled: &layer.Error{Code: layer.Busy, Message: errStopping.Error()},
	}
}

// close closes the ports, the files and the log.
func (s *server) close() {
	s.ports.Close()
	s.prefetcher.Close()
	s.closeDevices()
	if err := s.catalog.Close(); err != nil {
		s.logger.Warn("files cannot be closed", "err", err)
	}
	s.kept.Close()
	s.logger.Close(maxFlushTime)
}

// connectionStats returns the numbers of connections for the metrics.
func (s *server) connectionStats() tilehttp.ConnectionStats {
	return tilehttp.ConnectionStats(s.connections.Stats())
}

// decoding returns the decoders' counters for the metrics.
func (s *server) decoding() tilehttp.DecodingStats {
	pool, blocks := s.opener.Pool.Stats(), s.opener.Formats.CodeBlocks.Stats()
	return tilehttp.DecodingStats{
		Decoded: pool.Decoded, Failed: pool.Failed, Busy: pool.Busy, Workers: pool.Workers,
		CodeBlocks: blocks.Decoded, DamagedCodeBlocks: blocks.Damaged,
	}
}
