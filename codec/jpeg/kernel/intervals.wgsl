// The kernel of JPEG with restart intervals (ITU-T T.81, sequential, of 8 bits): a job is a picture, and gives
// the samples of its components. The invocations of a workgroup take the restart intervals in turns. The
// inverse transform comes after that, in steps of its own. The Go twin in package kerneltest has the same
// functions and the same names.
//
// Invocations of a workgroup run in lockstep, so one waits where another does something else. They work in
// rounds, each of which takes one symbol with its value. Between steps an invocation keeps what it knows in
// scratch memory. Whatever is unusual about a stream is left to the cores, which know what of it is sound.
//
// Each step ends soon, whatever the input is: a round has one symbol, and kernel.go bounds the blocks of a
// picture.

// ---- The picture

const lanes = 64u; // invocations of a workgroup: those that decode a picture
const roundsPerStep = 4096u;
const transformGroups = 8u; // workgroups that transform a picture

var<private> job: Job;
var<private> units: u32;
var<private> blocksOfUnit: u32;

fn begin(index: u32) {
    job = jobs[index];
    units = job.unitsWide * job.unitsHigh;
    blocksOfUnit = 0u;
    for (var c = 0u; c < job.components; c++) {
        blocksOfUnit += blocksWide(c) * blocksHigh(c);
    }
}

// blocksWide returns how many blocks of a component a row of a unit has.
fn blocksWide(component: u32) -> u32 {
    return (job.factors >> (8u * component)) & 15u;
}

fn blocksHigh(component: u32) -> u32 {
    return (job.factors >> (8u * component + 4u)) & 15u;
}

// ---- The input: for each component its quantizers, tables of codes, where the data of intervals end, the data

const quantizerWords = 64u; // the position of a coefficient in a block, times 65536, and its factor

var<private> dataAt: u32; // the byte of the input where the data begin
var<private> start: u32; // of the data of the interval, in bytes
var<private> end: u32; // in bits from there
var<private> position: u32; // of the next bit from there

// wordAt returns a word of the input. Zeros follow its end.
fn wordAt(at: u32) -> u32 {
    if 4u * at >= job.inputBytes {
        return 0u;
    }
    return input[job.input + at];
}

// bigEndian returns a word with its bytes in reverse.
fn bigEndian(word: u32) -> u32 {
    let swapped = ((word & 0x00FF00FFu) << 8u) | ((word >> 8u) & 0x00FF00FFu);
    return (swapped << 16u) | (swapped >> 16u);
}

// peek returns the next 32 bits, the first one highest. What follows the end of the interval means nothing.
fn peek() -> u32 {
    let at = dataAt + start + position / 8u;
    let shift = 8u * (at % 4u) + position % 8u;
    let high = bigEndian(wordAt(at / 4u)) << shift;
    if shift == 0u {
        return high;
    }
    return high | (bigEndian(wordAt(at / 4u + 1u)) >> (32u - shift));
}

// ---- Codes

// A table has two symbols in a word for what the next lookupBits may be: a symbol times 256, and the length
// of its code, or 0 if that is longer. For each longer length it has a limit of 16 bits that its codes are
// below, and what to add to a code for the number of its symbol. Then it has all symbols, four in a word.
const lookupBits = 9u;
const maxBits = 16u;
const limitsAt = 256u;
const symbolsAt = 270u;
const tableWords = 334u;

// decode returns the symbol at the beginning of bits, times 256, and the length of its code. It returns 0 if
// there is none.
fn decode(table: u32, bits: u32) -> u32 {
    let head = bits >> (32u - lookupBits);
    let found = (input[table + head / 2u] >> (16u * (head % 2u))) & 0xFFFFu;
    if found != 0u {
        return found;
    }
    for (var length = lookupBits + 1u; length <= maxBits; length++) {
        let limit = table + limitsAt + 2u * (length - lookupBits - 1u);
        if (bits >> 16u) < input[limit] {
            let number = (input[limit + 1u] + (bits >> (32u - length))) & 255u;
            let symbol = (input[table + symbolsAt + number / 4u] >> (8u * (number % 4u))) & 0xFFu;
            return (symbol << 8u) | length;
        }
    }
    return 0u;
}

