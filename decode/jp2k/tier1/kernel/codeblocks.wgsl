// The kernel of code-blocks of Part 1: a job is one of them, and gives its coefficients. The source of the
// decoder comes before.

const sharing = 64u; // invocations of a workgroup that shares a code-block

fn blockOf(job: Job) -> Block {
    return Block(job.input, job.scratch, job.width, job.height, job.orientation, job.style, job.bitPlanes, job.passes, job.segments);
}

// decode goes on with the passes of a code-block. Workgroups are small: batches have fewer code-blocks than a
// device has places, and the more share a workgroup, the longer each waits for others.
@compute @workgroup_size(lanes)
fn decode(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    lane = local;
    makeStates();
    workgroupBarrier();
    let index = groupNumber(id, count) * lanes + lane;
    if index >= arrayLength(&jobs) || output[index] != notDone {
        return;
    }
    begin(blockOf(jobs[index]));
    output[index] = proceed();
}

// arrange writes the coefficients of a code-block row by row. The invocations of a workgroup share it, each
// with other columns.
@compute @workgroup_size(sharing)
fn arrange(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = groupNumber(id, count);
    if index >= arrayLength(&jobs) || output[index] != done {
        return;
    }
    let job = jobs[index];
    begin(blockOf(job));
    let together = 1u + job.isShort; // columns
    let across = job.width / together;
    for (var i = local; i < stripes * across; i += sharing) {
        arrangeColumns(job, i % across * together, i / across);
    }
}

// arrangeColumns writes a column of a stripe, or two whose coefficients share words.
fn arrangeColumns(job: Job, x: u32, stripe: u32) {
    var made = columnsOf(x, stripe);
    for (var y = stripe * stripeRows; y < min((stripe + 1u) * stripeRows, job.height); y++) {
        let at = y * job.width + x;
        let row = y % stripeRows;
        if job.isShort != 0u {
            output[job.output + at / 2u] = (made.first[row] & 0xFFFFu) | (made.second[row] << 16u);
        } else {
            output[job.output + at] = made.first[row];
        }
    }
}
