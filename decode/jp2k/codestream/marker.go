package codestream

import "fmt"

// Marker is a code that says what follows in a header.
type Marker uint16

// The markers of Part 1 and 15.
const (
	soc          Marker = 0xFF4F
	capabilities Marker = 0xFF50
	siz          Marker = 0xFF51
	cod          Marker = 0xFF52
	coc          Marker = 0xFF53
	tlm          Marker = 0xFF55
	prf          Marker = 0xFF56
	plm          Marker = 0xFF57
	plt          Marker = 0xFF58
	cpf          Marker = 0xFF59
	qcd          Marker = 0xFF5C
	qcc          Marker = 0xFF5D
	rgn          Marker = 0xFF5E
	poc          Marker = 0xFF5F
	ppm          Marker = 0xFF60
	ppt          Marker = 0xFF61
	crg          Marker = 0xFF63
	com          Marker = 0xFF64
	sot          Marker = 0xFF90
	sop          Marker = 0xFF91
	eph          Marker = 0xFF92
	sod          Marker = 0xFF93
	eoc          Marker = 0xFFD9
)

// extension names what Part 2 calls a marker whose meaning changes samples.
func (m Marker) extension() string {
	switch m {
	case 0xFF70:
		return "offsets of samples (DCO)"
	case 0xFF71:
		return "visual masking (VMS)"
	case 0xFF72:
		return "arbitrary decomposition (DFS)"
	case 0xFF73:
		return "arbitrary decomposition (ADS)"
	case 0xFF74:
		return "multiple component transformation (MCT)"
	case 0xFF75:
		return "multiple component transformation (MCC)"
	case 0xFF76:
		return "non-linear transformation (NLT)"
	case 0xFF77:
		return "multiple component transformation (MCO)"
	case 0xFF78:
		return "bit depths of components of their own (CBD)"
	case 0xFF79:
		return "wavelet of its own (ATK)"
	}
	return ""
}

// hasBody tells whether a length follows the marker.
func (m Marker) hasBody() bool {
	switch m {
	case soc, eph, sod, eoc:
		return false
	}
	return m < 0xFF30 || m > 0xFF3F
}

// String is the standard's name of the marker, or its number.
func (m Marker) String() string {
	switch m {
	case soc:
		return "SOC"
	case capabilities:
		return "CAP"
	case siz:
		return "SIZ"
	case cod:
		return "COD"
	case coc:
		return "COC"
	case tlm:
		return "TLM"
	case prf:
		return "PRF"
	case plm:
		return "PLM"
	case plt:
		return "PLT"
	case cpf:
		return "CPF"
	case qcd:
		return "QCD"
	case qcc:
		return "QCC"
	case rgn:
		return "RGN"
	case poc:
		return "POC"
	case ppm:
		return "PPM"
	case ppt:
		return "PPT"
	case crg:
		return "CRG"
	case com:
		return "COM"
	case sot:
		return "SOT"
	case sop:
		return "SOP"
	case eph:
		return "EPH"
	case sod:
		return "SOD"
	case eoc:
		return "EOC"
	}
	return fmt.Sprintf("%04X", uint16(m))
}
