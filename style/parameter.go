package style

import "tileserver/query"

// A Parameter is a parameter of styles. Requests, the configuration, the command line and the
// documents take its name and its texts from here.
type Parameter struct {
	Name  string
	Needs string // the parameter without which this one means nothing, or ""

	Key    Key    // in the configuration; empty if it is only for requests
	Option Option // on the command line

	// set returns a style with the value applied. It is nil for a parameter that replaces another
	// one, or is replaced: functions named override read those together.
	set func(p *query.Parameters, name string, s Style) Style
}

// A Key describes a parameter as a key of the configuration.
type Key struct {
	Value   string // what it takes: list, text, true|false
	Initial string // the default, if it has a name
	Example string // in YAML
	Help    string // starts with a capital letter; no final period
}

// An Option describes a parameter as an option of the command line.
type Option struct {
	Group Group
	Value string // placeholder
	Help  string // that of the key if empty
}

// A Group is a heading of options.
type Group string

// The groups.
const (
	GroupBands    Group = "Bands and values"
	GroupColors   Group = "Colors"
	GroupEncoding Group = "Encoding"
)

// Parameters returns all parameters of styles.
func Parameters() []Parameter { return parameters[:] }

// Names returns the names of all parameters.
func Names() []string {
	names := make([]string, len(parameters))
	for i := range parameters {
		names[i] = parameters[i].Name
	}
	return names
}

// Lookup returns the parameter with a name.
func Lookup(name string) (p Parameter, ok bool) {
	for i := range parameters {
		if parameters[i].Name == name {
			return parameters[i], true
		}
	}
	return Parameter{}, false
}
