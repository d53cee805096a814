package config

import (
	"strings"

	"tileserver/access"
)

// serverSections returns the keys of the top level. Defaults that are fixed values are missing.
func serverSections() []Section {
	return []Section{
		{Title: "Serving", Settings: servingSettings()},
		{Title: "Memory and limits", Settings: limitSettings()},
		{Title: "Addresses and proxies", Settings: addressSettings()},
		{Title: "Caching and empty tiles", Settings: cachingSettings()},
		{Title: "Logging", Settings: loggingSettings()},
		{Title: "Content", Settings: contentSettings()},
	}
}

func servingSettings() []Setting {
	return []Setting{
		{Key: "listen", Value: "HOST:PORT", Restart: true, Example: "0.0.0.0:8080",
			Help: "Address to serve maps on; port 0 takes a free one"},
		{Key: "admin_listen", Value: "HOST:PORT", Restart: true, Example: "127.0.0.1:8081",
			Help: `Address of metrics, health and profiles, for operators only; "" for none`},
		{Key: "admin_hosts", Value: "list", Restart: true, Example: "[admin.example.org]",
			Help: "Names under which operators call admin_listen, besides IP addresses, localhost, its own host, and names without a dot"},
		{Key: "watchdog", Value: "DURATION", Restart: true, Example: "10m",
			Help: "How long no picture is finished while others wait, until /healthz fails; at least twice request_timeout; 0 for never"},
		{Key: "drain_delay", Value: "DURATION", Restart: true, Example: "5s", Default: "0",
			Help: "How long a server that stops still accepts requests, while /readyz makes load balancers send them elsewhere"},
		{Key: "shutdown_timeout", Value: "DURATION", Restart: true, Example: "25s",
			Help: "How long a server that stops lets answers finish, after drain_delay"},
		{Key: "rescan", Value: "DURATION", Example: "1m",
			Help: "How often to scan folders for added and removed files; 0 for never"},
		{Key: "open_files", Value: "N", Example: "50000",
			Help: "Up to so many files of folders on disk are opened at the start, which takes a descriptor and some memory each; of more, each is opened when somebody asks for its layer"},
		{Key: "open_remote_files", Value: "N", Example: "1000",
			Help: "The same for files of folders of buckets, of which each takes a request"},
		{Key: "kept_open", Value: "N", Restart: true, Example: "1000",
			Help: "Files that were opened because somebody asked for them and stay open; the one that was not asked for the longest is closed"},
		{Key: "state", Value: "FOLDER", Restart: true, Example: "/var/lib/tileserver",
			Default: "STATE_DIRECTORY of the environment, or the cache folder of the user",
			Help:    `Folder for statistics, indexes and overviews, so that a restart need not compute them again; "" for none`},
		{Key: "saved_overviews", Value: "SIZE", Restart: true, Example: "4GiB",
			Help: "Disk space in the state folder for overviews that files lack, so that a restart need not build them again; 0 for none"},
		{Key: "disk_cache", Value: "FOLDER:SIZE", Restart: true, Example: "/var/cache/tileserver:100GiB",
			Help: "Folder of one server on a local disk for what it reads of remote files, and how large it may become"},
		{Key: "grids", Value: "FOLDER", Restart: true, Example: "/usr/share/grids",
			Help: "Folder of grid files of datum shifts, NTv2 (.gsb) and NADCON (.las with .los), that make maps in NAD27 or OSGB36 right to centimeters"},
	}
}

