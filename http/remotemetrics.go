package http

// OriginStats describes a web server or a service of buckets that has files.
type OriginStats struct {
	Origin                    string // scheme, host and port
	Requests, Retries, Hedges int64  // since the start; requests are all tries
	Refusals, Slowdowns       int64  // answers since the start that said no, or asked for fewer requests
	Bytes                     int64  // of bodies since the start
	Running, Limit            int    // requests now, and how many there may be at a time
}

// maxOrigins bounds the origins in the metrics.
const maxOrigins = 50

func collectOrigins(to sink, origins []OriginStats) {
	for _, o := range origins[:min(len(origins), maxOrigins)] {
		counter := func(name, help string, value int64) { counterOf(to, name, help, value, "origin", o.Origin) }
		counter("remote_requests_total", "Requests to a server that has files, with retries and hedges.", o.Requests)
		counter("remote_retries_total", "Requests that were made because one before failed.", o.Retries)
		counter("remote_hedges_total", "Requests that were made because one before was late.", o.Hedges)
		counter("remote_refusals_total", "Requests that the server refused, such as for missing credentials.", o.Refusals)
		counter("remote_slowdowns_total", "Answers that asked for fewer requests.", o.Slowdowns)
		counter("remote_bytes_total", "Bytes that were read.", o.Bytes)
		gaugeOf(to, "remote_requests", "Requests in progress.", int64(o.Running), "origin", o.Origin)
		gaugeOf(to, "remote_requests_max", "Requests that the server gets at a time.", int64(o.Limit), "origin", o.Origin)
	}
}
