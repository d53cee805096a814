package render

import (
	"flag"
	"net/url"

	"tileserver/cmd/tileserver/usage"
	"tileserver/http/request"
	"tileserver/layer"
	"tileserver/style"
)

// An Appearance is the options that say how pictures look, which are parameters of requests.
type Appearance struct{ values url.Values }

// Define defines the options.
func (a *Appearance) Define(set *flag.FlagSet) {
	a.values = make(url.Values)
	for _, group := range styleParameters() {
		defineParameters(set, a.values, group.parameters)
	}
}

// Style returns a style with the changes of the options.
func (a *Appearance) Style(base style.Style) (style.Style, error) {
	changed, err := style.Parse(a.values, base)
	if err != nil {
		return base, usage.Unusablef("%v", err)
	}
	return changed, nil
}

// Encoding returns how pictures are encoded.
func (a *Appearance) Encoding() (layer.Encoding, error) {
	parameters := request.With(a.values)
	encoding := parameters.Encoding()
	if parameters.Err != nil {
		return encoding, usage.Unusablef("%v", parameters.Err)
	}
	return encoding, nil
}

// String returns the options that were given, in the notation of a query.
func (a *Appearance) String() string { return a.values.Encode() }
