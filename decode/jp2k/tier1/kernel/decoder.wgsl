// The decoder of code-blocks of JPEG 2000, for kernels. An invocation decodes one of them, symbol by symbol,
// with the contexts of package tier1. Its Go twin in package kerneltest has the same functions and the same
// names. A kernel begins each invocation of a workgroup with makeStates and a barrier.
//
// A group is six columns of a stripe. A window is a word with the slots of a group and of the columns
// beside it: slot 4*column+row, so that the group has slots 4 to 27. Three windows have all neighbors of
// the coefficients of a group: that of its own rows, and what lies above and below each of them.
//
// Invocations of a workgroup run in lockstep, so one waits where another does something else. They decode
// in rounds: a round enters a group if the one before is done, and takes a few symbols. Between steps an
// invocation keeps what it knows in scratch memory.
//
// Each step ends soon, whatever the input is: a round has few symbols.

// ---- The code-block

// Block is a code-block: where its input and its memory begin, and how it is coded.
struct Block {
    input: u32,
    scratch: u32,
    width: u32,
    height: u32,
    orientation: u32,
    style: u32,
    bitPlanes: u32,
    passes: u32,
    segments: u32,
}

// The bits of a style.
const bypass = 1u;
const resetContexts = 2u;
const verticallyCausal = 8u;
const segmentationSymbols = 32u;

// The orientations whose contexts differ from those of LL and LH.
const orientationHL = 1u;
const orientationHH = 3u;

const lanes = 16u; // code-blocks of a workgroup
const roundsPerStep = 2048u;

// A group has 7 symbols in a pass of a typical lossless block, but others have 0 or 30. With 6 in a round,
// invocations wait least for each other, be it long or short to enter a group.
const symbolsPerRound = 6u;

var<private> block: Block;
var<private> columns: u32; // of groups
var<private> stripes: u32;

// begin makes a code-block the one that the functions below are about.
fn begin(next: Block) {
    block = next;
    columns = (block.width + groupColumns - 1u) / groupColumns;
    stripes = (block.height + stripeRows - 1u) / stripeRows;
}

// ---- The codeword: 16 bits at a time

var<private> segment: u32; // how many codewords have begun
var<private> until: u32; // the number of the first pass after the codeword
var<private> position: u32; // of the next 16 bits in the input of the block
var<private> end: u32; // of the codeword
var<private> isRaw: bool;

// The arithmetic decoder compares the upper 16 bits of interval and code. A few bits of code below these
// were read ahead.
var<private> interval: u32;
var<private> code: u32;
var<private> ahead: u32;

const half = 0x80000000u; // the minimum of an interval

// beginCodeword begins the next codeword. The input says of each how many passes end with it, and how many
// words it has.
fn beginCodeword() {
    if segment == 0u {
        end = 4u * block.segments;
    }
    let header = block.input + 2u * segment;
    segment += 1u;
    until = input[header];
    position = end;
    end += 2u * input[header + 1u];
    interval = half;
    code = 0u;
    ahead = 0u;
    drop(select(15u, 16u, isRaw));
}

// drop goes on in the code by up to 16 bits.
fn drop(bits: u32) {
    var rest = bits;
    if rest >= ahead {
        code = (code << ahead) | next16();
        rest -= ahead;
        ahead = 16u;
    }
    code <<= rest;
    ahead -= rest;
}

// next16 returns the next 16 bits of the codeword. Ones follow its end.
fn next16() -> u32 {
    let at = position;
    position += 1u;
    if at >= end {
        return 0xFFFFu;
    }
    let bytes = input[block.input + at / 2u] >> (16u * (at % 2u));
    return ((bytes & 0xFFu) << 8u) | ((bytes >> 8u) & 0xFFu);
}

// ---- Contexts

const signContext = 9u;
const magnitudeContext = 14u;
const runContext = 17u;
const uniformContext = 18u;
const contextCount = 19u;

const contextMask = 31u;
const flippedBit = 7u; // marks a sign context whose symbol is inverted

// A state of a context is the width of the interval of the less probable symbol (LPS) in the upper 16 bits,
// the numbers of the states that follow the more probable symbol (MPS) and the LPS, and the MPS. Its number
// is twice the row of the standard's table, and the MPS.
const afterMPS = 9u; // the position of seven bits
const afterLPS = 2u;
const stateMask = 127u;

