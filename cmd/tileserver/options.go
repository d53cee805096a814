package main

import "flag"

// serverConfig is what the options of a command, the file that they name, and the
// defaults make together.
func (p *program) serverConfig(command string, args []string) (config, error) {
	c := defaultConfig()
	set := flags(command)
	path := set.String("config", "", "configuration in YAML; what options say wins over it")
	c.define(set)
	paths, err := p.parse(set, args)
	if err != nil {
		return c, err
	}
	if *path != "" {
		if err := c.load(*path); err != nil {
			return c, err
		}
		// Once more, so that what is on the command line wins.
		if _, err := p.parse(set, args); err != nil {
			return c, err
		}
	}
	c.Paths = append(c.Paths, paths...)
	return c, c.validate()
}

// servedConfig is serverConfig of a command that serves what it is told to.
func (p *program) servedConfig(args []string) (config, error) {
	c, err := p.serverConfig("serve", args)
	if err == nil && len(c.Paths)+len(c.Layers) == 0 {
		err = usageError("serve needs a file or a folder; without a command, a demo is served")
	}
	return c, err
}

// define makes options of what can be said in one.
func (c *config) define(set *flag.FlagSet) {
	set.StringVar(&c.Listen, "listen", c.Listen, "host:port to serve maps on")
	set.StringVar(&c.AdminListen, "admin-listen", c.AdminListen, "host:port of metrics, health and profiles; empty is none")
	set.Var(&c.Cache, "cache", "bytes of decoded blocks and pictures to keep")
	set.Var(&c.InFlight, "in-flight", "bytes of blocks being read and decoded")
	set.Var(&c.Rendering, "rendering", "bytes of pictures being made of blocks")
	set.IntVar(&c.Workers, "workers", c.Workers, "blocks to decode at a time")
	set.IntVar(&c.Queue, "queue", c.Queue, "pictures that may wait to be made before \"try again\" is answered")
	set.IntVar(&c.MaxPixels, "max-pixels", c.MaxPixels, "pixels of the largest picture")
	set.StringVar(&c.State, "state", c.State, "folder for statistics, to have them after a restart; empty is none")
	set.Var(&c.Rescan, "rescan", "how often to look into the folders for files that came or went; 0 is never")
	c.defineAnswers(set)
}

// defineAnswers is the part of define about requests and their answers.
func (c *config) defineAnswers(set *flag.FlagSet) {
	set.StringVar(&c.PublicURL, "public-url", c.PublicURL, "how clients see the server, like https://maps.example/path; else as each request says")
	set.StringVar(&c.BasePath, "base-path", c.BasePath, "path under which clients see the server, like /path; part of public-url, if that is given")
	set.Var(&c.TrustedProxies, "trusted-proxies", "networks of proxies to be believed about how clients see the server, like 10.0.0.0/8,192.0.2.7; \"none\" is none (default private)")
	set.DurationVar(&c.RequestTimeout, "request-timeout", c.RequestTimeout, "time to make an answer")
	set.IntVar(&c.MaxRequests, "max-requests", c.MaxRequests, "requests answered at a time")
	set.StringVar(&c.CacheControl, "cache-control", c.CacheControl, "Cache-Control of pictures")
	set.StringVar(&c.Caching, "caching", c.Caching, "\"revalidated\", or \"versioned\": addresses with a version, whose pictures are kept for ever")
	set.StringVar(&c.Empty, "empty", c.Empty, "answer for a tile that shows nothing: blank, 204 or 404")
}
