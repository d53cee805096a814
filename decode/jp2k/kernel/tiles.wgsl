// The kernel of tiles: a job is some windows of one, with the code-blocks that these need, and gives samples.
// The source of the decoder of code-blocks comes before. The Go twin in package kerneltest has the same
// functions and the same names; bytes.go says what the tables in the input of a job hold.
//
// In each step that follows the decoder, workgroups of 64 invocations share a job: there is one of them for
// each few hundred samples. Numbers are words: integers of the 5-3 wavelet, or the bits of floats of the 9-7.
//
// Each step ends soon, whatever the input is: the more samples a job has, the more workgroups share it.

// ---- Jobs

// The words of a record in each table.
const blockWords = 9u;
const placeWords = 7u;
const componentWords = 7u;
const windowWords = 2u;
const levelWords = 19u;

fn placesAt(job: Job) -> u32 {
    return job.input + blockWords * job.blocks;
}

fn componentsAt(job: Job) -> u32 {
    return placesAt(job) + placeWords * job.places;
}

fn windowsAt(job: Job) -> u32 {
    return componentsAt(job) + componentWords * job.components;
}

fn levelsAt(job: Job) -> u32 {
    return windowsAt(job) + windowWords * job.windows;
}

// The words with which the scratch memory of a job begins.
const blocksBefore = 0u; // how many code-blocks the jobs before have
const groupsBefore = 1u; // how many workgroups they have
const levelsAcross = 2u; // how many levels are computed across
const levelsDown = 3u;
const headWords = 4u; // then come the states of the code-blocks

// jobOf returns the job that has a code-block or a workgroup, which are counted over all jobs. before is the
// word that tells how many the jobs before have.
fn jobOf(number: u32, before: u32) -> u32 {
    var first = 0u;
    var last = arrayLength(&jobs) - 1u;
    while first < last {
        let middle = (first + last + 1u) / 2u;
        if scratch[jobs[middle].scratch + before] <= number {
            first = middle;
        } else {
            last = middle - 1u;
        }
    }
    return first;
}

// Share is what an invocation does of a job: one thing in so many, from the first on.
struct Share {
    job: u32,
    group: u32, // number of the workgroup in the job
    first: u32,
    every: u32,
    isNone: bool,
}

const groupSize = 64u;

fn shareOf(number: u32, local: u32) -> Share {
    let index = jobOf(number, groupsBefore);
    let job = jobs[index];
    let group = number - scratch[job.scratch + groupsBefore];
    let isNone = group >= job.groups || output[index] == damaged;
    return Share(index, group, group * groupSize + local, job.groups * groupSize, isNone);
}

// sum counts what the jobs before one have, which is not known until a batch is complete.
@compute @workgroup_size(groupSize)
fn sum(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = groupNumber(id, count) * groupSize + local;
    if index >= arrayLength(&jobs) {
        return;
    }
    var blocks = 0u;
    var groups = 0u;
    for (var i = 0u; i < index; i++) {
        blocks += jobs[i].blocks;
        groups += jobs[i].groups;
    }
    scratch[jobs[index].scratch + blocksBefore] = blocks;
    scratch[jobs[index].scratch + groupsBefore] = groups;
}

// ---- Code-blocks

fn blockOf(job: Job, number: u32) -> Block {
    let at = job.input + blockWords * number;
    return Block(
        job.input + input[at], job.scratch + input[at + 1u], input[at + 2u], input[at + 3u],
        input[at + 4u], input[at + 5u], input[at + 6u], input[at + 7u], input[at + 8u],
    );
}

// decode goes on with the passes of a code-block.
@compute @workgroup_size(lanes)
fn decode(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    lane = local;
    makeStates();
    workgroupBarrier();
    let index = groupNumber(id, count) * lanes + lane;
    let job = jobs[jobOf(index, blocksBefore)];
    let number = index - scratch[job.scratch + blocksBefore];
    let status = job.scratch + headWords + number;
    if number >= job.blocks || scratch[status] != notDone {
        return;
    }
    begin(blockOf(job, number));
    scratch[status] = proceed();
}

// place puts the coefficients of code-blocks into the windows of bands. The invocations of a workgroup share
// a block. A block that is not decoded costs the job.
@compute @workgroup_size(groupSize)
fn place(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let share = shareOf(groupNumber(id, count), local);
    if share.isNone {
        return;
    }
    let job = jobs[share.job];
    for (var number = share.group; number < job.places; number += job.groups) {
        let at = placesAt(job) + placeWords * number;
        if scratch[job.scratch + headWords + input[at]] != done {
            output[share.job] = damaged;
            return;
        }
        begin(blockOf(job, input[at]));
        let across = (block.width + 1u) / 2u;
        for (var i = local; i < stripes * across; i += groupSize) {
            placeColumns(job, at, i % across * 2u, i / across);
        }
    }
}

