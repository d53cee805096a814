package main

import (
	"reflect"
	"tileserver/config/strictyaml"
	"tileserver/style"
)

// layerSettings returns the keys of an entry of "layers", without those of its style.
func layerSettings() []setting {
	return []setting{
		{key: "path", value: "FILE", example: "/srv/rasters/dem.tif", help: "File of the layer; `FILE#2` is its second image. Required"},
		{key: "id", value: "text", example: "heights", initial: "from the name of the file",
			help: "Name of the layer in addresses: letters, digits, `-`, `_` and `.`"},
		{key: "title", value: "text", example: "Heights above sea", initial: "the id, or the name of the file", help: "Name of the layer for people"},
		{key: "description", value: "text", example: "Elevation model of 2024", help: "What the layer shows"},
		{key: "attribution", value: "text", example: "© The Example", help: "Credit to show next to its pictures"},
		{key: "empty", value: "blank|204|404", example: `"404"`, initial: "as the server", help: "Answer for a tile that shows nothing of the layer"},
		{key: "block", value: "N", example: "512", initial: "the file's own", help: "Side of the blocks to cut the file into, from 64 to 8192"},
		{key: "quality_layers", value: "N", example: "4", initial: "all",
			help: "Quality layers of a JPEG 2000 file to decode; fewer are faster and coarser"},
		{key: "statistics_pixels", value: "N", example: "16777216", initial: "16777216",
			help: "Maximum number of pixels to read for statistics; larger overviews are sampled by block"},
		{key: "max_making", value: "SIZE", example: "256MiB", initial: "256MiB",
			help: "If the file lacks overviews, a request builds what it needs as long as that decodes less than this; larger jobs run once, in the background"},
		{key: "styles", value: "list", help: "Further styles of the layer, which requests name as `style=NAME`; see Styles"},
	}
}

// namedStyleSettings returns the keys of an entry of "styles", without those of the style itself.
func namedStyleSettings() []setting {
	return []setting{
		{key: "name", value: "text", help: "Name of the style in addresses. Required"},
		{key: "title", value: "text", initial: "the name", help: "Name of the style for people"},
	}
}

// styleSettings returns the keys of a style, in the order of styleConfig. Requests and the command
// "render" have parameters of the same names.
func styleSettings() []setting {
	var settings []setting
	for _, key := range strictyaml.Keys(reflect.TypeFor[styleConfig]()) {
		p, _ := style.Lookup(key)
		settings = append(settings, setting{key: key, value: p.Key.Value, initial: p.Key.Initial, example: p.Key.Example, help: p.Key.Help})
	}
	return settings
}