// valueOf returns the value at the beginning of bits. One that begins with 0 is negative.
fn valueOf(bits: u32, size: u32) -> i32 {
    if size == 0u {
        return 0;
    }
    let value = i32(bits >> (32u - size));
    return select(value, value + 1 - (1i << size), bits >> 31u == 0u);
}

// ---- Coefficients

// The scratch memory has what invocations keep between steps, then all blocks.
const stateWords = 9u;
const blockWords = 32u; // two coefficients in each
const blockSize = 64u;
const maxComponents = 4u;

var<private> lane: u32;
var<private> turn: u32; // how many intervals of the invocation are decoded
var<private> interval: u32;
var<private> intervals: u32;
var<private> number: u32; // of the block in the interval
var<private> blocks: u32; // of the interval
var<private> coefficient: u32; // the next one in the order of the stream
var<private> predictions: array<i32, maxComponents>;
var<private> isDamaged: bool;

var<private> component: u32;
var<private> block: u32; // where its coefficients are in the scratch memory

// enterInterval begins an interval, or goes on with it.
fn enterInterval() {
    interval = turn * lanes + lane;
    if interval >= intervals {
        return;
    }
    blocks = min(job.unitsEach, units - interval * job.unitsEach) * blocksOfUnit;
    let ends = job.input + job.ends + interval;
    start = 0u;
    if interval > 0u {
        start = input[ends - 1u];
    }
    end = 8u * (input[ends] - start);
    enterBlock();
}

// enterBlock finds out where a block belongs.
fn enterBlock() {
    let unit = interval * job.unitsEach + number / blocksOfUnit;
    var left = number % blocksOfUnit;
    var first = 0u; // block of the component
    component = 0u;
    while component + 1u < job.components && left >= blocksWide(component) * blocksHigh(component) {
        left -= blocksWide(component) * blocksHigh(component);
        first += units * blocksWide(component) * blocksHigh(component);
        component += 1u;
    }
    let wide = blocksWide(component);
    let row = unit / job.unitsWide * blocksHigh(component) + left / wide;
    let column = unit % job.unitsWide * wide + left % wide;
    block = job.scratch + lanes * stateWords + blockWords * (first + row * job.unitsWide * wide + column);
}

// takeCoefficient takes the next coefficient of a block that is not 0.
fn takeCoefficient() {
    let isFirst = coefficient == 0u;
    let bits = peek();
    let codes = job.codes >> (8u * component + select(4u, 0u, isFirst));
    let found = decode(job.input + quantizerWords * job.components + tableWords * (codes & 15u), bits);
    let length = found & 0xFFu;
    var size = found >> 8u;
    if !isFirst {
        coefficient += size >> 4u;
        size &= 15u;
    }
    // A first coefficient of more bits is only in streams without losses.
    isDamaged = found == 0u || size > 15u;
    if isDamaged {
        return;
    }
    position += length + size;
    let isEnd = !isFirst && size == 0u && (found >> 12u) != 15u;
    if isEnd {
        coefficient = blockSize;
    } else if coefficient >= blockSize {
        isDamaged = true;
    } else {
        put(valueOf(bits << length, size), isFirst);
    }
    isDamaged = isDamaged || position > end;
    if coefficient == blockSize {
        leaveBlock();
    }
}

// put stores a coefficient, times its quantizer. Products have 16 bits on the cores. The position in
// the upper half of the word does not reach the lower 16 bits.
fn put(value: i32, isFirst: bool) {
    var coded = value;
    if isFirst {
        coded += predictions[component];
        predictions[component] = coded;
    }
    let quantizer = input[job.input + quantizerWords * component + coefficient];
    let at = quantizer >> 16u;
    let product = (u32(coded) * quantizer) & 0xFFFFu;
    scratch[block + at / 2u] |= product << (16u * (at % 2u));
    coefficient += 1u;
}

// leaveBlock goes on with the next block, or the next interval.
fn leaveBlock() {
    coefficient = 0u;
    number += 1u;
    if number < blocks {
        enterBlock();
        return;
    }
    turn += 1u;
    number = 0u;
    position = 0u;
    predictions = array<i32, maxComponents>();
    enterInterval();
}

// ---- Steps