// placeColumns places two columns of a stripe.
fn placeColumns(job: Job, at: u32, x: u32, stripe: u32) {
    let made = columnsOf(x, stripe);
    placeColumn(job, at, x, stripe, made.first);
    if x + 1u < block.width {
        placeColumn(job, at, x + 1u, stripe, made.second);
    }
}

// placeColumn places a column of a stripe, as far as it lies in the window.
fn placeColumn(job: Job, at: u32, x: u32, stripe: u32, values: vec4<u32>) {
    var made = values;
    let window = job.scratch + input[at + 1u];
    let width = input[at + 2u];
    let height = input[at + 3u];
    let toX = x + input[at + 4u]; // what lies left of the window, or above, becomes large
    if toX >= width {
        return;
    }
    for (var y = stripe * stripeRows; y < min((stripe + 1u) * stripeRows, block.height); y++) {
        let toY = y + input[at + 5u];
        if toY < height {
            scratch[window + toY * width + toX] = numberOf(job, made[y % stripeRows], bitcast<f32>(input[at + 6u]));
        }
    }
}

// numberOf returns the number for a coefficient, which has a fraction bit.
fn numberOf(job: Job, coefficient: u32, step: f32) -> u32 {
    if job.isReversible != 0u {
        return bitcast<u32>(bitcast<i32>(coefficient) / 2);
    }
    return bitcast<u32>(f32(bitcast<i32>(coefficient)) * step);
}

// ---- Levels

// Level is a level of a component: the rectangle of its resolution, the window of it, and the samples of the
// bands that are there, in each direction. The windows of LL, HL, LH and HH follow each other.
struct Level {
    whole: vec4<i32>,
    window: vec4<i32>,
    lowX: vec2<i32>,
    highX: vec2<i32>,
    lowY: vec2<i32>,
    highY: vec2<i32>,
    bands: u32,
    rows: u32, // what was computed across: the rows of LL and HL, then those of LH and HH
    made: u32,
}

fn levelOf(job: Job, number: u32) -> Level {
    let at = levelsAt(job) + levelWords * number;
    return Level(
        vec4<i32>(pairAt(at), pairAt(at + 2u)), vec4<i32>(pairAt(at + 4u), pairAt(at + 6u)),
        pairAt(at + 8u), pairAt(at + 10u), pairAt(at + 12u), pairAt(at + 14u),
        job.scratch + input[at + 16u], job.scratch + input[at + 17u], job.scratch + input[at + 18u],
    );
}

fn pairAt(at: u32) -> vec2<i32> {
    return vec2<i32>(bitcast<i32>(input[at]), bitcast<i32>(input[at + 1u]));
}

// lengthOf returns the number of samples from the first on, before the second.
fn lengthOf(range: vec2<i32>) -> u32 {
    return u32(range.y - range.x);
}

// pairsOf returns the number of pairs that a range has samples of.
fn pairsOf(range: vec2<i32>) -> u32 {
    return u32(((range.y + 1) >> 1u) - (range.x >> 1u));
}

// Line is a row or a column of a resolution, of which low and high bands have samples.
struct Line {
    whole: vec2<i32>,
    low: vec2<i32>,
    high: vec2<i32>,
    lowAt: u32,
    highAt: u32,
    every: u32, // words from a sample to the next
}

fn lowOf(line: Line, n: i32) -> u32 {
    return sampleOf(line, line.low, line.lowAt, 2 * n);
}

fn highOf(line: Line, n: i32) -> u32 {
    return sampleOf(line, line.high, line.highAt, 2 * n + 1);
}

// sampleOf returns the sample of a band at a position of the line. Beyond its ends a line is mirrored.
fn sampleOf(line: Line, band: vec2<i32>, first: u32, position: i32) -> u32 {
    var at = position;
    for (var i = 0; i < mirrorings && (at < line.whole.x || at >= line.whole.y); i++) {
        at = select(2 * (line.whole.y - 1) - at, 2 * line.whole.x - at, at < line.whole.x);
    }
    return scratch[first + u32(max(min(at >> 1u, band.y - 1) - band.x, 0)) * line.every];
}

const mirrorings = 8; // as many as the shortest line needs

// ---- The wavelets

