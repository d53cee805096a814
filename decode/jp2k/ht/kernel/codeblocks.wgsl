// The kernel of code-blocks of HTJ2K: a job is one of them, and gives its samples. It has the words of package
// ht. Its Go twin in package kerneltest has the same functions and the same names.
//
// An invocation decodes the quads of a whole block, and another one which samples significance propagation
// adds: both are one chain of bits. A workgroup decodes the magnitudes of a block, row by row of quads.
// Stuffed bits are not in the input.
//
// Each step ends soon, whatever the input is: no block has more than 820 pairs of quads.

const lanes = 16u; // code-blocks of a workgroup, where an invocation decodes one
const sharing = 32u; // invocations of a workgroup that shares a code-block

var<private> job: Job;
var<private> columns: u32; // of quads
var<private> rows: u32;
var<private> across: u32; // groups beside each other
var<private> stripes: u32; // groups in a column

fn begin(index: u32) {
    job = jobs[index];
    columns = (job.width + 1u) / 2u;
    rows = (job.height + 1u) / 2u;
    across = (columns + 1u) / 2u;
    stripes = (rows + 1u) / 2u;
}

// ---- The memory of a job: its quads, then fields of groups

// quadAt returns the index of a quad. Around the quads are empty ones.
fn quadAt(column: u32, row: u32) -> u32 {
    return job.scratch + (row + 1u) * (columns + 1u) + column + 1u;
}

// The fields of groups, if the block has more than the cleanup pass. A group is a pair of quads and the pair
// below it. It has a bit for each sample, column by column.
const knownField = 0u; // significant samples
const freshField = 1u; // those of them that the second pass adds, and above them their signs, one behind the other
const refinedField = 2u; // the position of the first bit that the third pass gives

// groupAt returns the index of a group in a field. Around the groups are empty ones.
fn groupAt(field: u32, group: u32, stripe: u32) -> u32 {
    let fields = quadAt(0u, rows);
    return fields + field * ((across + 1u) * (stripes + 2u) + 1u) + (across + 1u) * (stripe + 1u) + group + 1u;
}

// ---- Streams

// The streams of a block, as the input numbers them.
const melStream = 0u;
const vlcStream = 1u;
const magSgnStream = 2u;
const sigPropStream = 3u;
const magRefStream = 4u;
const headerWords = 5u;

const onesFollow = 0xFFFFFFFFu;

// Stream is the words of a stream, and what follows them.
struct Stream {
    first: u32,
    end: u32,
    filling: u32,
}

// streamOf returns a stream of the job.
fn streamOf(number: u32, filling: u32) -> Stream {
    var first = headerWords;
    if number > 0u {
        first = input[job.input + number - 1u];
    }
    return Stream(job.input + first, job.input + input[job.input + number], filling);
}

// bitsAt returns the 32 bits at a position of a stream, the first one lowest.
fn bitsAt(stream: Stream, position: u32) -> u32 {
    let at = stream.first + position / 32u;
    let shift = position % 32u;
    return (wordAt(stream, at) >> shift) | ((wordAt(stream, at + 1u) << (31u - shift)) << 1u);
}

fn wordAt(stream: Stream, at: u32) -> u32 {
    if at >= stream.end {
        return stream.filling;
    }
    return input[at];
}

// ---- Quads

// The bits of a quad: rho, e_1, e_k, and u, or U at last.
const onesBit = 4u;
const knownBit = 8u;
const upperBit = 16u;
const quadMask = 0xFFFu; // without u

// The other bits of an entry of codes, which has those of a quad, too.
const lengthBit = 12u;
const lengthMask = 7u;
const hasUBit = 15u;

// The table of codes, with two entries in a word. They are indexed by whether the row is not the first, by the
// context, and by the next bits. Invocations cannot index a constant, so they share a copy.
const codeWords = 1024u;
var<workgroup> entries: array<u32, codeWords>;

const contextBit = 7u;
const codewordMask = 127u;
const otherRow = 1024u;

// leftContext is what the left neighbor gives to the context, if the row is not the first.
const leftContext = 2u;

var<private> vlc: Stream;
var<private> mel: Stream;

var<private> vlcPosition: u32; // of the next bit of VLC
var<private> left: u32; // what the last quad gives to the context of the next one

var<private> melPosition: u32;
var<private> melState: u32;
var<private> zeros: u32; // events that are left of the run: so many times 0
var<private> ones: u32; // and so many times 1 after these

