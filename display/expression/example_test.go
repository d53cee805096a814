package expression_test

import (
	"fmt"

	"tileserver/display/expression"
)

func Example() {
	source, err := expression.Parse("( nir - red ) / ( nir + red )")
	if err != nil {
		fmt.Println(err)
		return
	}
	names := map[string]int{"red": 3, "nir": 7}
	program, err := source.Compile(func(name string) (int, bool) {
		band, ok := names[name]
		return band, ok
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	red, nir := expression.Samples[uint16]{100, 50, 0}, expression.Samples[uint16]{300, 50, 0}
	index := expression.Values[float32]{Values: make([]float32, 3), Validity: []uint8{255, 255, 255}}
	if err := program.Run([]expression.Plane{red, nir}, []expression.Result{&index}, 3); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(program, program.Bands(), index.Values, index.Validity)
	// Output: (nir-red)/(nir+red) [3 7] [0.5 0 NaN] [255 255 0]
}

func ExampleError() {
	_, err := expression.Parse("b1>3 & b2>4")
	fmt.Println(err)
	// Output: invalid expression at character 10: comparisons do not chain, and "&" and "|" bind more tightly than they do: write each in parentheses, as in (b1>3)&(b2>4)
}
