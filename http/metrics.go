package http

import (
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"tileserver/admission"
	"tileserver/gpu/route"
	"tileserver/http/admin"
	"tileserver/http/answer"
	"tileserver/http/clients"
	"tileserver/http/prefetch"
	"tileserver/http/serve"
	"tileserver/layer"
)

// MetricsConfig configures NewMetrics.
type MetricsConfig struct {
	Registry *prometheus.Registry
	Catalog  *layer.Catalog
	Decoding func() DecodingStats     // nil leaves out the metrics of decoding
	Storages func() []StorageStats    // the most important ones first; nil leaves them out
	Origins  func() []OriginStats     // those asked the most first; nil leaves them out
	State    func() StorageStats      // of the state folder; nil leaves it out
	Device   func() admin.DeviceStats // of the GPU; nil leaves it out

	DiskCache func() DiskCacheStats // of remote files; nil leaves it out

	Prefetcher *prefetch.Prefetcher // nil leaves it out

	GridBytes    func() int64 // memory of grids of datum shifts; nil leaves it out
	LogLinesLost func() int64 // nil leaves it out

	Clients     *clients.Limiter       // nil leaves it out
	Connections func() ConnectionStats // of maps; nil leaves them out
	Sending     *answer.Sending        // nil leaves it out
}

// DecodingStats are the counters of the block decoders.
type DecodingStats struct {
	Decoded, Failed               int64 // blocks since the start
	CodeBlocks, DamagedCodeBlocks int64 // of JPEG 2000, since the start
	Busy, Workers                 int   // now
}

// ConnectionStats are the numbers of connections.
type ConnectionStats struct {
	Open, Quiet int   // now
	Closed      int64 // to make room for others, since the start
}

// StorageStats describes a disk or a server that has files.
type StorageStats struct {
	Name              string
	IsAway            bool  // it does not answer
	Failures, Refused int64 // calls since the start
	Hanging           int   // calls that go on although nobody waits for them
}

// maxStorages bounds the storages in the metrics.
const maxStorages = 50

// Metrics counts requests and pictures for Prometheus. A nil Metrics counts nothing. No label holds
// text of a client, so the number of series is bounded.
type Metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	refused   *prometheus.CounterVec
	pictures  *prometheus.CounterVec
	stepTimes *prometheus.HistogramVec
}

const namespace = "tileserver"