fn load() {
    let at = job.scratch + stateWords * lane;
    turn = scratch[at];
    number = scratch[at + 1u];
    coefficient = scratch[at + 2u];
    position = scratch[at + 3u];
    for (var c = 0u; c < maxComponents; c++) {
        predictions[c] = i32(scratch[at + 4u + c]);
    }
    isDamaged = scratch[at + 8u] != 0u;
}

fn save() {
    let at = job.scratch + stateWords * lane;
    scratch[at] = turn;
    scratch[at + 1u] = number;
    scratch[at + 2u] = coefficient;
    scratch[at + 3u] = position;
    for (var c = 0u; c < maxComponents; c++) {
        scratch[at + 4u + c] = u32(predictions[c]);
    }
    scratch[at + 8u] = u32(isDamaged);
}

// beginLane begins with what an invocation knows.
fn beginLane(index: u32, number: u32) {
    begin(index);
    lane = number;
    intervals = (units + job.unitsEach - 1u) / job.unitsEach;
    dataAt = 4u * (job.ends + intervals);
    load();
}

// entropy goes on with the coefficients of a picture.
@compute @workgroup_size(lanes)
fn entropy(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = groupNumber(id, count);
    if index >= arrayLength(&jobs) {
        return;
    }
    beginLane(index, local);
    enterInterval();
    for (var round = 0u; round < roundsPerStep && interval < intervals && !isDamaged; round++) {
        takeCoefficient();
    }
    save();
}

// conclude says what became of a picture.
@compute @workgroup_size(lanes)
fn conclude(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = groupNumber(id, count) * lanes + local;
    if index >= arrayLength(&jobs) {
        return;
    }
    var status = done;
    for (var l = 0u; l < lanes; l++) {
        beginLane(index, l);
        if isDamaged || turn * lanes + l < intervals {
            status = damaged;
        }
    }
    output[index] = status;
}

// ---- The inverse transform, which equals libjpeg's accurate one

const constantBits = 13u; // binary places of constants; what columns are transformed to has two
const columnShift = 11u;
const rowShift = 18u;

const fix0_298631336 = 2446;
const fix0_390180644 = 3196;
const fix0_541196100 = 4433;
const fix0_765366865 = 6270;
const fix0_899976223 = 7373;
const fix1_175875602 = 9633;
const fix1_501321110 = 12299;
const fix1_847759065 = 15137;
const fix1_961570560 = 16069;
const fix2_053119869 = 16819;
const fix2_562915447 = 20995;
const fix3_072711026 = 25172;

// A line is a row or a column: its first four numbers and the others.
struct Line {
    low: vec4<i32>,
    high: vec4<i32>,
}

// signed16 returns the number that the lower 16 bits are.
fn signed16(bits: i32) -> i32 {
    return (bits << 16u) >> 16u;
}

// transformLine transforms a line of numbers of 16 bits. Sums of two of them wrap, as on the cores.
fn transformLine(v: Line) -> Line {
    let v0 = v.low.x;
    let v1 = v.low.y;
    let v2 = v.low.z;
    let v3 = v.low.w;
    let v4 = v.high.x;
    let v5 = v.high.y;
    let v6 = v.high.z;
    let v7 = v.high.w;
    let middle = (v0 + v4) << constantBits;
    let swing = (v0 - v4) << constantBits;
    let even2 = v2 * fix0_541196100 + v6 * (fix0_541196100 - fix1_847759065);
    let even3 = v2 * (fix0_541196100 + fix0_765366865) + v6 * fix0_541196100;
    let even = vec4<i32>(middle + even3, swing + even2, swing - even2, middle - even3);

    let z3 = signed16(v7 + v3);
    let z4 = signed16(v1 + v5);
    let w3 = z3 * (fix1_175875602 - fix1_961570560) + z4 * fix1_175875602;
    let w4 = z3 * fix1_175875602 + z4 * (fix1_175875602 - fix0_390180644);
    let odd = vec4<i32>(
        v1 * (fix1_501321110 - fix0_899976223) - v7 * fix0_899976223 + w4,
        v3 * (fix3_072711026 - fix2_562915447) - v5 * fix2_562915447 + w3,
        v5 * (fix2_053119869 - fix2_562915447) - v3 * fix2_562915447 + w4,
        v7 * (fix0_298631336 - fix0_899976223) - v1 * fix0_899976223 + w3,
    );
    return Line(even + odd, (even - odd).wzyx);
}

