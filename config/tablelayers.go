package config

import (
	"reflect"

	"tileserver/config/strictyaml"
	"tileserver/style"
)

// layerSettings returns the keys of an entry of "layers", without those of its style.
func layerSettings() []Setting {
	return []Setting{
		{Key: "path", Value: "FILE", Example: "/srv/rasters/dem.tif", Help: "File of the layer; `FILE#2` is its second image. Required"},
		{Key: "id", Value: "text", Example: "heights", Default: "from the name of the file",
			Help: "Name of the layer in addresses: letters, digits, `-`, `_` and `.`"},
		{Key: "title", Value: "text", Example: "Heights above sea", Default: "the id, or the name of the file", Help: "Name of the layer for people"},
		{Key: "description", Value: "text", Example: "Elevation model of 2024", Help: "What the layer shows"},
		{Key: "attribution", Value: "text", Example: "© The Example", Help: "Credit to show next to its pictures"},
		{Key: "empty", Value: "blank|204|404", Example: `"404"`, Default: "as the server", Help: "Answer for a tile that shows nothing of the layer"},
		{Key: "block", Value: "N", Example: "512", Default: "the file's own", Help: "Side of the blocks to cut the file into, from 64 to 8192"},
		{Key: "quality_layers", Value: "N", Example: "4", Default: "all",
			Help: "Quality layers of a JPEG 2000 file to decode; fewer are faster and coarser"},
		{Key: "placement", Value: "georeference|rpc", Example: "rpc", Default: "georeference",
			Help: "What places a file that has both a georeference and RPCs. With `rpc`, a file without RPCs is refused; without `placement`, a file that has one of them is placed by that"},
		{Key: "height", Value: "meters", Example: "120", Default: "the height offset of the RPCs",
			Help: "Height of the ground above the ellipsoid of WGS 84, for a file that is placed by RPCs"},
		{Key: "dem", Value: "ID", Example: "ground",
			Help: "Id of another layer, whose first band has heights of the ground above the ellipsoid in meters, for a file that is placed by RPCs. Where it has none, `height` applies. It cannot have a `dem` itself"},
		{Key: "statistics_pixels", Value: "N", Example: "16777216", Default: "16777216",
			Help: "Maximum number of pixels to read for statistics; larger overviews are sampled by block"},
		{Key: "max_making", Value: "SIZE", Example: "256MiB", Default: "256MiB",
			Help: "If the file lacks overviews, a request builds what it needs as long as that decodes less than this; larger jobs run once, in the background"},
		{Key: "allow", Value: "keys", Help: "What requests may ask of the layer; what it leaves out is as at the top level"},
		{Key: "styles", Value: "list", Help: "Further styles of the layer, which requests name as `style=NAME`; see Styles"},
	}
}

// namedStyleSettings returns the keys of an entry of "styles", without those of the style itself.
func namedStyleSettings() []Setting {
	return []Setting{
		{Key: "name", Value: "text", Help: "Name of the style in addresses. Required"},
		{Key: "title", Value: "text", Default: "the name", Help: "Name of the style for people"},
	}
}

// styleSettings returns the keys of a style, in the order of Style. Requests and the command
// "render" have parameters of the same names.
func styleSettings() []Setting {
	var settings []Setting
	for _, key := range strictyaml.Keys(reflect.TypeFor[Style]()) {
		p, _ := style.Lookup(key)
		settings = append(settings, Setting{Key: key, Value: p.Key.Value, Default: p.Key.Initial, Example: p.Key.Example, Help: p.Key.Help})
	}
	return settings
}