// loadEntries makes the copy. The invocations of a workgroup share the work.
fn loadEntries(lane: u32) {
    var table = codes;
    for (var i = lane; i < codeWords; i += lanes) {
        entries[i] = table[i];
    }
}

// decodeQuads decodes the quads of a code-block. Workgroups are small: batches have fewer code-blocks than a
// device has places, and the more share a workgroup, the longer each waits for others.
@compute @workgroup_size(lanes)
fn decodeQuads(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    loadEntries(local);
    workgroupBarrier();
    let index = groupNumber(id, count) * lanes + local;
    if index >= arrayLength(&jobs) {
        return;
    }
    begin(index);
    vlc = streamOf(vlcStream, 0u);
    mel = streamOf(melStream, onesFollow);
    for (var row = 0u; row < rows; row++) {
        left = 0u;
        for (var column = 0u; column < columns; column += 2u) {
            decodePair(column, row);
        }
    }
}

// decodePair decodes a pair of quads, which has at most 30 bits.
fn decodePair(column: u32, row: u32) {
    var coded = bitsAt(vlc, vlcPosition);
    var first = 0u; // entries
    var second = 0u;
    for (var half = 0u; half < 2u && column + half < columns; half++) {
        let entry = entryOf(column + half, row, coded);
        let length = (entry >> lengthBit) & lengthMask;
        coded >>= length;
        vlcPosition += length;
        if half == 0u {
            first = entry;
        } else {
            second = entry;
        }
    }
    let u = takeU((first >> hasUBit) != 0u, (second >> hasUBit) != 0u, row == 0u, coded);
    scratch[quadAt(column, row)] = (first & quadMask) | (u.x << upperBit);
    if column + 1u < columns {
        scratch[quadAt(column + 1u, row)] = (second & quadMask) | (u.y << upperBit);
    }
}

// entryOf returns the entry of a quad that the bits begin with. Where no neighbor is significant, an event says
// whether there is a codeword at all.
fn entryOf(column: u32, row: u32, coded: u32) -> u32 {
    let context = left | contextFromAbove(column, row);
    var isCoded = context != 0u;
    if !isCoded {
        isCoded = nextEvent() != 0u;
    }
    var entry = 0u;
    if isCoded {
        let index = (otherRow * min(row, 1u)) | (context << contextBit) | (coded & codewordMask);
        entry = (entries[index / 2u] >> (16u * (index % 2u))) & 0xFFFFu;
    }
    let inFirstRow = ((entry >> 1u) & 7u) | (entry & 1u);
    let inOtherRows = (((entry >> 2u) | (entry >> 3u)) & 1u) * leftContext;
    left = select(inOtherRows, inFirstRow, row == 0u);
    return entry;
}

// contextFromAbove returns the bits of a context that the row above gives.
fn contextFromAbove(column: u32, row: u32) -> u32 {
    let at = quadAt(column, row - 1u);
    let before = scratch[at - 1u];
    let above = scratch[at];
    let behind = scratch[at + 1u];
    return (((above >> 1u) | (before >> 3u)) & 1u) | ((((above >> 3u) | (behind >> 1u)) & 1u) << 2u);
}

// Prefix is the first part of a coded u. A suffix is added to it.
struct Prefix {
    length: u32,
    suffixLength: u32,
    value: u32,
}

// prefixOf returns the prefix that the bits begin with.
fn prefixOf(coded: u32) -> Prefix {
    switch countTrailingZeros(coded) {
        case 0u: {
            return Prefix(1u, 0u, 1u);
        }
        case 1u: {
            return Prefix(2u, 0u, 2u);
        }
        case 2u: {
            return Prefix(3u, 1u, 3u);
        }
        default: {
            return Prefix(3u, 5u, 5u);
        }
    }
}

// takeU decodes the u of a pair, of those quads that have one: first both prefixes, then both suffixes. In the
// first row, an event says whether both are larger than 2. If they are not, and the first one is, a single bit
// gives the second.
fn takeU(firstHas: bool, secondHas: bool, isFirstRow: bool, coded: u32) -> vec2<u32> {
    let isPair = isFirstRow && firstHas && secondHas;
    var larger = 0u;
    if isPair {
        larger = 2u * nextEvent();
    }
    var first = Prefix(0u, 0u, 0u);
    if firstHas {
        first = prefixOf(coded);
    }
    var rest = coded >> first.length;
    var second = Prefix(0u, 0u, 0u);
    if isPair && larger == 0u && first.value > 2u {
        second = Prefix(1u, 0u, 1u + (rest & 1u));
    } else if secondHas {
        second = prefixOf(rest);
    }
    rest >>= second.length;
    let firstU = first.value + larger + (rest & ((1u << first.suffixLength) - 1u));
    rest >>= first.suffixLength;
    let secondU = second.value + larger + (rest & ((1u << second.suffixLength) - 1u));
    vlcPosition += first.length + second.length + first.suffixLength + second.suffixLength;
    return vec2<u32>(firstU, secondU);
}

