package main

import (
	"context"
	"strconv"

	"tileserver/decode/pam"
	"tileserver/decode/tiff"
)

// metadataInfo holds values by domain and name.
type metadataInfo = map[string]map[string]string

// bandInfo describes one band.
type bandInfo struct {
	Name       string          `json:"name"`
	Color      string          `json:"color"`
	NoData     *jsonNumber     `json:"nodata,omitempty"`
	Scale      *float64        `json:"scale,omitempty"`
	Offset     *float64        `json:"offset,omitempty"`
	Unit       string          `json:"unit,omitempty"`
	Statistics *statisticsInfo `json:"statistics,omitempty"`
	Metadata   metadataInfo    `json:"metadata,omitempty"`
}

// statisticsInfo holds the statistics stored in the file or a side file. Rendering does not use
// them.
type statisticsInfo struct {
	Minimum float64 `json:"minimum"`
	Maximum float64 `json:"maximum"`
	Mean    float64 `json:"mean"`
	StdDev  float64 `json:"stddev"`
}

// addBands adds the description of each band.
func (i *fileInfo) addBands(m fileImage) {
	for _, b := range m.Info().Bands {
		i.Colors = append(i.Colors, b.Color.String())
		band := bandInfo{Name: b.Name, Color: b.Color.String(), Unit: b.Unit}
		if b.HasNoData {
			value := jsonNumber(b.NoData)
			band.NoData = &value
		}
		if b.Scale != 0 {
			band.Scale, band.Offset = &b.Scale, &b.Offset
		}
		i.BandInfo = append(i.BandInfo, band)
	}
	if len(i.BandInfo) > 0 {
		i.NoData = i.BandInfo[0].NoData
	}
}

// addMetadata adds the metadata that the file and its side files contain about the image and its
// bands.
func (i *fileInfo) addMetadata(ofImage pam.Metadata, ofBands map[int]pam.Metadata) {
	i.Metadata = metadataInfo(ofImage)
	for n := range i.BandInfo {
		i.BandInfo[n].Metadata = metadataInfo(ofBands[n])
		i.BandInfo[n].Statistics = statisticsOf(ofBands[n][""])
	}
}

// statisticsOf returns the statistics stored under GDAL's names, or nil if any is missing.
func statisticsOf(values map[string]string) *statisticsInfo {
	s := new(statisticsInfo)
	for name, target := range map[string]*float64{
		"STATISTICS_MINIMUM": &s.Minimum, "STATISTICS_MAXIMUM": &s.Maximum, "STATISTICS_MEAN": &s.Mean, "STATISTICS_STDDEV": &s.StdDev,
	} {
		value, err := strconv.ParseFloat(values[name], 64)
		if err != nil || value-value != 0 { // JSON numbers must be finite
			return nil
		}
		*target = value
	}
	return s
}

// controlPointInfo is a pixel with a known location.
type controlPointInfo struct {
	Name   string  `json:"name,omitempty"`
	Info   string  `json:"info,omitempty"`
	Column float64 `json:"column"`
	Row    float64 `json:"row"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Z      float64 `json:"z"`
}

// rpcInfo is a rational polynomial, under the usual names of its coefficients.
type rpcInfo struct {
	From        string      `json:"from"`
	LineOff     float64     `json:"line_off"`
	SampOff     float64     `json:"samp_off"`
	LatOff      float64     `json:"lat_off"`
	LongOff     float64     `json:"long_off"`
	HeightOff   float64     `json:"height_off"`
	LineScale   float64     `json:"line_scale"`
	SampScale   float64     `json:"samp_scale"`
	LatScale    float64     `json:"lat_scale"`
	LongScale   float64     `json:"long_scale"`
	HeightScale float64     `json:"height_scale"`
	LineNum     [20]float64 `json:"line_num_coeff"`
	LineDen     [20]float64 `json:"line_den_coeff"`
	SampNum     [20]float64 `json:"samp_num_coeff"`
	SampDen     [20]float64 `json:"samp_den_coeff"`
}

// addRPC adds the rational polynomial. One that cannot be read is reported as a problem, since
// nothing else depends on it.
func (i *fileInfo) addRPC(ctx context.Context, image *tiff.Image) error {
	r, err := image.RPC(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		i.RPCProblem = err.Error()
	case r != nil:
		i.RPC = &rpcInfo{
			r.From, r.LineOffset, r.SampleOffset, r.LatitudeOffset, r.LongitudeOffset, r.HeightOffset,
			r.LineScale, r.SampleScale, r.LatitudeScale, r.LongitudeScale, r.HeightScale,
			r.LineNumerator, r.LineDenominator, r.SampleNumerator, r.SampleDenominator,
		}
	}
	return nil
}