// Scale has the factors of the two bands of a line, the weight of the high band in the first lifting step,
// and the factor of a line of one sample.
struct Scale {
    low: f32,
    high: f32,
    weight: f32,
    single: f32,
}

const alpha = -1.5861343f;
const beta = -0.052980117f;
const gamma = 0.8829111f;

// scaleOf returns the factors of a row. They combine those of both directions.
fn scaleOf(level: Level, isHigh: bool) -> Scale {
    if level.whole.w - level.whole.y > 1 {
        if isHigh {
            return Scale(1f, 0.66079515f, 0.2930672f, 0.8128931f);
        }
        return Scale(1.5133283f, 1f, 0.44350687f, 1.2301741f);
    }
    if isHigh {
        return Scale(0.61508703f, 0.40644655f, 0.18026184f, 0.5f);
    }
    return Scale(1.2301741f, 0.8128931f, 0.36052367f, 1f);
}

// scaleDown has the factors of a column.
fn scaleDown() -> Scale {
    return Scale(1f, 1f, 0.44350687f, 1f);
}

var<private> zero: u32; // which compilers do not know

// exactly returns a product as it is: compilers may join a product and a sum, which rounds differently.
fn exactly(product: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(product) ^ zero);
}

// pairOf returns a pair of samples.
fn pairOf(job: Job, line: Line, n: i32, scale: Scale) -> vec2<u32> {
    if job.isReversible != 0u {
        return bitcast<vec2<u32>>(pair53(line, n));
    }
    return bitcast<vec2<u32>>(pair97(line, n, scale));
}

fn pair53(line: Line, n: i32) -> vec2<i32> {
    let before = bitcast<i32>(highOf(line, n - 1));
    let here = bitcast<i32>(highOf(line, n));
    let after = bitcast<i32>(highOf(line, n + 1));
    let even = bitcast<i32>(lowOf(line, n)) - ((before + here + 2) >> 2u);
    let next = bitcast<i32>(lowOf(line, n + 1)) - ((here + after + 2) >> 2u);
    return vec2<i32>(even, here + ((even + next) >> 1u));
}

// pair97 takes four lifting steps: of low, of high, of low, and of high.
fn pair97(line: Line, n: i32, scale: Scale) -> vec2<f32> {
    let high0 = bitcast<f32>(highOf(line, n - 2));
    let high1 = bitcast<f32>(highOf(line, n - 1));
    let high2 = bitcast<f32>(highOf(line, n));
    let high3 = bitcast<f32>(highOf(line, n + 1));
    let high4 = bitcast<f32>(highOf(line, n + 2));
    let low0 = lifted(bitcast<f32>(lowOf(line, n - 1)), scale.low, scale.weight, high0 + high1);
    let low1 = lifted(bitcast<f32>(lowOf(line, n)), scale.low, scale.weight, high1 + high2);
    let low2 = lifted(bitcast<f32>(lowOf(line, n + 1)), scale.low, scale.weight, high2 + high3);
    let low3 = lifted(bitcast<f32>(lowOf(line, n + 2)), scale.low, scale.weight, high3 + high4);
    let lifted1 = lifted(high1, scale.high, gamma, low0 + low1);
    let lifted2 = lifted(high2, scale.high, gamma, low1 + low2);
    let lifted3 = lifted(high3, scale.high, gamma, low2 + low3);
    let even = lifted(low1, 1f, beta, lifted1 + lifted2);
    let next = lifted(low2, 1f, beta, lifted2 + lifted3);
    return vec2<f32>(even, lifted(lifted2, 1f, alpha, even + next));
}

// lifted returns a sample after a lifting step. neighbors is the sum of the two in the other band.
fn lifted(sample: f32, factor: f32, weight: f32, sumOfNeighbors: f32) -> f32 {
    return exactly(factor * sample) - exactly(weight * sumOfNeighbors);
}

// singleOf returns the only sample of a line, from the low band if its position is even, or the high one.
fn singleOf(job: Job, line: Line, scale: Scale) -> u32 {
    let isOdd = (line.whole.x & 1) != 0;
    let sample = scratch[select(line.lowAt, line.highAt, isOdd)];
    if job.isReversible != 0u {
        return select(sample, bitcast<u32>(bitcast<i32>(sample) / 2), isOdd);
    }
    return bitcast<u32>(bitcast<f32>(sample) * select(scale.single, scale.single / 2f, isOdd));
}

