package main

// serverSettings returns the top-level keys of the configuration.
func serverSettings() []settingGroup {
	return []settingGroup{
		{"Serving", servingSettings()},
		{"Memory and limits", limitSettings()},
		{"Addresses and proxies", addressSettings()},
		{"Caching and empty tiles", cachingSettings()},
		{"Logging", loggingSettings()},
		{"Content", contentSettings()},
	}
}

func servingSettings() []setting {
	return []setting{
		{key: "listen", value: "HOST:PORT", restart: true, example: "0.0.0.0:8080",
			help: "Address to serve maps on; port 0 takes a free one"},
		{key: "admin_listen", value: "HOST:PORT", restart: true, example: "127.0.0.1:8081",
			help: `Address of metrics, health and profiles, for operators only; "" for none`},
		{key: "rescan", value: "DURATION", example: "1m",
			help: "How often to scan folders for added and removed files; 0 for never"},
		{key: "state", value: "FOLDER", restart: true, example: "/var/lib/tileserver",
			initial: "STATE_DIRECTORY of the environment, or the cache folder of the user",
			help:    `Folder for statistics and indexes, so that a restart need not compute them again; "" for none`},
	}
}

func limitSettings() []setting {
	return []setting{
		{key: "cache", value: "SIZE", restart: true, example: "4GiB",
			help: "Memory for cached blocks and pictures"},
		{key: "in_flight", value: "SIZE", restart: true, example: "512MiB",
			help: "Memory for blocks being read and decoded; a larger block cannot be served"},
		{key: "rendering", value: "SIZE", restart: true, example: "1GiB",
			help: "Memory for pictures being rendered; a larger picture is rejected"},
		{key: "workers", value: "N", restart: true, example: "8", initial: "the number of cores",
			help: "Blocks decoded at a time; twice as many pictures are rendered at a time"},
		{key: "queue", value: "N", restart: true, example: "2048", initial: "256 per core",
			help: "Pictures that may wait to be rendered; further requests are answered with 503"},
		{key: "max_pixels", value: "N", restart: true, example: "16777216",
			help: "Pixels of the largest picture"},
		{key: "max_requests", value: "N", example: "4096",
			help: "Requests answered at a time; further ones are answered with 503"},
		{key: "request_timeout", value: "DURATION", example: "1m",
			help: "Time to prepare an answer, not counting sending"},
	}
}

func addressSettings() []setting {
	return []setting{
		{key: "public_url", value: "URL", example: "https://maps.example.org/imagery",
			help: "Address under which clients see the server; by default, what the proxy or the request says"},
		{key: "base_path", value: "PATH", example: "/imagery",
			help: "Path under which clients see the server; part of the public URL, if that is set"},
		{key: "trusted_proxies", value: "NETWORK,…", initial: "private", example: "[private, 192.0.2.7]",
			help: `Networks of proxies whose X-Forwarded headers are believed, such as 10.0.0.0/8; "private" for all private networks, "none" for none`},
	}
}

func cachingSettings() []setting {
	return []setting{
		{key: "cache_control", value: "TEXT", example: "public, max-age=3600",
			help: "Cache-Control header of pictures"},
		{key: "caching", value: "revalidated|versioned", example: "versioned",
			help: `How clients keep pictures: "revalidated" asks the server again; "versioned" puts a version into addresses, whose pictures are kept for a year`},
		{key: "empty", value: "blank|204|404", initial: "blank", example: `"404"`,
			help: "Answer for a tile that shows nothing"},
	}
}

func loggingSettings() []setting {
	return []setting{
		{key: "log_level", value: "debug|info|warn|error", example: "warn",
			help: "Lowest level of messages in the log"},
		{key: "log_format", value: "text|json", restart: true, example: "json",
			help: "Format of the log"},
		{key: "access_log", value: "off|problems|all", example: "all",
			help: "Requests in the log: none (but bugs of the server); those that failed (status 5xx) or were slow; or all"},
		{key: "slow_request", value: "DURATION", example: "2s",
			help: "How long a request takes that the log calls slow; 0 for none"},
	}
}

func contentSettings() []setting {
	return []setting{
		{key: "paths", value: "list", example: "[/srv/rasters, scan.tif#2]",
			help: "Files, and folders of which every raster becomes a layer"},
		{key: "layers", value: "list", help: "Layers that differ from what their files suggest; see Layers"},
		{key: "styles", value: "list", help: "Styles for every layer that can be shown in them; see Styles"},
		{key: "tile_matrix_sets", value: "list", example: "[grid.json]",
			help: "Tile matrix sets besides the built-in ones; see Tile matrix sets"},
		{key: "service", value: "keys", help: "What this server is, for catalogs and their readers; see Service"},
	}
}

// serviceSettings returns the keys of "service".
func serviceSettings() []setting {
	return []setting{
		{key: "title", value: "text", example: "Imagery of the example", initial: "Tile server", help: "Name of the service"},
		{key: "abstract", value: "text", example: "Orthophotos and elevation.", help: "What it offers"},
		{key: "keywords", value: "list", example: "[imagery, elevation]", help: "Words to find it by"},
		{key: "provider", value: "text", example: "The Example", help: "Organization that runs it"},
		{key: "site", value: "URL", example: "https://example.org", help: "Web site of the organization"},
		{key: "contact", value: "text", example: "Map desk", help: "Person or office to write to"},
		{key: "email", value: "text", example: "maps@example.org", help: "Their address"},
		{key: "fees", value: "text", example: "none", help: "What it costs"},
		{key: "access_constraints", value: "text", example: "none", help: "Who may use it, and for what"},
	}
}
