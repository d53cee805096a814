package render

import (
	"cmp"
	"flag"
	"fmt"
	"net/url"

	"tileserver/cmd/tileserver/usage"
	"tileserver/style"
)

// parameter is an option of render that is also a parameter of a request.
type parameter struct{ name, help string }

type parameterGroup struct {
	title      string
	parameters []parameter
}

// viewParameters returns the parameters of the box to show.
func viewParameters() []parameter {
	return []parameter{
		{"bbox", "`MINX,MINY,MAXX,MAXY` Box to render"},
		{"crs", "`CRS` What the box is in: EPSG:n, CRS84, or image for pixels (default CRS84)"},
		{"width", "`N` Width of the picture of a box"},
		{"height", "`N` Height of the picture of a box"},
	}
}

// encodingParameters returns the parameters of the encoding.
func encodingParameters() []parameter {
	return []parameter{
		{"quality", "`N` Quality of JPEG and WebP, 1 to 100"},
		{"subsampling", "`420|444` Resolution of color in JPEG"},
		{"lossless", "`true|false` WebP without loss"},
	}
}

// styleParameters returns the parameters of the style and the encoding.
func styleParameters() []parameterGroup {
	var groups []parameterGroup
	for _, title := range []style.Group{style.GroupBands, style.GroupColors, style.GroupEncoding} {
		group := parameterGroup{title: string(title)}
		for _, p := range style.Parameters() {
			if p.Option.Group == title {
				help := cmp.Or(p.Option.Help, p.Key.Help)
				group.parameters = append(group.parameters, parameter{p.Name, fmt.Sprintf("`%s` %s", p.Option.Value, help)})
			}
		}
		if title == style.GroupEncoding {
			group.parameters = append(group.parameters, encodingParameters()...)
		}
		groups = append(groups, group)
	}
	return groups
}

// Groups returns the options, grouped as in the help of the command.
func Groups() []usage.Group {
	area := usage.Group{Title: "Area", Names: []string{"tile", "tms", "bbox", "crs", "width", "height", "max_size"}}
	return append([]usage.Group{area}, AppearanceGroups()...)
}

// AppearanceGroups returns the options of an Appearance, grouped as in the help of commands.
func AppearanceGroups() (groups []usage.Group) {
	for _, g := range styleParameters() {
		var names []string
		for _, p := range g.parameters {
			names = append(names, p.name)
		}
		groups = append(groups, usage.Group{Title: g.title, Names: names})
	}
	return groups
}

// defineParameters defines an option per parameter. Parsing collects their values in values.
func defineParameters(set *flag.FlagSet, values url.Values, parameters []parameter) {
	for _, p := range parameters {
		set.Func(p.name, p.help, func(value string) error {
			values.Add(p.name, value)
			return nil
		})
	}
}
