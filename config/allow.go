package config

import (
	"cmp"
	"slices"
	"strings"

	"tileserver/access"
	"tileserver/nearest"
)

// An Allow is what requests may ask for.
type Allow struct {
	Rules  `yaml:",inline"`
	Signed Rules `yaml:"signed"` // for signed addresses
}

// Rules are what one kind of request may ask for. What is left out is as at the top level.
type Rules struct {
	Formats    Names  `yaml:"formats"`    // of pictures and data
	Parameters Names  `yaml:"parameters"` // that change the style
	Size       string `yaml:"size"`       // of the largest picture, such as 2048x1024
	Values     *bool  `yaml:"values"`     // at points, and statistics
}

// Names are a list of names, or one of the words "all" and "none". Nil is neither.
type Names []string

// The words that stand for lists of names.
const (
	allNames = "all"
	noNames  = "none"
)

// UnmarshalText parses a comma-separated list. A YAML list is decoded without it.
func (n *Names) UnmarshalText(text []byte) error {
	*n = Names{}
	for _, name := range strings.Split(string(text), ",") {
		*n = append(*n, strings.TrimSpace(name))
	}
	return nil
}

// allowed returns the names as access.Rules have them.
func (n Names) allowed() []string {
	switch {
	case n == nil || slices.Equal(n, Names{allNames}):
		return nil
	case slices.Equal(n, Names{noNames}):
		return []string{}
	}
	return n
}

// Policy returns what requests may ask of a layer or a folder. What it leaves out is as at the top
// level.
func (a *Allow) Policy(top *Allow) access.Policy {
	strangers, signed := a.Rules.over(&top.Rules), a.Signed.over(&top.Signed)
	return access.Policy{Strangers: strangers.allowed(), Signed: signed.allowed()}
}

// over returns the rules with what they leave out taken from others.
func (r Rules) over(others *Rules) Rules {
	if r.Formats == nil {
		r.Formats = others.Formats
	}
	if r.Parameters == nil {
		r.Parameters = others.Parameters
	}
	r.Size, r.Values = cmp.Or(r.Size, others.Size), cmp.Or(r.Values, others.Values)
	return r
}

// allowed returns the rules of valid names and sizes.
func (r *Rules) allowed() access.Rules {
	size, _ := access.ParseSize(cmp.Or(r.Size, access.AnySize))
	return access.Rules{
		Formats: r.Formats.allowed(), Parameters: r.Parameters.allowed(), Size: size, HideValues: r.Values != nil && !*r.Values,
	}
}

func (v *validation) allow(path string, a *Allow) {
	v.rules(path, &a.Rules)
	v.rules(path+".signed", &a.Signed)
}

func (v *validation) rules(path string, r *Rules) {
	v.names(path+".formats", r.Formats, access.Formats())
	v.names(path+".parameters", r.Parameters, access.Parameters())
	_, err := access.ParseSize(cmp.Or(r.Size, access.AnySize))
	v.require(err == nil, path+".size", "%v", err)
}

func (v *validation) names(path string, names Names, known []string) {
	if names.allowed() == nil {
		return
	}
	for _, name := range names.allowed() {
		isWord := name == allNames || name == noNames
		v.require(!isWord, path, "%q must be the only name", name)
		v.require(isWord || slices.Contains(known, name), path, "unknown name %q; use %s%s", name, strings.Join(known, ", "), nearest.Hint(name, known))
	}
}

// A Path is a file or a folder to serve.
type Path struct {
	Path  string `yaml:"path"`
	Allow Allow  `yaml:"allow"` // of its layers
}

// UnmarshalText reads an entry that is a path alone.
func (p *Path) UnmarshalText(text []byte) error {
	p.Path = string(text)
	return nil
}