const rows = 47u;
const stateCount = 2u * rows;
var<workgroup> states: array<u32, stateCount>;
var<workgroup> contexts: array<array<u32, lanes>, contextCount>; // by lane
var<private> lane: u32; // the number of the invocation in its workgroup

// The standard's table of probabilities: the width of the LPS, the rows that follow the MPS and the LPS, and
// whether an LPS switches the MPS.
const estimates = array<vec4<u32>, rows>(
    vec4<u32>(0x5601u, 1u, 1u, 1u), vec4<u32>(0x3401u, 2u, 6u, 0u), vec4<u32>(0x1801u, 3u, 9u, 0u), vec4<u32>(0x0AC1u, 4u, 12u, 0u),
    vec4<u32>(0x0521u, 5u, 29u, 0u), vec4<u32>(0x0221u, 38u, 33u, 0u), vec4<u32>(0x5601u, 7u, 6u, 1u), vec4<u32>(0x5401u, 8u, 14u, 0u),
    vec4<u32>(0x4801u, 9u, 14u, 0u), vec4<u32>(0x3801u, 10u, 14u, 0u), vec4<u32>(0x3001u, 11u, 17u, 0u), vec4<u32>(0x2401u, 12u, 18u, 0u),
    vec4<u32>(0x1C01u, 13u, 20u, 0u), vec4<u32>(0x1601u, 29u, 21u, 0u), vec4<u32>(0x5601u, 15u, 14u, 1u), vec4<u32>(0x5401u, 16u, 14u, 0u),
    vec4<u32>(0x5101u, 17u, 15u, 0u), vec4<u32>(0x4801u, 18u, 16u, 0u), vec4<u32>(0x3801u, 19u, 17u, 0u), vec4<u32>(0x3401u, 20u, 18u, 0u),
    vec4<u32>(0x3001u, 21u, 19u, 0u), vec4<u32>(0x2801u, 22u, 19u, 0u), vec4<u32>(0x2401u, 23u, 20u, 0u), vec4<u32>(0x2201u, 24u, 21u, 0u),
    vec4<u32>(0x1C01u, 25u, 22u, 0u), vec4<u32>(0x1801u, 26u, 23u, 0u), vec4<u32>(0x1601u, 27u, 24u, 0u), vec4<u32>(0x1401u, 28u, 25u, 0u),
    vec4<u32>(0x1201u, 29u, 26u, 0u), vec4<u32>(0x1101u, 30u, 27u, 0u), vec4<u32>(0x0AC1u, 31u, 28u, 0u), vec4<u32>(0x09C1u, 32u, 29u, 0u),
    vec4<u32>(0x08A1u, 33u, 30u, 0u), vec4<u32>(0x0521u, 34u, 31u, 0u), vec4<u32>(0x0441u, 35u, 32u, 0u), vec4<u32>(0x02A1u, 36u, 33u, 0u),
    vec4<u32>(0x0221u, 37u, 34u, 0u), vec4<u32>(0x0141u, 38u, 35u, 0u), vec4<u32>(0x0111u, 39u, 36u, 0u), vec4<u32>(0x0085u, 40u, 37u, 0u),
    vec4<u32>(0x0049u, 41u, 38u, 0u), vec4<u32>(0x0025u, 42u, 39u, 0u), vec4<u32>(0x0015u, 43u, 40u, 0u), vec4<u32>(0x0009u, 44u, 41u, 0u),
    vec4<u32>(0x0005u, 45u, 42u, 0u), vec4<u32>(0x0001u, 45u, 43u, 0u), vec4<u32>(0x5601u, 46u, 46u, 0u),
);

// makeStates makes the table of states. The invocations of a workgroup share the work.
fn makeStates() {
    var table = estimates;
    for (var number = lane; number < stateCount; number += lanes) {
        let row = table[number / 2u];
        let mps = number % 2u;
        states[number] = (row.x << 16u) | ((2u * row.y + mps) << afterMPS) | ((2u * row.z + (mps ^ row.w)) << afterLPS) | mps;
    }
}

