package request

import (
	"net/url"
	"slices"

	"tileserver/access"
	"tileserver/style"
)

// styleNames are the parameters of styles and encodings.
var styleNames = slices.Concat([]string{"style"}, access.Parameters())

// StyleQuery returns the style parameters of the query, for links.
func (p *Parameters) StyleQuery() url.Values {
	shown := make(url.Values)
	for _, name := range styleNames {
		if texts := p.Texts(name); len(texts) > 0 {
			shown[name] = texts
		}
	}
	return shown
}

// Style returns base with the changes of the query, or the refusal of a change that the rules do not
// allow.
func (p *Parameters) Style(base style.Style, rules *access.Rules) (style.Style, error) {
	if err := p.CheckStyle(rules); err != nil {
		return base, err
	}
	changed := style.Read(&p.Parameters, base)
	return changed, p.Err
}

// CheckStyle returns a refusal if a parameter of styles or encodings is given that the rules do not
// allow.
func (p *Parameters) CheckStyle(rules *access.Rules) error {
	if rules.Parameters == nil {
		return nil
	}
	for _, name := range access.Parameters() {
		if !p.IsGiven(name) {
			continue
		}
		if err := rules.CheckParameter(name); err != nil {
			return err
		}
	}
	return nil
}