// rounded returns numbers without some binary places.
fn rounded(numbers: vec4<i32>, places: u32) -> vec4<i32> {
    return (numbers + vec4<i32>(1i << (places - 1u))) >> vec4<u32>(places);
}

// saturated returns numbers of 16 bits, of which the closest are taken.
fn saturated(numbers: vec4<i32>) -> vec4<i32> {
    return clamp(numbers, vec4<i32>(-32768), vec4<i32>(32767));
}

// samplesOf returns four samples in a word.
fn samplesOf(numbers: vec4<i32>) -> u32 {
    let s = vec4<u32>(clamp(rounded(numbers, rowShift) + vec4<i32>(128), vec4<i32>(0), vec4<i32>(255)));
    return s.x | (s.y << 8u) | (s.z << 16u) | (s.w << 24u);
}

// pair returns the halves of a word as signed numbers.
fn pair(word: u32) -> vec2<i32> {
    return vec2<i32>(i32(word << 16u), i32(word)) >> vec2<u32>(16u);
}

// word returns the word of two numbers.
fn word(low: i32, high: i32) -> u32 {
    return (u32(low) & 0xFFFFu) | (u32(high) << 16u);
}

// transformColumns transforms two columns of a block in place, whose coefficients share words.
fn transformColumns(first: u32) {
    var left: Line;
    var right: Line;
    for (var y = 0u; y < 4u; y++) {
        let low = pair(scratch[first + 4u * y]);
        let high = pair(scratch[first + 4u * y + 16u]);
        left.low[y] = low.x;
        left.high[y] = high.x;
        right.low[y] = low.y;
        right.high[y] = high.y;
    }
    left = transformColumn(left);
    right = transformColumn(right);
    for (var y = 0u; y < 4u; y++) {
        scratch[first + 4u * y] = word(left.low[y], right.low[y]);
        scratch[first + 4u * y + 16u] = word(left.high[y], right.high[y]);
    }
}

fn transformColumn(column: Line) -> Line {
    let made = transformLine(column);
    return Line(saturated(rounded(made.low, columnShift)), saturated(rounded(made.high, columnShift)));
}

// transformRow transforms a row of a block to samples.
fn transformRow(first: u32, to: u32) {
    let a = pair(scratch[first]);
    let b = pair(scratch[first + 1u]);
    let c = pair(scratch[first + 2u]);
    let d = pair(scratch[first + 3u]);
    let made = transformLine(Line(vec4<i32>(a, b), vec4<i32>(c, d)));
    output[to] = samplesOf(made.low);
    output[to + 1u] = samplesOf(made.high);
}

// columns transforms the columns of a picture's blocks.
@compute @workgroup_size(lanes)
fn columns(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let group = groupNumber(id, count);
    let index = group / transformGroups;
    if index >= arrayLength(&jobs) || output[index] != done {
        return;
    }
    begin(index);
    let pairs = 4u * units * blocksOfUnit;
    let blocksAt = job.scratch + lanes * stateWords;
    for (var i = group % transformGroups * lanes + local; i < pairs; i += transformGroups * lanes) {
        transformColumns(blocksAt + i / 4u * blockWords + i % 4u);
    }
}

// rows transforms the rows of a picture's blocks, and writes the samples of each component row by row.
@compute @workgroup_size(lanes)
fn rows(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let group = groupNumber(id, count);
    let index = group / transformGroups;
    if index >= arrayLength(&jobs) || output[index] != done {
        return;
    }
    begin(index);
    let all = 8u * units * blocksOfUnit;
    let blocksAt = job.scratch + lanes * stateWords;
    for (var i = group % transformGroups * lanes + local; i < all; i += transformGroups * lanes) {
        transformRow(blocksAt + 4u * i, job.output + rowAt(i / 8u, i % 8u));
    }
}

// rowAt returns the word of the output where a row of a block goes.
fn rowAt(number: u32, y: u32) -> u32 {
    var first = 0u; // block of the component
    var c = 0u;
    while c + 1u < job.components && number >= first + units * blocksWide(c) * blocksHigh(c) {
        first += units * blocksWide(c) * blocksHigh(c);
        c += 1u;
    }
    let wide = job.unitsWide * blocksWide(c);
    let row = 8u * ((number - first) / wide) + y;
    return 16u * first + 2u * (row * wide + (number - first) % wide);
}