// beginContexts sets all contexts to their initial states.
fn beginContexts() {
    for (var context = 0u; context < contextCount; context++) {
        contexts[context][lane] = states[0];
    }
    contexts[0][lane] = states[8];
    contexts[runContext][lane] = states[6];
    contexts[uniformContext][lane] = states[92];
}

// nextSymbol decodes a symbol in a context, or a raw bit.
fn nextSymbol(context: u32) -> u32 {
    var symbol = code >> 31u;
    var bits = 1u;
    if !isRaw {
        let state = contexts[context & contextMask][lane];
        let lps = state & 0xFFFF0000u;
        interval -= lps;
        let isLower = code < lps;
        let isLPS = isLower != (interval < lps);
        if isLower {
            interval = lps;
        } else {
            code -= lps;
        }
        bits = countLeadingZeros(interval);
        if bits > 0u { // the state changes only when the interval became too narrow
            interval <<= bits;
            contexts[context & contextMask][lane] = states[(state >> select(afterMPS, afterLPS, isLPS)) & stateMask];
        }
        symbol = (state ^ u32(isLPS) ^ (context >> flippedBit)) & 1u;
    }
    drop(bits);
    return symbol;
}

// ---- Windows

const stripeRows = 4u;
const groupColumns = 6u;
const groupSlots = 24u;

const firstRows = 0x11111111u;
const lastRows = 0x88888888u;
const columnMask = 15u;
const sides = 0x101u; // the columns beside a slot, from four slots before it

// Rows has a window of what is known of coefficients, of those above and of those below.
struct Rows {
    above: u32,
    own: u32,
    below: u32,
}

// rowsOf returns the rows of three stripes, of which the second is the group's.
fn rowsOf(above: u32, own: u32, below: u32) -> Rows {
    return Rows(
        ((own << 1u) & ~firstRows) | ((above >> 3u) & firstRows),
        own,
        ((own >> 1u) & ~lastRows) | ((below << 3u) & lastRows),
    );
}

// including returns rows with one coefficient more.
fn including(rows: Rows, slot: u32) -> Rows {
    let only = rowsOf(0u, 1u << slot, 0u);
    return Rows(rows.above | only.above, rows.own | only.own, rows.below | only.below);
}

// neighbors returns the slots beside which, above which or below which something is in rows.
fn neighbors(rows: Rows) -> u32 {
    let all = rows.above | rows.own | rows.below;
    return (all << stripeRows) | (all >> stripeRows) | rows.above | rows.below;
}

// ---- The memory of a block: its state, then fields. A field has a word for each group, with the slots of a
// window, and for a border around the groups.

const registers = 10u;
const stateWords = 29u; // the registers and the contexts

const significantField = 0u;
const negativeField = 1u;
const visitedField = 2u; // in the last significance pass
const refinedField = 3u; // ever
const firstPlane = 4u; // of the values' bits, one field each; a value is twice the coefficient

// fieldOf returns the index of the first word of a field.
fn fieldOf(field: u32) -> u32 {
    return block.scratch + stateWords + field * ((columns + 1u) * (stripes + 2u) + 1u);
}

// recordOf returns the number of a group in each field.
fn recordOf(column: u32, stripe: u32) -> u32 {
    return (columns + 1u) * (stripe + 1u) + column + 1u;
}

// windowOf returns the window of a group.
fn windowOf(group: u32) -> u32 {
    return (scratch[group - 1u] >> groupSlots) | scratch[group] | (scratch[group + 1u] << groupSlots);
}

fn load() {
    segment = scratch[block.scratch];
    until = scratch[block.scratch + 1u];
    position = scratch[block.scratch + 2u];
    end = scratch[block.scratch + 3u];
    interval = scratch[block.scratch + 4u];
    code = scratch[block.scratch + 5u];
    ahead = scratch[block.scratch + 6u];
    passNumber = scratch[block.scratch + 7u];
    stripe = scratch[block.scratch + 8u];
    column = scratch[block.scratch + 9u];
    for (var context = 0u; context < contextCount; context++) {
        contexts[context][lane] = scratch[block.scratch + registers + context];
    }
}