// across computes the rows of the next level.
@compute @workgroup_size(groupSize)
fn across(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let share = shareOf(groupNumber(id, count), local);
    if share.isNone {
        return;
    }
    let job = jobs[share.job];
    zero = job.inputBytes & 3u;
    let number = scratch[job.scratch + levelsDown];
    if share.first == 0u {
        scratch[job.scratch + levelsAcross] = number + 1u;
    }
    for (var component = 0u; component < job.components; component++) {
        let at = componentsAt(job) + componentWords * component;
        if number >= input[at] {
            continue;
        }
        let level = levelOf(job, input[at + 1u] + number);
        let pairs = pairsOf(level.window.xz);
        let rows = lengthOf(level.lowY) + lengthOf(level.highY);
        for (var i = share.first; i < pairs * rows; i += share.every) {
            acrossPair(job, level, i / pairs, i % pairs);
        }
    }
}

fn acrossPair(job: Job, level: Level, row: u32, pairNumber: u32) {
    let lowWidth = lengthOf(level.lowX);
    let highWidth = lengthOf(level.highX);
    let lowRows = lengthOf(level.lowY);
    let highRows = lengthOf(level.highY);
    let isHigh = row >= lowRows;
    var line = Line(level.whole.xz, level.lowX, level.highX, level.bands, 0u, 1u);
    if isHigh {
        line.lowAt += lowRows * (lowWidth + highWidth) + (row - lowRows) * lowWidth;
        line.highAt = level.bands + lowRows * (lowWidth + highWidth) + highRows * lowWidth + (row - lowRows) * highWidth;
    } else {
        line.lowAt += row * lowWidth;
        line.highAt = level.bands + lowRows * lowWidth + row * highWidth;
    }
    let scale = scaleOf(level, isHigh);
    let n = (level.window.x >> 1u) + i32(pairNumber);
    var made = vec2<u32>();
    if level.whole.z - level.whole.x == 1 {
        made = vec2<u32>(singleOf(job, line, scale));
    } else {
        made = pairOf(job, line, n, scale);
    }
    let to = level.rows + row * u32(level.window.z - level.window.x);
    keep(level.window.xz, n, made, to, 1u);
}

// keep stores the samples of a pair that lie in a window.
fn keep(window: vec2<i32>, n: i32, made: vec2<u32>, to: u32, every: u32) {
    let even = 2 * n - window.x;
    let last = window.y - window.x;
    if even >= 0 && even < last {
        scratch[to + u32(even) * every] = made.x;
    }
    if even + 1 >= 0 && even + 1 < last {
        scratch[to + u32(even + 1) * every] = made.y;
    }
}

// down computes the columns of the level whose rows were computed.
@compute @workgroup_size(groupSize)
fn down(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let share = shareOf(groupNumber(id, count), local);
    if share.isNone {
        return;
    }
    let job = jobs[share.job];
    zero = job.inputBytes & 3u;
    let number = scratch[job.scratch + levelsAcross] - 1u;
    if share.first == 0u {
        scratch[job.scratch + levelsDown] = number + 1u;
    }
    for (var component = 0u; component < job.components; component++) {
        let at = componentsAt(job) + componentWords * component;
        if number >= input[at] {
            continue;
        }
        let level = levelOf(job, input[at + 1u] + number);
        let pairs = pairsOf(level.window.yw);
        let width = lengthOf(level.window.xz);
        for (var i = share.first; i < pairs * width; i += share.every) {
            downPair(job, level, i / width, i % width);
        }
    }
}

fn downPair(job: Job, level: Level, pairNumber: u32, x: u32) {
    let width = lengthOf(level.window.xz);
    let lowAt = level.rows + x;
    let line = Line(level.whole.yw, level.lowY, level.highY, lowAt, lowAt + lengthOf(level.lowY) * width, width);
    let n = (level.window.y >> 1u) + i32(pairNumber);
    var made = vec2<u32>();
    if level.whole.w - level.whole.y == 1 {
        made = vec2<u32>(singleOf(job, line, scaleDown()));
        if job.isReversible == 0u {
            made = vec2<u32>(scratch[lowAt]); // the row was scaled for both directions
        }
    } else {
        made = pairOf(job, line, n, scaleDown());
    }
    keep(level.window.yw, n, made, level.made + x, width);
}

// ---- Samples

// Component is a component of a window: its numbers, its place in the output, and the range of its samples.
struct Component {
    numbers: u32,
    output: u32,
    isWide: bool, // samples have 16 bits, not 8
    low: i32,
    high: i32,
    shift: i32,
}

