package container

// RPC is a rational polynomial, under the usual names of its coefficients.
type RPC struct {
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
