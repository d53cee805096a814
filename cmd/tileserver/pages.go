package main

import (
	"tileserver/cmd/tileserver/export"
	"tileserver/cmd/tileserver/render"
	"tileserver/cmd/tileserver/usage"
	"tileserver/config"
)

func servePage() usage.Page {
	return usage.Page{
		Synopsis: "serve [options] PATH…",
		About: "Serves files, and the rasters in folders and below them, as map tiles. \"serve\" may be left out.\n" +
			"Both may be addresses: of web servers, or s3://BUCKET/FOLDER/ and the like.\n" +
			"Files may be added, replaced and removed while the server runs. SIGHUP reloads the\n" +
			"configuration and scans the folders; a configuration with mistakes changes nothing.",
		Examples: []string{
			"tileserver serve ortho.tif elevation/",
			"tileserver serve --listen 127.0.0.1:8090 --admin-listen \"\" 'scan.tif#2'",
			"tileserver serve --config my.yaml --cache 4GiB",
			"tileserver serve https://example.org/ortho.tif s3://imagery/2024/",
			"tileserver serve --public-url https://maps.example.org/imagery /srv/rasters",
		},
		Groups: serverGroups(),
	}
}

func demoPage() usage.Page {
	return usage.Page{
		Synopsis: "demo [options]",
		About: "Serves three layers that are built in, to try the server without a file of your own: a picture\n" +
			"with near infrared, heights, and a scanned map.",
		Examples: []string{
			"tileserver demo                 serve it on http://" + config.DefaultListen,
			"tileserver demo --save nemo     write its files and tileserver.yaml to the folder nemo",
		},
		Groups: serverGroups(),
	}
}

// The text about damaged files in the help of commands.
const (
	aboutFoundDamage = "If the file is damaged, what is lost is listed on stderr too and the exit code is 3."
	aboutDamage      = "Of a damaged file, what can be decoded is written, what is lost is listed on stderr, and the\n" +
		"exit code is 3. If nothing can be decoded, nothing is written and the exit code is 1."
)

func infoPage() usage.Page {
	return usage.Page{
		Synopsis: "info [options] FILE",
		About: "Prints what a file contains, and if it cannot be served, why.\n" +
			"FILE#2 is the second image of a file that has several. FILE may be an address.\n" + aboutFoundDamage,
		Examples: []string{
			"tileserver info ortho.tif               size, bands, coordinate system, overviews",
			"tileserver info --json 'scan.tif#2'     the second page, as JSON",
			"tileserver info --tags photo.tif        all tags, of Exif and GPS data too",
		},
	}
}

func renderPage() usage.Page {
	return usage.Page{
		Synopsis: "render [options] FILE -o OUT",
		About: "Writes the picture that the server would send: of a tile, of a box, or of the whole file.\n" +
			"The format follows from the name of OUT: png, webp, jpg, npy or tif. FILE may be an address.\n" +
			aboutDamage,
		Examples: []string{
			"tileserver render ortho.tif -o ortho.png",
			"tileserver render ortho.tif --tile 11/322/1344 -o tile.webp",
			"tileserver render scene.tif --expression '(nir-red)/(nir+red)' --rescale -0.2,0.6 \\\n    --colormap_name rdylgn -o ndvi.png",
		},
		Groups: render.Groups(),
	}
}

func readPage() usage.Page {
	return usage.Page{
		Synopsis: "read [options] FILE -o OUT",
		About:    "Writes raw samples: band after band, row after row, little endian. FILE may be an address.\n" + aboutDamage,
		Examples: []string{"tileserver read dem.tif --window 0,0,512,512 -o dem.raw"},
	}
}

func healthPage() usage.Page {
	return usage.Page{
		Synopsis: "health [options]",
		About: "Asks the server on this machine whether it is ready, and prints the answer in one line.\n" +
			"Exits with 0 if it is ready, else with 1. For health checks of containers.",
		Examples: []string{
			"tileserver health                                    a server with the default --admin-listen",
			"tileserver health --config tileserver.yaml           one that was started with this file",
		},
	}
}