// nextEvent returns the next event of MEL.
fn nextEvent() -> u32 {
    if zeros + ones == 0u {
        takeRun();
    }
    if zeros > 0u {
        zeros -= 1u;
        return 0u;
    }
    ones -= 1u;
    return 1u;
}

const lastState = 12u; // of MEL

// takeRun decodes a run of events 0. It ends with an event 1 unless it is the longest of its state.
fn takeRun() {
    let coded = bitsAt(mel, melPosition);
    let exponent = exponentOf(melState);
    melPosition += 1u;
    if (coded & 1u) != 0u {
        zeros = 1u << exponent;
        melState = min(melState + 1u, lastState);
        return;
    }
    melPosition += exponent;
    zeros = (reverseBits(coded >> 1u) >> 1u) >> (31u - exponent);
    ones = 1u;
    melState = max(melState, 1u) - 1u;
}

// exponentOf returns the base-2 logarithm of the longest run of a state, which has four bits of the number.
fn exponentOf(state: u32) -> u32 {
    return (select(0x54332u, 0x22111000u, state < 8u) >> (4u * (state % 8u))) & 15u;
}

// ---- Significance propagation

// A window is a word with the slots of a group and of the columns beside it: slot 4*column+row, so that the
// group has slots 4 to 19.
const stripeRows = 4u;
const groupMask = 0xFFFFu;
const firstRows = 0x11111111u;
const lastRows = 0x88888888u;
const columnMask = 15u;

var<private> sigProp: Stream;
var<private> sigPropPosition: u32; // of the next bit
var<private> refined: u32; // position of the next bit of MagRef

// propagate decodes which samples the second pass of a code-block adds, and with which signs. It finds where
// the third pass begins in each group.
@compute @workgroup_size(lanes)
fn propagate(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = groupNumber(id, count) * lanes + local;
    if index >= arrayLength(&jobs) || jobs[index].passes < 2u {
        return;
    }
    begin(index);
    gather();
    sigProp = streamOf(sigPropStream, 0u);
    for (var stripe = 0u; stripe < stripes; stripe++) {
        for (var group = 0u; group < across; group++) {
            propagateGroup(group, stripe);
        }
    }
}

// gather collects what the quads say of groups.
fn gather() {
    for (var stripe = 0u; stripe < stripes; stripe++) {
        for (var group = 0u; group < across; group++) {
            scratch[groupAt(knownField, group, stripe)] = inQuads(group, stripe) & inside(group, stripe);
        }
    }
}

// inQuads returns the significant samples of the four quads of a group.
fn inQuads(group: u32, stripe: u32) -> u32 {
    var known = 0u;
    for (var i = 0u; i < 4u; i++) {
        let column = 2u * group + i / 2u;
        let row = 2u * stripe + i % 2u;
        if column < columns && row < rows {
            let rho = scratch[quadAt(column, row)];
            known |= ((rho & 3u) | ((rho & 12u) << 2u)) << (8u * (i / 2u) + 2u * (i % 2u));
        }
    }
    return known;
}

// inside returns the samples of a group that are in the block.
fn inside(group: u32, stripe: u32) -> u32 {
    let right = min(job.width - 4u * group, 4u);
    let bottom = min(job.height - stripeRows * stripe, stripeRows);
    return (firstRows * ((1u << bottom) - 1u)) & ((1u << (stripeRows * right)) - 1u);
}

// windowOf returns the window of a group.
fn windowOf(group: u32, stripe: u32) -> u32 {
    let at = groupAt(knownField, group, stripe);
    return (scratch[at - 1u] >> 12u) | (scratch[at] << 4u) | (scratch[at + 1u] << 20u);
}

