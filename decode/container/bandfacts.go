package container

import (
	"strconv"

	"tileserver/decode/pam"
)

// Metadata holds values by domain and name.
type Metadata = map[string]map[string]string

// Band describes one band.
type Band struct {
	Name       string      `json:"name"`
	Color      string      `json:"color"`
	NoData     *Number     `json:"nodata,omitempty"`
	Scale      *float64    `json:"scale,omitempty"`
	Offset     *float64    `json:"offset,omitempty"`
	Unit       string      `json:"unit,omitempty"`
	Statistics *Statistics `json:"statistics,omitempty"`
	Metadata   Metadata    `json:"metadata,omitempty"`
}

// Statistics holds the statistics stored in the file or a side file. Rendering does not use them.
type Statistics struct {
	Minimum float64 `json:"minimum"`
	Maximum float64 `json:"maximum"`
	Mean    float64 `json:"mean"`
	StdDev  float64 `json:"stddev"`
}

// addBands adds the description of each band.
func (f *Facts) addBands(m Image) {
	for _, b := range m.Info().Bands {
		f.Colors = append(f.Colors, b.Color.String())
		band := Band{Name: b.Name, Color: b.Color.String(), Unit: b.Unit}
		if b.HasNoData {
			value := Number(b.NoData)
			band.NoData = &value
		}
		if b.Scale != 0 {
			band.Scale, band.Offset = &b.Scale, &b.Offset
		}
		f.BandInfo = append(f.BandInfo, band)
	}
	if len(f.BandInfo) > 0 {
		f.NoData = f.BandInfo[0].NoData
	}
}

// AddPAM adds the metadata of the image and of its bands, by the band's index.
func (f *Facts) AddPAM(ofImage pam.Metadata, ofBands map[int]pam.Metadata) {
	f.Metadata = Metadata(ofImage)
	for n := range f.BandInfo {
		f.BandInfo[n].Metadata = Metadata(ofBands[n])
		f.BandInfo[n].Statistics = statisticsOf(ofBands[n][""])
	}
}

// statisticsOf returns the statistics stored under GDAL's names, or nil if any is missing.
func statisticsOf(values map[string]string) *Statistics {
	s := new(Statistics)
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
