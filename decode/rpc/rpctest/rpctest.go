// Package rpctest writes a rational polynomial camera model in each of its notations. Tests of
// decode/rpc and of decoders call it. It does not use the tables of decode/rpc, which it checks.
package rpctest

import (
	"fmt"
	"slices"
	"strings"

	"tileserver/decode/rpc"
	"tileserver/geo/sensor"
)

// Model returns the model that the notations hold, with where it was read from. Each number says
// its place in the tag, and has a fraction.
func Model(from string) rpc.Model {
	m := rpc.Model{From: from, BiasError: 0.25, RandomError: 1.25, RPC: sensor.RPC{
		LineOffset: 2.25, SampleOffset: 3.25, LatitudeOffset: 4.25, LongitudeOffset: 5.25, HeightOffset: 6.25,
		LineScale: 7.25, SampleScale: 8.25, LatitudeScale: 9.25, LongitudeScale: 10.25, HeightScale: 11.25,
	}}
	for i := range 20 {
		v := float64(i) + 0.25
		m.LineNumerator[i], m.LineDenominator[i] = 12+v, 32+v
		m.SampleNumerator[i], m.SampleDenominator[i] = 52+v, 72+v
	}
	return m
}

// Numbers returns the values of the tag.
func Numbers() []float64 {
	numbers := make([]float64, 92)
	for i := range numbers {
		numbers[i] = float64(i) + 0.25
	}
	return numbers
}

// Text returns a file NAME_RPC.TXT.
func Text() string {
	var b strings.Builder
	for name, numbers := range named(textNames) {
		for i, number := range numbers {
			suffix := ""
			if len(numbers) > 1 {
				suffix = fmt.Sprintf("_%d", i+1)
			}
			fmt.Fprintf(&b, "%s%s: %+f pixels\r\n", name, suffix, number)
		}
	}
	return b.String()
}

// RPB returns a file NAME.RPB.
func RPB() string {
	var b strings.Builder
	b.WriteString("satId = \"??\";\nBEGIN_GROUP = IMAGE\n")
	for name, numbers := range named(rpbNames) {
		value := spaced(numbers)
		if len(numbers) > 1 {
			value = "(" + strings.ReplaceAll(value, " ", ",\n\t") + ")"
		}
		fmt.Fprintf(&b, "\t%s = %s;\n", name, value)
	}
	b.WriteString("END_GROUP = IMAGE\nEND;\n")
	return b.String()
}

// DIMAP returns a file RPC_NAME.XML, whose pixels count from 1.
func DIMAP() string {
	var values, validity strings.Builder
	for name, numbers := range named(textNames) {
		for i, number := range numbers {
			switch {
			case name == "LINE_OFF" || name == "SAMP_OFF":
				number++
				fallthrough
			case len(numbers) == 1:
				fmt.Fprintf(&validity, "<%s>%v</%s>\n", name, number, name)
			default:
				fmt.Fprintf(&values, "<%s_%d>%v</%s_%d>\n", name, i+1, number, name, i+1)
			}
		}
	}
	direct := strings.ReplaceAll(values.String(), ".25<", ".5<") // from the image to the ground
	return `<?xml version="1.0" encoding="ISO-8859-1"?>
<Dimap_Document><Rational_Function_Model><Resource_Reference><RESOURCE_TITLE version="x">RPC</RESOURCE_TITLE></Resource_Reference>
<Global_RFM><Direct_Model>` + direct + "</Direct_Model>\n<Inverse_Model>\n" + values.String() +
		"</Inverse_Model>\n<RFM_Validity><Direct_Model_Validity_Domain><FIRST_ROW>1</FIRST_ROW><FIRST_COL>1</FIRST_COL></Direct_Model_Validity_Domain>\n" +
		validity.String() + "</RFM_Validity></Global_RFM></Rational_Function_Model></Dimap_Document>\n"
}

// Metadata returns the RPC domain of GDAL's metadata.
func Metadata() map[string]string {
	domain := make(map[string]string)
	for name, numbers := range named(textNames) {
		domain[name] = spaced(numbers)
	}
	return domain
}

// The names of the single numbers and of the polynomials, in the order of the tag.
const (
	textNames = "ERR_BIAS ERR_RAND LINE_OFF SAMP_OFF LAT_OFF LONG_OFF HEIGHT_OFF LINE_SCALE SAMP_SCALE LAT_SCALE LONG_SCALE HEIGHT_SCALE" +
		" LINE_NUM_COEFF LINE_DEN_COEFF SAMP_NUM_COEFF SAMP_DEN_COEFF"
	rpbNames = "errBias errRand lineOffset sampOffset latOffset longOffset heightOffset lineScale sampScale latScale longScale heightScale" +
		" lineNumCoef lineDenCoef sampNumCoef sampDenCoef"
)

// named yields each of the names with its numbers.
func named(names string) func(yield func(string, []float64) bool) {
	return func(yield func(string, []float64) bool) {
		const singles, terms = 12, 20
		numbers := Numbers()
		for i, name := range strings.Fields(names) {
			count := 1
			if i >= singles {
				count = terms
			}
			if !yield(name, slices.Clone(numbers[:count])) {
				return
			}
			numbers = numbers[count:]
		}
	}
}

func spaced(numbers []float64) string { return strings.Trim(fmt.Sprint(numbers), "[]") }