// near returns the samples of a group that have significant ones around them.
fn near(group: u32, stripe: u32) -> u32 {
    let own = windowOf(group, stripe);
    var all = own | ((own << 1u) & ~firstRows) | ((own >> 1u) & ~lastRows) | ((windowOf(group, stripe - 1u) >> 3u) & firstRows);
    if job.isCausal == 0u {
        all |= (windowOf(group, stripe + 1u) << 3u) & lastRows;
    }
    return ((all | (all << stripeRows) | (all >> stripeRows)) >> stripeRows) & groupMask;
}

// propagateGroup decodes which samples of a group are added, and then their signs. That takes at most 32 bits.
fn propagateGroup(group: u32, stripe: u32) {
    let at = groupAt(knownField, group, stripe);
    let known = scratch[at];
    scratch[groupAt(refinedField, group, stripe)] = refined;
    refined += countOneBits(known);
    let candidates = inside(group, stripe) & ~known;
    var open = near(group, stripe) & candidates;
    if open == 0u {
        return;
    }
    var coded = bitsAt(sigProp, sigPropPosition);
    var fresh = 0u;
    while open != 0u {
        let slot = firstTrailingBit(open);
        open &= open - 1u;
        if (coded & 1u) != 0u {
            fresh |= 1u << slot;
            open |= following(slot) & candidates;
        }
        coded >>= 1u;
        sigPropPosition += 1u;
    }
    sigPropPosition += countOneBits(fresh);
    scratch[at] = known | fresh;
    scratch[groupAt(freshField, group, stripe)] = fresh | (coded << 16u);
}

// following returns the slots that are beside one and come after it: one in its column, three in the next.
fn following(slot: u32) -> u32 {
    let row = slot % stripeRows;
    return (((2u << row) & columnMask) | ((((7u << row) >> 1u) & columnMask) << stripeRows)) << (slot - row);
}

// ---- Magnitudes

const maxColumns = 512u; // of quads in a row
const withEmpty = maxColumns + 2u; // and an empty one on each side

// The lengths of the numbers of the lower samples of quads in the row above, eight bits each. They predict the
// length of the samples below them.
var<workgroup> exponents: array<u32, withEmpty>;
var<workgroup> sums: array<array<u32, sharing>, 2>;

var<private> magSgn: Stream;
var<private> magRef: Stream;
var<private> firstColumn: u32; // of the span of the invocation
var<private> endColumn: u32;
var<private> isDamaged: bool;

// decodeMagnitudes decodes the samples of a code-block, row by row of quads. Each invocation has a span of each
// row.
@compute @workgroup_size(sharing)
fn decodeMagnitudes(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = groupNumber(id, count);
    if index >= arrayLength(&jobs) {
        return;
    }
    begin(index);
    magSgn = streamOf(magSgnStream, onesFollow);
    magRef = streamOf(magRefStream, 0u);
    beginSpan(local);
    var position = 0u; // of the first bit of a row
    let end = (jobs[index].height + 1u) / 2u;
    for (var row = 0u; row < end; row++) {
        let length = predictSpan(row);
        let before = sumBefore(local, length);
        decodeSpan(row, position + before);
        position += sums[0][sharing - 1u];
        workgroupBarrier(); // the numbers of this row predict those of the next one
    }
    if local == 0u {
        output[index] = done;
    }
    storageBarrier();
    if isDamaged {
        output[index] = damaged;
    }
}

// beginSpan finds the columns of an invocation.
fn beginSpan(lane: u32) {
    let size = (columns + sharing - 1u) / sharing;
    firstColumn = min(lane * size, columns);
    endColumn = min((lane + 1u) * size, columns);
}

// sumBefore returns the sum of the lengths of all invocations before this one. That of all of them is in
// sums afterwards.
fn sumBefore(lane: u32, length: u32) -> u32 {
    var sum = length; // of ever more invocations, of which this one is the last
    var turn = 1u;
    for (var distance = 1u; distance < sharing; distance *= 2u) {
        sums[turn][lane] = sum;
        workgroupBarrier();
        if lane >= distance {
            sum += sums[turn][lane - distance];
        }
        turn = 1u - turn;
    }
    sums[turn][lane] = sum;
    workgroupBarrier();
    return sum - length;
}

// predictSpan finds the U of the quads of the span. It returns the length of their numbers.
fn predictSpan(row: u32) -> u32 {
    var length = 0u;
    for (var column = firstColumn; column < endColumn; column++) {
        let at = quadAt(column, row);
        let quad = scratch[at] + (prediction(scratch[at], column) << upperBit);
        if (quad >> upperBit) > job.bound {
            isDamaged = true;
        }
        scratch[at] = quad;
        for (var i = 0u; i < 4u; i++) {
            length += lengthOf(quad, i);
        }
    }
    return length;
}