fn save() {
    scratch[block.scratch] = segment;
    scratch[block.scratch + 1u] = until;
    scratch[block.scratch + 2u] = position;
    scratch[block.scratch + 3u] = end;
    scratch[block.scratch + 4u] = interval;
    scratch[block.scratch + 5u] = code;
    scratch[block.scratch + 6u] = ahead;
    scratch[block.scratch + 7u] = passNumber;
    scratch[block.scratch + 8u] = stripe;
    scratch[block.scratch + 9u] = column;
    for (var context = 0u; context < contextCount; context++) {
        scratch[block.scratch + registers + context] = contexts[context][lane];
    }
}

// ---- Passes

const significance = 0u;
const refinement = 1u;
const cleanup = 2u;

const firstRawPass = 10u;

const segmentationSymbol = 10u;

// What a symbol says.
const sayZero = 0u; // whether a coefficient stays insignificant
const saySign = 1u;
const sayMagnitude = 2u;
const sayRun = 3u; // whether a column of four stays insignificant
const sayHighRow = 4u; // which one of the column does not: two bits
const sayLowRow = 5u;
const saySegment = 6u; // a bit of the segmentation symbol

// Where the invocation is. Behind the last stripe is what follows a pass.
var<private> passNumber: u32;
var<private> kind: u32; // of the pass
var<private> stripe: u32;
var<private> column: u32; // of groups
var<private> isDamaged: bool;

// What it knows of the group.
var<private> significant: Rows;
var<private> negative: Rows;
var<private> inside: u32; // the slots of coefficients
var<private> visited: u32;
var<private> refined: u32;

// What it does there.
var<private> left: u32; // slots to code
var<private> quiet: u32; // slots of the first row that stand for their columns
var<private> ones: u32; // slots of which the pass decoded a 1
var<private> expected: u32; // what the next symbol says
var<private> number: u32; // what symbols spell

// enter begins a group, or what follows the last one.
fn enter() {
    kind = (passNumber + cleanup) % 3u;
    isRaw = (block.style & bypass) != 0u && passNumber >= firstRawPass && kind != cleanup;
    if stripe == 0u && column == 0u {
        beginPass();
    }
    ones = 0u;
    quiet = 0u;
    number = 0u;
    expected = sayZero;
    if stripe < stripes {
        enterGroup();
    } else if kind == cleanup && (block.style & segmentationSymbols) != 0u {
        left = columnMask << stripeRows;
        expected = saySegment;
    }
}

fn beginPass() {
    if passNumber == 0u || (block.style & resetContexts) != 0u {
        beginContexts();
    }
    if passNumber == until {
        beginCodeword();
    }
}

fn enterGroup() {
    let record = recordOf(column, stripe);
    let own = fieldOf(significantField) + record;
    let signs = fieldOf(negativeField) + record;
    let isCausal = (block.style & verticallyCausal) != 0u;
    let above = columns + 1u; // records from a stripe to the next
    significant = rowsOf(windowOf(own - above), windowOf(own), select(windowOf(own + above), 0u, isCausal));
    negative = rowsOf(scratch[signs - above], windowOf(signs), select(scratch[signs + above], 0u, isCausal));
    visited = scratch[fieldOf(visitedField) + record];
    refined = scratch[fieldOf(refinedField) + record];
    let bottom = min(block.height - stripe * stripeRows, stripeRows);
    let right = min(block.width - column * groupColumns, groupColumns);
    inside = (firstRows * ((1u << bottom) - 1u)) & (((1u << (right * stripeRows)) - 1u) << stripeRows);

    left = inside & ~significant.own;
    let withNeighbors = neighbors(significant);
    switch kind {
        case significance: {
            left &= withNeighbors;
            visited = left;
        }
        case refinement: {
            left = inside & significant.own & ~visited;
            expected = sayMagnitude;
        }
        default: {
            left &= ~visited;
            quiet = quietColumns(withNeighbors);
            left &= ~(quiet * (columnMask - 1u));
        }
    }
}

// quietColumns returns the columns with four rows, and nothing significant in them and around them: the slot
// of the first row of each.
fn quietColumns(withNeighbors: u32) -> u32 {
    var loud = withNeighbors | significant.own | ~inside;
    loud |= loud >> 1u;
    loud |= loud >> 2u;
    return ~loud & firstRows;
}

