package strictyaml

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// kind is the kind of a YAML value.
type kind int

const (
	null   kind = iota
	scalar      // a single value
	list
	mapping // keys and values
)

// String returns the kind in the words of error messages.
func (k kind) String() string {
	return [...]string{"nothing", "a single value", "a list", "keys and values"}[k]
}

// tree is a parsed YAML value, with aliases and merged keys resolved.
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

// maxAliased bounds the values that aliases expand to. A few lines of nested aliases could expand
// beyond any memory.
const maxAliased = 100_000

// treeBuilder converts parser nodes to trees.
type treeBuilder struct {
	mistakes  Mistakes
	expanding map[*yaml.Node]bool // targets of the aliases being expanded
	aliased   int                 // values from aliases so far
	isCut     bool                // an alias was not fully expanded
}

func (p *treeBuilder) report(line int, format string, arguments ...any) {
	p.mistakes = append(p.mistakes, Mistake{Line: line, Text: fmt.Sprintf(format, arguments...)})
}

func (p *treeBuilder) build(node *yaml.Node) *tree {
	t := &tree{line: node.Line}
	if len(p.expanding) > 0 {
		if p.aliased++; p.aliased == maxAliased {
			p.report(node.Line, "aliases stand for more than %d values", maxAliased)
			p.isCut = true
		}
		if p.aliased >= maxAliased {
			return t
		}
	}
	switch node.Kind {
	case yaml.AliasNode:
		return p.expand(node)
	case yaml.SequenceNode:
		t.kind = list
		for _, item := range node.Content {
			t.items = append(t.items, p.build(item))
		}
	case yaml.MappingNode:
		t.kind = mapping
		p.buildPairs(node, t)
	default:
		if t.leaf = node; node.ShortTag() != "!!null" {
			t.kind = scalar
		}
	}
	return t
}

// expand builds the tree that an alias stands for.
func (p *treeBuilder) expand(alias *yaml.Node) *tree {
	if p.expanding[alias.Alias] {
		p.report(alias.Line, "*%s stands for something that it is part of", alias.Value)
		p.isCut = true
		return &tree{line: alias.Line}
	}
	p.expanding[alias.Alias] = true
	defer delete(p.expanding, alias.Alias)
	return p.build(alias.Alias)
}

// mergeKey merges the keys of its value into the mapping around it.
const mergeKey = "<<"

func (p *treeBuilder) buildPairs(node *yaml.Node, t *tree) {
	given := make(map[string]int, len(node.Content)/2)
	var merged []*tree
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch first, isRepeated := given[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			p.report(key.Line, "a key must be a single value, not a list or other keys")
		case key.Value == mergeKey && key.ShortTag() == "!!merge":
			merged = append(merged, p.build(value))
		case isRepeated:
			p.report(key.Line, "key %q is given twice; first on line %d", key.Value, first)
		default:
			given[key.Value] = key.Line
			t.pairs = append(t.pairs, pair{key, p.build(value)})
		}
	}
	for _, from := range merged {
		p.merge(from, t, given)
	}
}

// merge adds the pairs whose keys are not given.
func (p *treeBuilder) merge(from, to *tree, given map[string]int) {
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
				p.report(item.line, "%q merges keys and values, not %v", mergeKey, item.kind)
				continue
			}
			p.merge(item, to, given)
		}
	default:
		p.report(from.line, "%q merges keys and values, not %v", mergeKey, from.kind)
	}
}