// prediction returns the predicted exponent of a quad. It is one less than the length of the longest of the
// four numbers above, if more than one sample of the quad is significant, and at least 1.
fn prediction(quad: u32, column: u32) -> u32 {
    let above = exponents[column + 1u];
    let longest = max(max(exponents[column] >> 8u, above & 255u), max(above >> 8u, exponents[column + 2u] & 255u));
    return select(max(longest, 2u) - 1u, 1u, countOneBits(quad & 15u) < 2u);
}

// lengthOf returns how many bits of a sample are in the stream.
fn lengthOf(quad: u32, i: u32) -> u32 {
    return (((quad >> upperBit) - ((quad >> (knownBit + i)) & 1u)) & 31u) * ((quad >> i) & 1u);
}

// decodeSpan decodes the samples of the span, whose numbers begin at a position.
fn decodeSpan(row: u32, start: u32) {
    var position = start;
    for (var column = firstColumn; column < endColumn; column++) {
        let quad = scratch[quadAt(column, row)];
        var values = vec4<u32>();
        var numbers = vec4<u32>();
        for (var i = 0u; i < 4u; i++) {
            let length = lengthOf(quad, i);
            let coded = (bitsAt(magSgn, position) & ((1u << length) - 1u)) | (((quad >> (onesBit + i)) & 1u) << length);
            position += length;
            if ((quad >> i) & 1u) != 0u {
                numbers[i] = coded | 1u;
                values[i] = withSign((numbers[i] + 2u) << job.plane, coded & 1u);
            }
        }
        exponents[column + 1u] = lengthOfNumber(numbers.y) | (lengthOfNumber(numbers.w) << 8u);
        if job.passes > 1u {
            values = refine(column, row, values);
        }
        store(column, row, values);
    }
}

fn lengthOfNumber(number: u32) -> u32 {
    return 32u - countLeadingZeros(number);
}

// withSign returns a value, or its negative.
fn withSign(value: u32, isNegative: u32) -> u32 {
    return (value ^ (0u - isNegative)) + isNegative;
}

// refine adds to the samples of a quad what the other passes say of them.
fn refine(column: u32, row: u32, cleaned: vec4<u32>) -> vec4<u32> {
    var values = cleaned;
    let group = column / 2u;
    let stripe = row / 2u;
    let added = scratch[groupAt(freshField, group, stripe)];
    let signs = added >> 16u;
    let fresh = added & groupMask;
    let found = scratch[groupAt(knownField, group, stripe)] & ~fresh;
    let coded = bitsAt(magRef, scratch[groupAt(refinedField, group, stripe)]);
    let half = 1u << (job.plane - 1u);
    for (var i = 0u; i < 4u; i++) {
        let slot = 8u * (column % 2u) + 4u * (i / 2u) + 2u * (row % 2u) + i % 2u;
        let before = (1u << slot) - 1u;
        if ((fresh >> slot) & 1u) != 0u {
            values[i] = withSign(3u * half, (signs >> countOneBits(fresh & before)) & 1u);
        } else if job.passes > 2u && ((found >> slot) & 1u) != 0u {
            let isLess = (~coded >> countOneBits(found & before)) & 1u;
            values[i] += withSign(half, isLess ^ (values[i] >> 31u));
        }
    }
    return values;
}

// store writes the samples of a quad.
fn store(column: u32, row: u32, values: vec4<u32>) {
    let x = 2u * column;
    for (var i = 0u; i < 2u; i++) {
        let y = 2u * row + i;
        if y >= job.height {
            continue;
        }
        let at = y * job.width + x;
        let first = select(values.x, values.y, i == 1u);
        let second = select(values.z, values.w, i == 1u);
        if job.isShort != 0u {
            output[job.output + at / 2u] = (first & 0xFFFFu) | (second << 16u);
            if isLong(first) || isLong(second) {
                isDamaged = true; // no sound block has such samples
            }
            continue;
        }
        output[job.output + at] = first;
        if x + 1u < job.width {
            output[job.output + at + 1u] = second;
        }
    }
}

// isLong reports whether a value has more than 16 bits.
fn isLong(value: u32) -> bool {
    return value + 0x8000u > 0xFFFFu;
}

// ---- The codes, as kernel.go declares them