// takeSymbol decodes a symbol of the first slot that is left.
fn takeSymbol() {
    let slot = firstTrailingBit(left);
    if expected == sayZero && ((quiet >> slot) & 1u) != 0u {
        expected = sayRun;
    }
    let symbol = nextSymbol(contextOf(slot));
    var isCoded = true; // nothing more is to be said of the slot
    switch expected {
        case sayZero: {
            isCoded = symbol == 0u;
            expected = select(saySign, sayZero, isCoded);
        }
        case saySign: {
            found(slot, symbol);
            expected = sayZero;
        }
        case sayMagnitude: {
            ones |= symbol << slot;
        }
        case sayRun: {
            isCoded = symbol == 0u;
            expected = select(sayHighRow, sayZero, isCoded);
        }
        case sayHighRow: {
            number = symbol << 1u;
            isCoded = false;
            expected = sayLowRow;
        }
        case sayLowRow: {
            left = (left | (columnMask << slot)) & ~((1u << (slot + number + symbol)) - 1u);
            isCoded = false;
            expected = saySign;
        }
        default: {
            number = (number << 1u) | symbol;
        }
    }
    if isCoded {
        left &= left - 1u;
    }
}

// contextOf returns the context of a slot.
fn contextOf(slot: u32) -> u32 {
    switch expected {
        case saySign: {
            return signContextOf(slot);
        }
        case sayRun: {
            return runContext;
        }
        case sayHighRow, sayLowRow, saySegment: {
            return uniformContext;
        }
        default: {
            return neighborContextOf(slot);
        }
    }
}

// neighborContextOf returns the context of a magnitude, or of whether a coefficient becomes significant.
fn neighborContextOf(slot: u32) -> u32 {
    let first = slot - stripeRows; // of the column before
    let above = significant.above >> first;
    let below = significant.below >> first;
    let horizontal = countOneBits((significant.own >> first) & sides);
    let vertical = ((above >> stripeRows) & 1u) + ((below >> stripeRows) & 1u);
    let diagonal = countOneBits(above & sides) + countOneBits(below & sides);
    if expected == sayMagnitude {
        return magnitudeContext + select(min(horizontal + vertical + diagonal, 1u), 2u, ((refined >> slot) & 1u) != 0u);
    }
    if block.orientation == orientationHH {
        return diagonalZeroContext(diagonal, horizontal + vertical);
    }
    let isHL = block.orientation == orientationHL;
    return straightZeroContext(select(horizontal, vertical, isHL), select(vertical, horizontal, isHL), diagonal);
}

// straightZeroContext returns the context for bands whose edges run in one direction. Neighbors in that
// direction count most.
fn straightZeroContext(along: u32, across: u32, diagonal: u32) -> u32 {
    if along == 2u {
        return 8u;
    }
    if along == 1u {
        return select(5u + min(diagonal, 1u), 7u, across > 0u);
    }
    return select(min(diagonal, 2u), 2u + across, across > 0u);
}

// diagonalZeroContext returns the context for bands whose edges run along the diagonals.
fn diagonalZeroContext(diagonal: u32, straight: u32) -> u32 {
    if diagonal >= 3u {
        return 8u;
    }
    return 3u * diagonal + min(straight, select(2u, 1u, diagonal == 2u));
}

// signContextOf returns the context of a sign.
fn signContextOf(slot: u32) -> u32 {
    let first = slot - stripeRows;
    let horizontal = contribution((significant.own >> first) & sides, negative.own >> first);
    let known = pair(significant.above >> slot, significant.below >> slot);
    let vertical = contribution(known, pair(negative.above >> slot, negative.below >> slot));
    let sum = 3 * horizontal + vertical;
    return (signContext + u32(abs(sum))) | select(0u, 1u << flippedBit, sum < 0);
}

// pair returns the lowest bits of two masks.
fn pair(first: u32, second: u32) -> u32 {
    return (first & 1u) | ((second & 1u) << 1u);
}

// contribution returns 1 for positive neighbors, -1 for negative ones, and 0 for both or none.
fn contribution(known: u32, negative: u32) -> i32 {
    return select(0, 1, (known & ~negative) != 0u) - select(0, 1, (known & negative) != 0u);
}