// NewMetrics registers all metrics. It must be called once for each registry.
func NewMetrics(config MetricsConfig) *Metrics {
	m := &Metrics{
		registry: config.Registry,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "http_requests_total", Help: "Requests by route and class of status.",
		}, []string{"route", "status"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds", Help: "Duration of requests by route and class of status.",
			Buckets: durationBuckets(),
		}, []string{"route", "status"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "http_refused_total", Help: "Requests that operators do not allow, or that are too many of a client, by reason.",
		}, []string{"reason"}),
		pictures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Name: "pictures_total", Help: "Pictures by origin.",
		}, []string{"origin"}),
		stepTimes: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "picture_step_duration_seconds", Help: "Duration of the steps of rendering pictures.",
			Buckets: durationBuckets(),
		}, []string{"step"}),
	}
	config.Registry.MustRegister(m.requests, m.durations, m.refused, m.pictures, m.stepTimes, &gauges{config},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// durationBuckets ranges from a cached picture to more than any client waits for.
func durationBuckets() []float64 {
	return []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
}

// handler returns the handler of /metrics.
func (m *Metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

func (m *Metrics) request(route string, status int, duration time.Duration) {
	if m == nil {
		return
	}
	if route == "" {
		route = "none"
	}
	class := statusClass(status)
	m.requests.WithLabelValues(route, class).Inc()
	m.durations.WithLabelValues(route, class).Observe(duration.Seconds())
}

// refusal counts a request that was refused, by the code of its error.
func (m *Metrics) refusal(e *answer.Exchange) {
	if m != nil && (e.Status == http.StatusForbidden || e.Status == http.StatusTooManyRequests) && e.Err != nil {
		m.refused.WithLabelValues(answer.FailureOf(e.Err).Code).Inc()
	}
}

func statusClass(status int) string {
	classes := [...]string{"1xx", "2xx", "3xx", "4xx", "5xx"}
	if class := status/100 - 1; class >= 0 && class < len(classes) {
		return classes[class]
	}
	return "none"
}

// CountPicture counts a picture that was sent.
func (m *Metrics) CountPicture(origin string) {
	if m != nil {
		m.pictures.WithLabelValues(origin).Inc()
	}
}

// ObserveSteps records the durations of the steps of rendering a picture.
func (m *Metrics) ObserveSteps(steps []serve.Step) {
	if m == nil {
		return
	}
	for _, s := range steps {
		m.stepTimes.WithLabelValues(s.Name).Observe(s.Duration.Seconds())
	}
}

var _ serve.Meter = (*Metrics)(nil)

// gauges collects, at each scrape, the counters of package layer and of the decoders.
type gauges struct{ MetricsConfig }

var _ prometheus.Collector = (*gauges)(nil)

// Describe sends nothing: the spaces of the caches are known only at a scrape.
func (*gauges) Describe(chan<- *prometheus.Desc) {}

// Collect reads all counters once.
func (g *gauges) Collect(to chan<- prometheus.Metric) {
	stats := g.Catalog.Stats()
	gauge(to, "layers", "Layers served.", float64(stats.Layers))
	gauge(to, "pictures_working", "Pictures being rendered.", float64(stats.Working))
	gauge(to, "pictures_waiting", "Pictures waiting to be rendered.", float64(stats.Waiting))
	sendAdmission(to, stats.Admission)
	gauge(to, "overviews_building", "Layers whose overviews are being built in the background.", float64(len(stats.Overviews.Building)))
	for layer, part := range stats.Overviews.Building {
		to <- prometheus.MustNewConstMetric(
			described("overviews_progress_ratio", "Fraction of a layer's overviews that is built.", "layer"), prometheus.GaugeValue, part, layer)
	}
	counter(to, "overviews_built_total", "Overviews built in the background.", float64(stats.Overviews.Built))
	counter(to, "overviews_failed_total", "Overviews that could not be built.", float64(stats.Overviews.Failed))
	counter(to, "overviews_refused_total", "Requests refused since their layer had enough builds for other nodata values.", float64(stats.Overviews.Refused))
	gauge(to, "overviews_saved_bytes", "Bytes of overviews in the state folder.", float64(stats.SavedOverviews.Bytes))
	gauge(to, "cache_max_bytes", "Budget of the cache.", float64(stats.Cache.MaxBytes))
	gauge(to, "cache_used_bytes", "Bytes in the cache.", float64(stats.Cache.UsedBytes))
	for _, s := range slices.Concat(stats.Cache.Spaces, stats.Chains.Spaces, stats.Statistics.Spaces) {
		gauge(to, "cache_space_bytes", "Bytes in a space of the cache.", float64(s.Bytes), s.Name)
		gauge(to, "cache_space_entries", "Entries of a space of the cache.", float64(s.Entries), s.Name)
		counter(to, "cache_hits_total", "Keys served from the cache.", float64(s.Hits), s.Name)
		counter(to, "cache_misses_total", "Keys that were loaded.", float64(s.Misses), s.Name)
		counter(to, "cache_joined_total", "Keys that waited for a load in progress.", float64(s.Joined), s.Name)
		counter(to, "cache_evictions_total", "Evicted entries.", float64(s.Evictions), s.Name)
		counter(to, "cache_rejected_total", "Values larger than the budget.", float64(s.Rejected), s.Name)
	}
	if g.Prefetcher != nil {
		collectPrefetch(to, g.Prefetcher.Stats(), &stats.Cache)
	}
	if g.GridBytes != nil {
		gauge(to, "grid_bytes", "Bytes of grids of datum shifts in memory.", float64(g.GridBytes()))
	}
	if g.LogLinesLost != nil {
		counter(to, "log_lines_lost_total", "Lines of the log that were lost, because it was not read in time.", float64(g.LogLinesLost()))
	}
	if g.Clients != nil {
		gauge(to, "clients", "Clients whose requests are counted.", float64(g.Clients.Len()))
	}
	if g.Connections != nil {
		connections := g.Connections()
		gauge(to, "connections", "Open connections of clients.", float64(connections.Open))
		gauge(to, "connections_quiet", "Open connections without a request.", float64(connections.Quiet))
		counter(to, "connections_closed_total", "Quiet connections that were closed to make room for others.", float64(connections.Closed))
	}
	if g.Sending != nil {
		collectSending(to, g.Sending.Stats())
	}
	if g.Storages != nil {
		collectStorages(to, g.Storages())
	}
	if g.Origins != nil {
		collectOrigins(to, g.Origins())
	}
	if g.DiskCache != nil {
		collectDiskCache(to, g.DiskCache())
	}
	if g.State != nil {
		collectState(to, g.State())
	}
	if g.Device != nil {
		collectDevice(to, g.Device())
	}
	if g.Decoding == nil {
		return
	}
	decoding := g.Decoding()
	counter(to, "decoded_blocks_total", "Blocks decoded.", float64(decoding.Decoded))
	counter(to, "decode_failures_total", "Blocks that could not be decoded.", float64(decoding.Failed))
	counter(to, "decoded_code_blocks_total", "Code-blocks of JPEG 2000 decoded.", float64(decoding.CodeBlocks))
	counter(to, "damaged_code_blocks_total", "Damaged code-blocks of JPEG 2000.", float64(decoding.DamagedCodeBlocks))
	gauge(to, "decode_workers", "Maximum number of blocks decoded at a time.", float64(decoding.Workers))
	gauge(to, "decode_workers_busy", "Blocks being decoded.", float64(decoding.Busy))
}

func collectSending(to chan<- prometheus.Metric, stats answer.SendingStats) {
	gauge(to, "sending_max_bytes", "Budget of answers that clients have not read.", float64(stats.MaxBytes))
	gauge(to, "sending_used_bytes", "Bytes of answers that clients have not read.", float64(stats.UsedBytes))
	gauge(to, "sending_waiting", "Requests whose answers wait for slow clients of others.", float64(stats.Waiting))
	counter(to, "slow_clients_total", "Clients that were cut off because they read too slowly.", float64(stats.CutOff))
}

func collectStorages(to chan<- prometheus.Metric, storages []StorageStats) {
	metric := func(kind prometheus.ValueType, name, help string, value float64, storage string) {
		to <- prometheus.MustNewConstMetric(described(name, help, "storage"), kind, value, storage)
	}
	for _, s := range storages[:min(len(storages), maxStorages)] {
		metric(prometheus.GaugeValue, "storage_up", "Whether a disk or a server of files answers.", s.up(), s.Name)
		metric(prometheus.GaugeValue, "storage_hanging_calls", "Calls of a storage that go on although nobody waits for them.", float64(s.Hanging), s.Name)
		metric(prometheus.CounterValue, "storage_failures_total", "Calls that failed because their storage did not answer.", float64(s.Failures), s.Name)
		metric(prometheus.CounterValue, "storage_refused_total", "Calls that failed at once because their storage did not answer before.", float64(s.Refused), s.Name)
	}
}

func collectState(to chan<- prometheus.Metric, s StorageStats) {
	gauge(to, "state_up", "Whether the disk of the state folder answers.", s.up())
	gauge(to, "state_hanging_calls", "Calls of the state folder that go on although nobody waits for them.", float64(s.Hanging))
	counter(to, "state_failures_total", "Calls that failed because the state folder did not answer.", float64(s.Failures))
	counter(to, "state_refused_total", "Calls that were not made because the state folder did not answer before.", float64(s.Refused))
}

// up returns 1 if the storage answers, and else 0.
func (s StorageStats) up() float64 { return oneIf(!s.IsAway) }

// oneIf returns a condition as Prometheus has it.
func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func collectDevice(to chan<- prometheus.Metric, s admin.DeviceStats) {
	gauge(to, "gpu_up", "Whether the GPU is ready for work.", oneIf(s.IsReady))
	counter(to, "gpu_starts_total", "Starts of the process that has the GPU.", float64(s.Starts))
	counter(to, "gpu_failures_total", "Starts and batches that ended that process.", float64(s.Failures))
	for kernel, work := range s.Gathered.Work {
		done := func(name, help string, value int64) {
			to <- prometheus.MustNewConstMetric(described(name, help, "kernel"), prometheus.CounterValue, float64(value), kernel)
		}
		done("gpu_batches_total", "Batches that the GPU did.", work.Batches)
		done("gpu_batches_failed_total", "Batches that it did not, and the cores did.", work.Failed)
		done("gpu_jobs_total", "Jobs, such as code-blocks, of the batches that the GPU did.", work.Jobs)
	}
	for outcome, n := range s.Gathered.Offers {
		to <- prometheus.MustNewConstMetric(
			described("gpu_offers_total", "Work that the GPU could do, by the place that it went to and the reason.", "place", "reason"),
			prometheus.CounterValue, float64(n), string(outcome.Place), string(outcome.Why))
	}
	for _, e := range s.Estimates {
		estimated := func(name, help string, value float64, labels ...string) {
			names := []string{"kernel", "place"}[:1+len(labels)]
			to <- prometheus.MustNewConstMetric(described(name, help, names...), prometheus.GaugeValue, value, append([]string{e.Kernel}, labels...)...)
		}
		const cost = "Time that a batch of gpu_estimated_work is expected to take."
		estimated("gpu_estimated_work", "Work of the largest batch that was measured, in the unit of the kernel (see GPU in docs/operations.md).", float64(e.Work))
		estimated("gpu_estimated_seconds", cost, e.OnDevice.Seconds(), string(route.Device))
		estimated("gpu_estimated_seconds", cost, e.OnCores.Seconds(), string(route.Cores))
		estimated("gpu_break_even_work", "Least work of a batch that goes to the GPU, in the unit of gpu_estimated_work; 0 if none does.", float64(e.BreakEven))
	}
}

func collectDiskCache(to chan<- prometheus.Metric, s DiskCacheStats) {
	for _, m := range s.now() {
		gauge(to, m.name, m.help, float64(m.value))
	}
	for _, m := range s.sinceStart() {
		counter(to, m.name, m.help, float64(m.value))
	}
}

func gauge(to chan<- prometheus.Metric, name, help string, value float64, space ...string) {
	to <- prometheus.MustNewConstMetric(description(name, help, space), prometheus.GaugeValue, value, space...)
}

func counter(to chan<- prometheus.Metric, name, help string, value float64, space ...string) {
	to <- prometheus.MustNewConstMetric(description(name, help, space), prometheus.CounterValue, value, space...)
}

// sink takes the values of a scrape.
type sink = chan<- prometheus.Metric

// gaugeOf and counterOf send one of several values, which a label tells apart.
func gaugeOf(to sink, name, help string, value int64, label, of string) {
	to <- prometheus.MustNewConstMetric(described(name, help, label), prometheus.GaugeValue, float64(value), of)
}

func counterOf(to sink, name, help string, value int64, label, of string) {
	to <- prometheus.MustNewConstMetric(described(name, help, label), prometheus.CounterValue, float64(value), of)
}

func description(name, help string, space []string) *prometheus.Desc {
	if len(space) > 0 {
		return described(name, help, "space")
	}
	return described(name, help)
}

func described(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
}

// sendAdmission sends the counters of the gate, by lane.
func sendAdmission(to chan<- prometheus.Metric, s admission.Stats) {
	gauge(to, "admission_max_bytes", "Memory of all work that the gate lets in; 0 is unbounded.", float64(s.MaxBytes))
	gauge(to, "admission_bytes", "Memory of the work that the gate has let in.", float64(s.Bytes))
	for i := range s.Lanes {
		l := &s.Lanes[i]
		lane := l.Lane.String()
		ofLane := func(name, help string) *prometheus.Desc { return described(name, help, "lane") }
		send := func(desc *prometheus.Desc, kind prometheus.ValueType, value int64, labels ...string) {
			to <- prometheus.MustNewConstMetric(desc, kind, float64(value), append([]string{lane}, labels...)...)
		}
		send(ofLane("admission_slots", "Slots of a lane."), prometheus.GaugeValue, int64(l.Slots))
		send(ofLane("admission_working", "Work that has a slot."), prometheus.GaugeValue, int64(l.Working))
		send(ofLane("admission_waiting", "Work that waits for a slot."), prometheus.GaugeValue, int64(l.Waiting))
		refused := described("admission_refused_total", "Work that was refused, by reason; late also counts what shadow_admission logged.", "lane", "reason")
		send(refused, prometheus.CounterValue, l.Full, string(admission.Full))
		send(refused, prometheus.CounterValue, l.Late, string(admission.Late))
		to <- histogram(ofLane("admission_wait_seconds", "Time until work had a slot."), &l.Waits, lane)
		to <- histogram(ofLane("admission_estimate_ratio", "Estimated cost of work, divided by the time that it took."), &l.Ratios, lane)
	}
}

// histogram returns a histogram with counts up to each bound, as Prometheus has them.
func histogram(desc *prometheus.Desc, h *admission.Histogram, lane string) prometheus.Metric {
	upTo, count := make(map[float64]uint64, len(h.Bounds)), uint64(0)
	for i, n := range h.Counts {
		if count += n; i < len(h.Bounds) {
			upTo[h.Bounds[i]] = count
		}
	}
	return prometheus.MustNewConstHistogram(desc, count, h.Sum, upTo, lane)
}
