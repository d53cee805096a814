package integration

import "net/url"

// kindGoldens render samples that are not colors, without style parameters.
func kindGoldens() []golden {
	return []golden{
		{"multispectral", fileOf(multispectral()), preview, 1},
		{"multispectral-bands", fileOf(multispectral()), preview + asked("bidx", "5,4,3"), 1},
		{"mountain", fileOf(mountain()), preview, 1},
		{"palette-alpha", fileOf(indices()), preview, 0},
		{"cmyk", fileOf(inks()), preview, 0},
		{"cielab", fileOf(lab()), preview, 1},
		{"complex", fileOf(echoes()), preview, 1},
		{"complex-magnitude", fileOf(echoes()), preview + asked("complex", "magnitude"), 1},
		{"scan-small", fileOf(scan()), "/layers/{layer}/preview.png?max_size=101", 1},
		{"disc-on-nodata", fileOf(disc()), "/tiles/{layer}/11/1100/670.png?resampling=cubic", 1},
	}
}

// computedGoldens render values that are computed from samples.
func computedGoldens() []golden {
	const part = "/layers/{layer}/view.png?crs=image&bbox=20,10,120,90&width=150"
	return []golden{
		{"ndvi", fileOf(multispectral()), preview + asked("expression", "(b5-b4)/(b5+b4)", "rescale", "-1,1", "colormap_name", "rdylgn"), 1},
		{"hillshade", fileOf(mountain()), preview + asked("algorithm", "hillshade"), 1},
		{"hillshade-all-around", fileOf(mountain()), part + asked("algorithm", "multihillshade", "resampling", "bilinear"), 1},
		{"relief", fileOf(mountain()), preview + asked("algorithm", "relief"), 1},
		{"relief-colors", fileOf(mountain()), preview + asked("algorithm", "relief", "colormap_name", "viridis", "algorithm_params", `{"azimuth":270,"z_exaggeration":2}`), 1},
		{"slope", fileOf(mountain()), preview + asked("algorithm", "slope", "rescale", "0,60", "colormap_name", "magma"), 1},
		{"contours", fileOf(mountain()), preview + asked("algorithm", "contours", "algorithm_params", `{"increment":50,"index_every":4}`), 1},
		{"terrain-rgb", fileOf(mountain()), preview + asked("algorithm", "terrainrgb"), 1},
		{"gamma", fileOf(sceneRGB()), preview + asked("color_formula", "gamma RGB 1.8"), 1},
		{"sigmoidal", fileOf(sceneRGB()), preview + asked("color_formula", "sigmoidal RGB 12 0.4"), 1},
		{"saturation", fileOf(sceneRGB()), preview + asked("color_formula", "saturation 0.3"), 1},
	}
}

// coloredGoldens render samples in colors, and legends.
func coloredGoldens() []golden {
	const categories = `{"1":{"color":"#d62728","label":"Disk"},"2":{"color":[20,20,60,160],"label":"Letter"},"10":"#8cb369","11":"#f4e285","13":"#5b8e7d"}`
	const intervals = `[[[1,3],[20,20,60],"Shapes"],[[10,12],"#f4a259","West"],[[12,13.5],"#5b8e7d80","Centre"]]`
	const legend = "/layers/{layer}/legend.png?width=150"
	return []golden{
		{"categories", fileOf(classes()), preview + asked("colormap", categories), 1},
		{"intervals", fileOf(classes()), preview + asked("colormap", intervals), 1},
		{"legend-ramp", fileOf(mountain()), legend + asked("colormap_name", "viridis", "rescale", "0,800"), 1},
		{"legend-categories", fileOf(classes()), legend + asked("colormap", categories, "height", "160"), 1},
	}
}

// asked joins parameters, names and values in turn, to the end of a query.
func asked(parameters ...string) (query string) {
	for i := 0; i+1 < len(parameters); i += 2 {
		query += "&" + parameters[i] + "=" + url.QueryEscape(parameters[i+1])
	}
	return query
}
