package tre

import "fmt"

// sensrbModules has the modules of SENSRB that are read, in their order. A module with a flag is
// there if the flag is Y; one without is always there. Sets of points and times follow.
var sensrbModules = []struct{ flag, layout string }{
	{"GENERAL_DATA", `SENSOR:25 SENSOR_URI:32 PLATFORM:25 PLATFORM_URI:32 OPERATION_DOMAIN:10 CONTENT_LEVEL:1 GEODETIC_SYSTEM:5
		GEODETIC_TYPE:1 ELEVATION_DATUM:3 LENGTH_UNIT:2 ANGULAR_UNIT:3 START_DATE:8 START_TIME:14 END_DATE:8 END_TIME:14
		GENERATION_COUNT:2 GENERATION_DATE:8 GENERATION_TIME:10`},
	{"SENSOR_ARRAY_DATA", `DETECTION:20 ROW_DETECTORS:8 COLUMN_DETECTORS:8 ROW_METRIC:8 COLUMN_METRIC:8 FOCAL_LENGTH:8 ROW_FOV:8
		COLUMN_FOV:8 CALIBRATED:1`},
	{"SENSOR_CALIBRATION_DATA", `CALIBRATION_UNIT:2 PRINCIPAL_POINT_OFFSET_X:9 PRINCIPAL_POINT_OFFSET_Y:9 RADIAL_DISTORT_1:12
		RADIAL_DISTORT_2:12 RADIAL_DISTORT_3:12 RADIAL_DISTORT_LIMIT:9 DECENT_DISTORT_1:12 DECENT_DISTORT_2:12
		AFFINITY_DISTORT_1:12 AFFINITY_DISTORT_2:12 CALIBRATION_DATE:8`},
	{imageFormation, `METHOD:15 MODE:3 ROW_COUNT:8 COLUMN_COUNT:8 ROW_SET:8 COLUMN_SET:8 ROW_RATE:10 COLUMN_RATE:10 FIRST_PIXEL_ROW:8
		FIRST_PIXEL_COLUMN:8`},
	{"", `REFERENCE_TIME:12 REFERENCE_ROW:8 REFERENCE_COLUMN:8 LATITUDE_OR_X:11 LONGITUDE_OR_Y:12 ALTITUDE_OR_Z:11 SENSOR_X_OFFSET:8
		SENSOR_Y_OFFSET:8 SENSOR_Z_OFFSET:8`},
	{"ATTITUDE_EULER_ANGLES", `SENSOR_ANGLE_MODEL:1 SENSOR_ANGLE_1:10 SENSOR_ANGLE_2:9 SENSOR_ANGLE_3:10 PLATFORM_RELATIVE:1
		PLATFORM_HEADING:9 PLATFORM_PITCH:9 PLATFORM_ROLL:10`},
	{"ATTITUDE_UNIT_VECTORS", `ICX_NORTH_OR_X:10 ICX_EAST_OR_Y:10 ICX_DOWN_OR_Z:10 ICY_NORTH_OR_X:10 ICY_EAST_OR_Y:10 ICY_DOWN_OR_Z:10
		ICZ_NORTH_OR_X:10 ICZ_EAST_OR_Y:10 ICZ_DOWN_OR_Z:10`},
	{"ATTITUDE_QUATERNION", "ATTITUDE_Q1:10 ATTITUDE_Q2:10 ATTITUDE_Q3:10 ATTITUDE_Q4:10"},
	{"SENSOR_VELOCITY_DATA", "VELOCITY_NORTH_OR_X:9 VELOCITY_EAST_OR_Y:9 VELOCITY_DOWN_OR_Z:9"},
}

// imageFormation is a module that ends with parameters of a transform.
const imageFormation = "IMAGE_FORMATION_DATA"

// sensrb reads where a sensor was and how it looked.
func (c *cursor) sensrb() {
	for _, m := range sensrbModules {
		if m.flag != "" && c.text(m.flag, 1) != "Y" {
			continue
		}
		c.layout(m.layout)
		if m.flag == imageFormation {
			c.numbers("TRANSFORM_PARAM", c.count("TRANSFORM_PARAMS", 1), 12)
		}
	}
}

// rsmpca reads the polynomials of a replacement sensor model.
func (c *cursor) rsmpca() {
	c.layout(`IID:80 EDITION:40 RSN:3 CSN:3 RFEP:21 CFEP:21 RNRMO:21 CNRMO:21 XNRMO:21 YNRMO:21 ZNRMO:21 RNRMSF:21 CNRMSF:21 XNRMSF:21
		YNRMSF:21 ZNRMSF:21`)
	for _, polynomial := range []string{"RN", "RD", "CN", "CD"} {
		for _, axis := range []string{"X", "Y", "Z"} {
			c.text(polynomial+"PWR"+axis, 1)
		}
		c.numbers(polynomial+"PCF", c.count(polynomial+"TRMS", 3), 21)
	}
}

// numbers reads fields of one name, with numbers from 1.
func (c *cursor) numbers(name string, count, width int) {
	for i := range count {
		if c.err != nil {
			return
		}
		c.text(fmt.Sprintf("%s_%d", name, i+1), width)
	}
}
