// Package access says what requests may ask of a layer: which formats, sizes and parameters, and
// whether its values are told. The configuration writes a Policy, package layer keeps it with the
// layer, and handlers of http check requests against it and offer nothing that it refuses. The package
// owns the kinds of askers, the names that a policy may use, and the messages about what is refused.
// It must never know how an asker proves its kind, or what is drawn.
//
// Words: an *asker* is a kind of sender of requests; *rules* are what one kind may ask for; a *policy*
// has the rules of every kind; a *refusal* is an error about a request that the rules do not allow.
package access

import (
	"fmt"
	"slices"
	"strings"

	"tileserver/style"
)

// An Asker is a kind of sender of requests.
type Asker uint8

// The kinds.
const (
	Stranger Asker = iota // anybody
	Signed                // someone who has an address that the operator signed
	Operator              // may ask for everything
)

// A Policy is what each kind of asker may ask of a layer. The zero Policy allows everything.
type Policy struct {
	Strangers Rules
	Signed    Rules // for signed addresses
}

// For returns the rules of an asker.
func (p *Policy) For(asker Asker) *Rules {
	switch asker {
	case Stranger:
		return &p.Strangers
	case Signed:
		return &p.Signed
	}
	return &Rules{}
}

// Rules say what a request may ask for. The zero Rules allow everything.
type Rules struct {
	Formats    []string // of pictures and data; nil allows all, an empty list none
	Parameters []string // that change the style or the encoding; nil allows all, an empty list none
	Size       Size     // of the largest picture
	HideValues bool     // tell no values at points, and no statistics
}

// IsOpen reports whether the rules allow everything.
func (r *Rules) IsOpen() bool {
	return r.Formats == nil && r.Parameters == nil && r.Size == Size{} && !r.HideValues
}

// AllowsFormat reports whether files of a format may be asked for.
func (r *Rules) AllowsFormat(name string) bool {
	return r.Formats == nil || slices.Contains(r.Formats, name)
}

// AllowsParameter reports whether a parameter may be set.
func (r *Rules) AllowsParameter(name string) bool {
	return r.Parameters == nil || slices.Contains(r.Parameters, name)
}

// CheckFormat returns a refusal for a format that is not allowed.
func (r *Rules) CheckFormat(name string) error {
	if r.AllowsFormat(name) {
		return nil
	}
	return refuse(Format, "the format %s; %s", name, only("allowed formats", r.Formats))
}

// CheckParameter returns a refusal for a parameter that is not allowed.
func (r *Rules) CheckParameter(name string) error {
	if r.AllowsParameter(name) {
		return nil
	}
	return refuse(Parameter, "the parameter %s; %s", name, only("allowed parameters", r.Parameters))
}

// CheckSize returns a refusal for a picture that is too large.
func (r *Rules) CheckSize(width, height int) error {
	if r.Size.Holds(width, height) {
		return nil
	}
	return refuse(TooLarge, "%dx%d pixels; the limit is %v", width, height, r.Size)
}

// CheckValues returns a refusal if values are not told.
func (r *Rules) CheckValues() error {
	if !r.HideValues {
		return nil
	}
	return refuse(Values, "values and statistics of the layer")
}

// only says which names are allowed.
func only(what string, names []string) string {
	if len(names) == 0 {
		return what + ": none"
	}
	return what + ": " + strings.Join(names, ", ")
}

// A Reason is what a refusal is about.
type Reason string

// The reasons.
const (
	Format    Reason = "format"
	Parameter Reason = "parameter"
	TooLarge  Reason = "size"
	Values    Reason = "values"
	Address   Reason = "address"
)

// A Refusal is about a request that the rules do not allow. Its text is for clients.
type Refusal struct {
	Reason Reason
	text   string
}

func (r *Refusal) Error() string { return r.text }

func refuse(reason Reason, format string, arguments ...any) error {
	return &Refusal{reason, "not allowed: " + fmt.Sprintf(format, arguments...)}
}

// RefuseAddress returns the refusal of a request that names a file by its address.
func RefuseAddress(why string) error { return refuse(Address, "%s", why) }

// Formats returns the names of all formats that rules may allow.
func Formats() []string { return []string{"png", "jpg", "webp", "npy", "tif"} }

// Parameters returns the names of all parameters that rules may allow: those of styles, and of the
// encoding. The parameter style only chooses among the styles of the operator, and needs no rule.
func Parameters() []string { return append(style.Names(), "quality", "subsampling", "lossless") }
