package gpu

import (
	"fmt"
	"strings"
)

// Header returns the WGSL that the source of a kernel begins with. It declares what all kernels see: the
// record of a job, in which the parameters have the given names, the buffers, and the status of a job.
func Header(parameterNames [parameters]string) string {
	var fields strings.Builder
	for i, name := range parameterNames {
		if name == "" {
			name = fmt.Sprint("unused", i)
		}
		fmt.Fprintf(&fields, "    %s: u32,\n", name)
	}
	return fmt.Sprintf(header, fields.String())
}

const header = `// A job. Where its input, output and scratch memory begin are indexes of words.
struct Job {
    input: u32,
    inputBytes: u32,
    output: u32,
    scratch: u32,
%s}

@group(0) @binding(0) var<storage, read> jobs: array<Job>;
@group(0) @binding(1) var<storage, read> input: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>; // a status for each job, then the outputs
@group(0) @binding(3) var<storage, read_write> scratch: array<u32>;

// The status of a job.
const notDone = 0u;
const done = 1u;
const damaged = 2u;

// groupNumber returns the number of a workgroup. Workgroups come in rows.
fn groupNumber(id: vec3<u32>, count: vec3<u32>) -> u32 {
    return id.y * count.x + id.x;
}

`