func limitSettings() []Setting {
	return []Setting{
		{Key: "cache", Value: "SIZE", Restart: true, Example: "4GiB",
			Default: "512MiB; within a memory limit of the container or GOMEMLIMIT, what the other three and 100MiB leave of seven eighths of it",
			Help:    "Memory for cached blocks and pictures"},
		{Key: "in_flight", Value: "SIZE", Restart: true, Example: "512MiB", Default: "256MiB; less within a low memory limit",
			Help: "Memory for blocks being read and decoded; a larger block cannot be served"},
		{Key: "rendering", Value: "SIZE", Restart: true, Example: "1GiB", Default: "640MiB; less within a low memory limit",
			Help: "Memory for pictures being rendered; a larger picture is rejected"},
		{Key: "sending", Value: "SIZE", Restart: true, Example: "512MiB", Default: "256MiB; less within a low memory limit",
			Help: "Memory for answers that clients have not read yet; one that needs more than three quarters of it is rejected"},
		{Key: "remote_memory", Value: "SIZE", Restart: true, Example: "256MiB",
			Help: "Memory for the beginnings of remote files, for lists of buckets, and for whole files of web servers without byte ranges, of which one may take a quarter"},
		{Key: "prefetch", Value: "SIZE", Restart: true, Example: "256MiB",
			Help: "Part of the cache, at most an eighth, for what viewers that pan over remote files and JPEG 2000 are likely to ask for next, which is loaded in idle time; 0 for off"},
		{Key: "workers", Value: "N", Restart: true, Example: "8", Default: "the number of cores",
			Help: "Blocks decoded at a time; twice as many cheap pictures are rendered at a time, and half as many dear ones"},
		{Key: "gpu", Value: "auto|off|strict", Restart: true, Example: "off",
			Help: "Use of a GPU, in a program that was built for one: for work that it does sooner than the cores, for nothing, or for all work that it can do"},
		{Key: "gpu_device", Value: "N,…", Restart: true, Default: "0", Example: "[0, 1]",
			Help: "Numbers of one or more GPUs of one kind, as `tileserver gpu` lists them"},
		{Key: "gpu_memory", Value: "SIZE", Restart: true, Example: "1GiB",
			Help: "Memory for batches on their way to a GPU and back; as much again, and some more, on the GPU itself"},
		{Key: "queue", Value: "N", Restart: true, Example: "2048", Default: "256 per core",
			Help: "Cheap pictures that may wait to be rendered, and as many dear ones; further requests are answered with 503"},
		{Key: "shadow_admission", Value: "true|false", Restart: true, Example: "true",
			Help: "Log which requests would be refused because they cannot be answered within the request timeout, instead of refusing them"},
		{Key: "max_pixels", Value: "N", Restart: true, Example: "16777216",
			Help: "Pixels of the largest picture"},
		{Key: "max_requests", Value: "N", Example: "4096",
			Help: "Requests answered at a time; further ones are answered with 503"},
		{Key: "client_rate", Value: "N", Restart: true, Example: "20", Default: "0",
			Help: "Requests a second that one client may make, after client_burst; further ones are answered with 429; 0 for any"},
		{Key: "client_burst", Value: "N", Restart: true, Example: "200",
			Help: "Requests that one client may make at once, if client_rate is set"},
		{Key: "client_header", Value: "NAME", Example: "X-User",
			Help: "Header in which a trusted proxy names the client; by default, a client is its address"},
		{Key: "max_connections", Value: "N", Restart: true, Example: "8192",
			Help: "Open connections of clients; at the limit, a new one replaces the one that has been idle longest, or waits"},
		{Key: "request_timeout", Value: "DURATION", Example: "1m",
			Help: "Time to prepare an answer, not counting sending"},
		{Key: "min_send_rate", Value: "SIZE", Restart: true, Example: "16KiB",
			Help: "Bytes a second that a client must read, over 10 seconds, or its connection is reset; 0 for any"},
		{Key: "send_allowance", Value: "DURATION", Restart: true, Example: "10s",
			Help: "How much longer a client may take for the beginning of an answer"},
		{Key: "storage_timeout", Value: "DURATION", Restart: true, Example: "30s",
			Help: "Time for a disk or a file server to answer; after a few that took longer, its layers are answered with 503 at once until it answers again"},
	}
}

func addressSettings() []Setting {
	return []Setting{
		{Key: "public_url", Value: "URL", Example: "https://maps.example.org/imagery",
			Help: "Address under which clients see the server; by default, what the proxy or the request says"},
		{Key: "base_path", Value: "PATH", Example: "/imagery",
			Help: "Path under which clients see the server; part of the public URL, if that is set"},
		{Key: "trusted_proxies", Value: "NETWORK,…", Default: "private", Example: "[private, 192.0.2.7]",
			Help: `Networks of proxies whose X-Forwarded headers are believed, such as 10.0.0.0/8; "private" for all private networks, "none" for none`},
	}
}

func cachingSettings() []Setting {
	return []Setting{
		{Key: "cache_control", Value: "TEXT", Example: "public, max-age=3600",
			Help: "Cache-Control header of pictures"},
		{Key: "caching", Value: "revalidated|versioned", Example: "versioned",
			Help: `How clients keep pictures: "revalidated" asks the server again; "versioned" puts a version into addresses, whose pictures are kept for a year`},
		{Key: "empty", Value: "blank|204|404", Default: "blank", Example: `"404"`,
			Help: "Answer for a tile that shows nothing"},
	}
}

