package strictyaml

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// kind is what a part of a document is.
type kind int

const (
	null   kind = iota
	scalar      // a single value
	list
	mapping // keys and values
)

// String names what the writer of a document sees.
func (k kind) String() string {
	return [...]string{"nothing", "a single value", "a list", "keys and values"}[k]
}

// tree is a part of a document, with aliases and merged keys in place.
type tree struct {
	kind  kind
	line  int
	leaf  *yaml.Node // of a scalar
	items []*tree    // of a list
	pairs []pair     // of a mapping
}

type pair struct {
	key   *yaml.Node // a scalar
	value *tree
}

// maxAliased is how many values aliases may stand for: a few lines of aliases of aliases can
// stand for more than any memory holds.
const maxAliased = 100_000

// planter makes trees of what the parser returns.
type planter struct {
	mistakes Mistakes
	within   map[*yaml.Node]bool // what the aliases on the way here stand for
	aliased  int
	isCut    bool // an alias stands for more than was planted
}

func (p *planter) refuse(line int, format string, arguments ...any) {
	p.mistakes = append(p.mistakes, Mistake{Line: line, Text: fmt.Sprintf(format, arguments...)})
}

func (p *planter) plant(node *yaml.Node) *tree {
	t := &tree{line: node.Line}
	if len(p.within) > 0 {
		if p.aliased++; p.aliased == maxAliased {
			p.refuse(node.Line, "aliases stand for more than %d values", maxAliased)
			p.isCut = true
		}
		if p.aliased >= maxAliased {
			return t
		}
	}
	switch node.Kind {
	case yaml.AliasNode:
		return p.follow(node)
	case yaml.SequenceNode:
		t.kind = list
		for _, item := range node.Content {
			t.items = append(t.items, p.plant(item))
		}
	case yaml.MappingNode:
		t.kind = mapping
		p.plantPairs(node, t)
	default:
		if t.leaf = node; node.ShortTag() != "!!null" {
			t.kind = scalar
		}
	}
	return t
}

// follow plants what an alias stands for.
func (p *planter) follow(alias *yaml.Node) *tree {
	if p.within[alias.Alias] {
		p.refuse(alias.Line, "*%s stands for something that it is part of", alias.Value)
		p.isCut = true
		return &tree{line: alias.Line}
	}
	p.within[alias.Alias] = true
	defer delete(p.within, alias.Alias)
	return p.plant(alias.Alias)
}

// mergeKey merges the keys of its value into the mapping around it.
const mergeKey = "<<"

func (p *planter) plantPairs(node *yaml.Node, t *tree) {
	given := make(map[string]int, len(node.Content)/2)
	var merged []*tree
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch first, twice := given[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			p.refuse(key.Line, "a key must be a single value, not a list or other keys")
		case key.Value == mergeKey && key.ShortTag() == "!!merge":
			merged = append(merged, p.plant(value))
		case twice:
			p.refuse(key.Line, "key %q is given twice; first on line %d", key.Value, first)
		default:
			given[key.Value] = key.Line
			t.pairs = append(t.pairs, pair{key, p.plant(value)})
		}
	}
	for _, from := range merged {
		p.merge(from, t, given)
	}
}

// merge adds the pairs whose keys are not given.
func (p *planter) merge(from, to *tree, given map[string]int) {
	switch from.kind {
	case mapping:
		for _, pair := range from.pairs {
			if _, ok := given[pair.key.Value]; !ok {
				given[pair.key.Value] = pair.key.Line
				to.pairs = append(to.pairs, pair)
			}
		}
	case list:
		for _, item := range from.items {
			if item.kind != mapping {
				p.refuse(item.line, "%q merges keys and values, not %v", mergeKey, item.kind)
				continue
			}
			p.merge(item, to, given)
		}
	default:
		p.refuse(from.line, "%q merges keys and values, not %v", mergeKey, from.kind)
	}
}