fn componentOf(job: Job, number: u32) -> Component {
    let at = componentsAt(job) + componentWords * number;
    let half = 1i << (input[at + 4u] - 1u);
    let shift = select(half, 0, input[at + 5u] != 0u);
    return Component(job.scratch + input[at + 2u], job.output + input[at + 3u], input[at + 6u] != 0u, -half, half - 1, shift);
}

// finish turns numbers into samples.
@compute @workgroup_size(groupSize)
fn finish(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let share = shareOf(groupNumber(id, count), local);
    if share.isNone {
        return;
    }
    let job = jobs[share.job];
    zero = job.inputBytes & 3u;
    var component = 0u;
    for (var window = 0u; window < job.windows; window++) {
        let at = windowsAt(job) + windowWords * window;
        let area = input[at];
        let components = input[at + 1u];
        for (var i = share.first; i < (area + 3u) / 4u; i += share.every) {
            finishFour(job, component, components, i, area);
        }
        component += components;
    }
    if share.first == 0u {
        output[share.job] = done;
    }
}

// finishFour turns the numbers of four pixels into samples. Three components were transformed together.
fn finishFour(job: Job, firstComponent: u32, components: u32, four: u32, area: u32) {
    var made: array<vec4<u32>, 3>;
    for (var i = 0u; i < components; i++) {
        made[i] = fourOf(componentOf(job, firstComponent + i).numbers, 4u * four, area);
    }
    if components == 3u {
        if job.isReversible != 0u {
            let blue = bitcast<vec4<i32>>(made[1]);
            let red = bitcast<vec4<i32>>(made[2]);
            let green = bitcast<vec4<i32>>(made[0]) - ((blue + red) >> vec4<u32>(2u));
            made[0] = bitcast<vec4<u32>>(red + green);
            made[1] = bitcast<vec4<u32>>(green);
            made[2] = bitcast<vec4<u32>>(blue + green);
        } else {
            let luminance = bitcast<vec4<f32>>(made[0]);
            let blue = bitcast<vec4<f32>>(made[1]);
            let red = bitcast<vec4<f32>>(made[2]);
            made[0] = bitcast<vec4<u32>>(luminance + eachExactly(1.402f * red));
            made[1] = bitcast<vec4<u32>>(luminance - eachExactly(0.344136f * blue) - eachExactly(0.714136f * red));
            made[2] = bitcast<vec4<u32>>(luminance + eachExactly(1.772f * blue));
        }
    }
    for (var i = 0u; i < components; i++) {
        storeFour(componentOf(job, firstComponent + i), samplesOf(job, componentOf(job, firstComponent + i), made[i]), four, area);
    }
}

// fourOf returns four numbers, as far as there are.
fn fourOf(numbers: u32, first: u32, area: u32) -> vec4<u32> {
    let last = area - 1u;
    return vec4<u32>(
        scratch[numbers + first], scratch[numbers + min(first + 1u, last)],
        scratch[numbers + min(first + 2u, last)], scratch[numbers + min(first + 3u, last)],
    );
}

fn eachExactly(products: vec4<f32>) -> vec4<f32> {
    return bitcast<vec4<f32>>(bitcast<vec4<u32>>(products) ^ vec4<u32>(zero));
}

// samplesOf rounds numbers and clamps them to the bits of samples.
fn samplesOf(job: Job, component: Component, numbers: vec4<u32>) -> vec4<u32> {
    let low = vec4<i32>(component.low);
    let high = vec4<i32>(component.high);
    if job.isReversible != 0u {
        return bitcast<vec4<u32>>(clamp(bitcast<vec4<i32>>(numbers), low, high) + vec4<i32>(component.shift));
    }
    let clamped = clamp(bitcast<vec4<f32>>(numbers), vec4<f32>(low), vec4<f32>(high));
    return bitcast<vec4<u32>>(vec4<i32>(round(clamped)) + vec4<i32>(component.shift));
}

// storeFour packs four samples into a word, or two.
fn storeFour(component: Component, samples: vec4<u32>, four: u32, area: u32) {
    if !component.isWide {
        let bytes = (samples & vec4<u32>(0xFFu)) << vec4<u32>(0u, 8u, 16u, 24u);
        output[component.output + four] = bytes.x | bytes.y | bytes.z | bytes.w;
        return;
    }
    let halves = (samples & vec4<u32>(0xFFFFu)) << vec4<u32>(0u, 16u, 0u, 16u);
    output[component.output + 2u * four] = halves.x | halves.y;
    if 4u * four + 2u < area {
        output[component.output + 2u * four + 1u] = halves.z | halves.w;
    }
}