func gpuPage() usage.Page {
	return usage.Page{
		Synopsis: "gpu [options]",
		About: "Lists the GPUs of this machine, by the numbers of --gpu-device. Checks that each\n" +
			"computes exactly what the cores do, and prints how long batches take on it, with\n" +
			"transfers, and on the cores: code-blocks and tiles of JPEG 2000, code-blocks of\n" +
			"HTJ2K, blocks with DEFLATE, and blocks with JPEG that has restart markers. Needs a\n" +
			"program that was built with the tag gpu.",
		Examples: []string{
			"tileserver gpu                      batches of up to 4096 jobs",
			"tileserver gpu --largest 65536 --gpu-memory 4GiB",
		},
	}
}

func signPage() usage.Page {
	return usage.Page{
		Synopsis: "sign [options] URL",
		About: "Prints an address with a signature. A server with the same key then allows what its\n" +
			"configuration says under allow: signed, until the signature expires. What is in braces, such\n" +
			"as {z}/{x}/{y}, stays there for a map viewer to fill in, and is not signed.",
		Examples: []string{
			"tileserver sign --key-file my.keys 'https://a.example/tiles/dem/{z}/{x}/{y}.png?bidx=2'",
			"tileserver sign --config my.yaml --expires 1h 'https://a.example/layers/dem/view.tif?bbox={b}'",
			"tileserver sign --key-file my.keys --unsigned '*' https://a.example/tiles/dem/",
		},
	}
}

func versionPage() usage.Page { return usage.Page{Synopsis: "version"} }

func helpPage() usage.Page { return usage.Page{Synopsis: "help [COMMAND]"} }

// serverGroups returns the options of a server, grouped as in its help.
func serverGroups() []usage.Group {
	groups := []usage.Group{{Title: "Configuration", Names: []string{"config"}}}
	for _, section := range config.TopLevel() {
		var names []string
		for _, s := range section.Settings {
			names = append(names, s.Option())
		}
		groups = append(groups, usage.Group{Title: section.Title, Names: names})
	}
	return groups
}

func exportPage() usage.Page {
	return usage.Page{
		Synopsis: "export [options] FILE… OUT",
		About: "Writes all tiles of a map, the same as the server would send: to OUT.pmtiles, OUT.mbtiles, or a\n" +
			"folder OUT with files zoom/column/row. FILE may be an address. Of several files, the next is\n" +
			"drawn over the one before. Until all is done, the work lies in OUT.part; the same command goes\n" +
			"on where it was interrupted. The first damaged tile ends the export; with --on-error skip, such\n" +
			"tiles are left out and listed on stderr, and the exit code is 3.",
		Examples: []string{
			"tileserver export ortho.tif ortho.pmtiles --format webp",
			"tileserver export ortho.tif tiles --zooms 10-17 --bbox 8.4,47.3,8.6,47.4 --skip-empty",
			"tileserver export dem.tif relief --algorithm relief",
			"tileserver export --config my.yaml --layer ortho tiles",
		},
		Groups: export.Groups(),
	}
}

func pyramidPage() usage.Page {
	return usage.Page{
		Synopsis: "pyramid [options] FILE OUT.tif",
		About: "Writes an image as a cloud-optimized GeoTIFF (COG): with overviews, in blocks, so that any part\n" +
			"of it is read fast, also over a network. FILE may be an address, and FILE#2 the second image of\n" +
			"a file. OUT.tif appears when it is complete, and FILE stays as it is. A damaged block ends the\n" +
			"command; with --on-error skip it becomes nodata, is listed on stderr, and the exit code is 3.",
		Examples: []string{
			"tileserver pyramid scene.jp2 scene.tif",
			"tileserver pyramid ortho.tif small.tif --compression jpeg --quality 85",
			"tileserver pyramid s3://imagery/dem.tif dem.tif --compression lerc --memory 2GiB",
		},
	}
}