// found makes a coefficient significant.
fn found(slot: u32, isNegative: u32) {
    ones |= 1u << slot;
    significant = including(significant, slot);
    if isNegative != 0u {
        negative = including(negative, slot);
    }
    let row = slot % stripeRows;
    let top = slot - row;
    if kind == significance {
        // Neighbors that follow in the scan are coded, too: one in the column, and three in the next.
        let following = (((2u << row) & columnMask) | ((((7u << row) >> 1u) & columnMask) << stripeRows)) << top;
        let more = following & inside & ~significant.own;
        left |= more;
        visited |= more;
    } else {
        let next = quiet & (1u << (top + stripeRows)); // column
        quiet &= ~next;
        left |= next * columnMask;
    }
}

// leave ends a group, or a pass.
fn leave() {
    if stripe == stripes {
        isDamaged = expected == saySegment && number != segmentationSymbol;
        passNumber = select(passNumber + 1u, block.passes, isDamaged);
        stripe = 0u;
        return;
    }
    leaveGroup();
    column += 1u;
    if column == columns {
        column = 0u;
        stripe += 1u;
    }
}

// leaveGroup stores what the pass decoded.
fn leaveGroup() {
    let record = recordOf(column, stripe);
    var coded = ones;
    if kind == refinement {
        coded = inside & significant.own & ~visited;
        scratch[fieldOf(refinedField) + record] = refined | coded;
    } else {
        scratch[fieldOf(significantField) + record] = significant.own & inside;
        scratch[fieldOf(negativeField) + record] = negative.own & inside;
        scratch[fieldOf(visitedField) + record] = visited;
    }
    // The bit that was decoded, and half of what the planes below may hold.
    let plane = block.bitPlanes - 1u - (passNumber + cleanup) / 3u;
    let halves = fieldOf(firstPlane + plane) + record;
    let bits = fieldOf(firstPlane + plane + 1u) + record;
    scratch[halves] |= coded;
    scratch[bits] = (scratch[bits] & ~coded) | ones;
}

// proceed goes on with the passes of the code-block, for some rounds. It returns the status of the block.
fn proceed() -> u32 {
    load();
    // Each round enters a group or takes symbols of it, and a group has few. So it ends soon after the last
    // round.
    for (var round = 0u; passNumber < block.passes && (round < roundsPerStep || left != 0u); round++) {
        if left == 0u {
            enter();
        }
        for (var taken = 0u; taken < symbolsPerRound && left != 0u; taken++) {
            takeSymbol();
        }
        if left == 0u {
            leave();
        }
    }
    if passNumber < block.passes {
        save();
        return notDone;
    }
    return select(done, damaged, isDamaged);
}

// ---- Coefficients

// Columns has the coefficients of a column of a stripe, and of the next column of the group.
struct Columns {
    first: vec4<u32>,
    second: vec4<u32>,
}

// columnsOf returns two columns of a stripe of a decoded block. The second is of use if the first is even.
fn columnsOf(x: u32, stripe: u32) -> Columns {
    let record = recordOf(x / groupColumns, stripe);
    let slot = stripeRows * (x % groupColumns + 1u);
    var first = vec4<u32>();
    var second = vec4<u32>();
    for (var plane = 0u; plane <= block.bitPlanes; plane++) {
        let mask = scratch[fieldOf(firstPlane + plane) + record] >> slot;
        first |= bitsOf(mask) << vec4<u32>(plane);
        second |= bitsOf(mask >> stripeRows) << vec4<u32>(plane);
    }
    let signs = scratch[fieldOf(negativeField) + record] >> slot;
    return Columns(withSigns(first, bitsOf(signs)), withSigns(second, bitsOf(signs >> stripeRows)));
}

// withSigns returns the coefficients of values.
fn withSigns(values: vec4<u32>, isNegative: vec4<u32>) -> vec4<u32> {
    return (values ^ (vec4<u32>() - isNegative)) + isNegative;
}

// bitsOf returns the lowest bits of a mask, one in each component.
fn bitsOf(mask: u32) -> vec4<u32> {
    return vec4<u32>(mask, mask >> 1u, mask >> 2u, mask >> 3u) & vec4<u32>(1u);
}