func loggingSettings() []Setting {
	return []Setting{
		{Key: "log_level", Value: "debug|info|warn|error", Example: "warn",
			Help: "Lowest level of messages in the log"},
		{Key: "log_format", Value: "text|json", Restart: true, Example: "json",
			Help: "Format of the log"},
		{Key: "access_log", Value: "off|problems|all", Example: "all",
			Help: "Requests in the log: none (but bugs of the server); those that failed (status 5xx) or were slow; or all"},
		{Key: "slow_request", Value: "DURATION", Example: "2s",
			Help: "How long a request takes that the log calls slow; 0 for none"},
	}
}

func contentSettings() []Setting {
	return []Setting{
		{Key: "paths", Value: "list", Example: "[/srv/rasters, scan.tif#2]",
			Help: "Files, and folders of which every raster becomes a layer; see Paths"},
		{Key: "symlinks", Value: "follow|inside|none", Restart: true, Example: "inside",
			Help: `Symbolic links to files in folders: "follow" opens them wherever they lead, "inside" only if that is in the same folder or below, "none" never; links to folders are not followed`},
		{Key: "allow", Value: "keys", Help: "What requests may ask for; see What requests may ask for"},
		{Key: "signing_keys", Value: "FILE", Example: "signing.keys",
			Help: "Keys of signed addresses, a line ID:SECRET for each; by default, those in TILESERVER_SIGNING_KEYS of the environment"},
		{Key: "url", Value: "keys", Restart: true, Help: "Which files requests may name by their address; see Files by address"},
		{Key: "remote", Value: "list", Restart: true, Help: "How files on web servers and in buckets are reached; see Remote files"},
		{Key: "layers", Value: "list", Help: "Layers that differ from what their files suggest; see Layers"},
		{Key: "styles", Value: "list", Help: "Styles for every layer that can be shown in them; see Styles"},
		{Key: "tile_matrix_sets", Value: "list", Example: "[grid.json]",
			Help: "Tile matrix sets besides the built-in ones; see Tile matrix sets"},
		{Key: "service", Value: "keys", Help: "What this server is, for catalogs and their readers; see Service"},
	}
}

// allowSettings returns the keys of "allow".
func allowSettings() []Setting {
	return append(rulesSettings(), Setting{Key: "signed", Value: "keys", Help: "What signed addresses may ask for: the same keys, which allow everything if they are left out"})
}

func rulesSettings() []Setting {
	return []Setting{
		{Key: "formats", Value: "list, all, none", Default: "`all`", Example: "[png, jpg, webp]",
			Help: "Formats of pictures and data: " + strings.Join(access.Formats(), ", ")},
		{Key: "parameters", Value: "list, all, none", Default: "`all`", Example: "[bidx, rescale]",
			Help: "Parameters that change the style or the encoding: " + strings.Join(access.Parameters(), ", ")},
		{Key: "size", Value: "WIDTHxHEIGHT, N, any", Default: "`any`, up to max_pixels", Example: "2048x2048",
			Help: "Sides or pixels of the largest picture, tiles included"},
		{Key: "values", Value: "true|false", Default: "`true`", Example: "false",
			Help: "Whether values at points and statistics are told"},
	}
}

// pathSettings returns the keys of an entry of "paths".
func pathSettings() []Setting {
	return []Setting{
		{Key: "path", Value: "FILE or FOLDER", Example: "/srv/rasters", Help: "What an entry without keys is"},
		{Key: "allow", Value: "keys", Help: "What requests may ask of its layers, unless they have entries of their own; what it leaves out is as at the top level"},
	}
}

// serviceSettings returns the keys of "service".
func serviceSettings() []Setting {
	return []Setting{
		{Key: "title", Value: "text", Example: "Imagery of the example", Default: "Tile server", Help: "Name of the service"},
		{Key: "abstract", Value: "text", Example: "Orthophotos and elevation.", Help: "What it offers"},
		{Key: "keywords", Value: "list", Example: "[imagery, elevation]", Help: "Words to find it by"},
		{Key: "provider", Value: "text", Example: "The Example", Help: "Organization that runs it"},
		{Key: "site", Value: "URL", Example: "https://example.org", Help: "Web site of the organization"},
		{Key: "contact", Value: "text", Example: "Map desk", Help: "Person or office to write to"},
		{Key: "email", Value: "text", Example: "maps@example.org", Help: "Their address"},
		{Key: "fees", Value: "text", Example: "none", Help: "What it costs"},
		{Key: "access_constraints", Value: "text", Example: "none", Help: "Who may use it, and for what"},
	}
}
