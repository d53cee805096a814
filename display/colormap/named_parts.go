package colormap

import (
	"encoding/json"
	"errors"
	"fmt"
)

// place is which members an entry has to say where it is.
type place struct{ value, low, high bool }

var errPlace = errors.New(`an entry needs "value", or "low" and "high"`)

// readNamed reads an entry that says itself where it is.
func readNamed(element json.RawMessage) (e Entry, isRange bool, err error) {
	e, at, err := readNamedParts(element)
	if err != nil {
		return Entry{}, false, err
	}
	if at != (place{value: true}) && at != (place{low: true, high: true}) {
		return Entry{}, false, errPlace
	}
	return e, at.low, nil
}

// readNamedParts reads an object, which must have a colour.
func readNamedParts(element json.RawMessage) (e Entry, at place, err error) {
	members, err := readObject(element)
	if err != nil {
		return Entry{}, at, err
	}
	colored := false
	for _, m := range members {
		switch m.name {
		case "value":
			at.value = true
			e.Low, err = readNumber(string(m.value))
		case "low":
			at.low = true
			e.Low, err = readNumber(string(m.value))
		case "high":
			at.high = true
			e.High, err = readNumber(string(m.value))
		case "color":
			colored = true
			e.Color, err = readColor(m.value)
		case "label":
			e.Label, err = readText(m.value)
		default:
			err = fmt.Errorf("an entry has no %.32q", m.name)
		}
		if err != nil {
			return Entry{}, at, err
		}
	}
	if !colored {
		return Entry{}, at, errors.New("an entry without a colour")
	}
	return e, at, nil
}
