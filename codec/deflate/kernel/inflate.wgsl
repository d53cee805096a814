// The kernel of DEFLATE (RFC 1951): a job is a stream, and gives what that holds. An invocation decompresses
// it. Its Go twin in package kerneltest has the same functions and the same names.
//
// Invocations of a workgroup run in lockstep, so one waits where another does something else. They work in
// rounds, each of which does a little of what the mode says. Between steps an invocation keeps what it
// knows in scratch memory. Whatever is unusual about a stream is left to the cores, which know what of it
// is sound.
//
// Each step ends soon, whatever the input is: a round has a symbol or a few bytes, and reading a header,
// which has some hundred symbols, counts as many rounds.

const lanes = 16u; // streams of a workgroup
const roundsPerStep = 4096u;
const bytesPerRound = 16u;
const roundsOfHeader = 63u; // that a part of a header counts as, beside its own: it takes as long

var<private> job: Job;
var<private> isDamaged: bool;

// ---- The input: bits, the lowest of a byte first

var<private> position: u32; // of the next bit

// wordAt returns a word of the input. Zeros follow its end.
fn wordAt(at: u32) -> u32 {
    if 4u * at >= job.inputBytes {
        return 0u;
    }
    return input[job.input + at];
}

// peek returns the next 32 bits.
fn peek() -> u32 {
    let at = position / 32u;
    let shift = position % 32u;
    let low = wordAt(at) >> shift;
    if shift == 0u {
        return low;
    }
    return low | (wordAt(at + 1u) << (32u - shift));
}

// take takes up to 16 bits.
fn take(count: u32) -> u32 {
    let bits = peek() & ((1u << count) - 1u);
    position += count;
    return bits;
}

// ---- The output

var<private> made: u32; // bytes
var<private> word: u32; // those of them that fill no word yet

// put appends a byte.
fn put(byte: u32) {
    if made >= job.size {
        isDamaged = true;
        return;
    }
    word |= byte << (8u * (made % 4u));
    made += 1u;
    if made % 4u == 0u {
        flush();
    }
}

// flush writes the last word.
fn flush() {
    output[job.output + (made - 1u) / 4u] = word;
    word = 0u;
}

// before returns the byte at a distance back.
fn before(distance: u32) -> u32 {
    let at = made - distance;
    var found = word;
    if at / 4u != made / 4u {
        found = output[job.output + at / 4u];
    }
    return (found >> (8u * (at % 4u))) & 0xFFu;
}

// ---- Codes

// A table has the number of codes of each length, the symbols in the order of their codes, and what follows
// from the next bits: a symbol times 16, and the length of its code. There it has 0 for codes that are longer.
struct Table {
    counts: u32, // places in the scratch memory of the job
    symbols: u32,
    lookup: u32,
    lookupBits: u32,
}

const lengthsAt = 8u; // of the codes for literals, then for distances
const maxLengths = 320u;
const maxBits = 15u;
const literalTable = Table(328u, 344u, 632u, 9u);
const distanceTable = Table(1144u, 1160u, 1192u, 8u); // first that of code lengths
const scratchWords = 1448u; // the end of the last table

// build builds the table for codes of some lengths. Codes must be complete, except that a single distance
// has a code of one bit.
fn build(table: Table, first: u32, count: u32, mayBeSingle: bool) {
    let counts = job.scratch + table.counts;
    let symbols = job.scratch + table.symbols;
    let lookup = job.scratch + table.lookup;
    for (var i = 0u; i <= maxBits; i++) {
        scratch[counts + i] = 0u;
    }
    for (var i = 0u; i < 1u << table.lookupBits; i++) {
        scratch[lookup + i] = 0u;
    }
    for (var i = 0u; i < count; i++) {
        scratch[counts + scratch[job.scratch + first + i]] += 1u;
    }
    let codes = count - scratch[counts];
    scratch[counts] = 0u;

    // next is the first code of a length, and behind it where its symbols begin.
    var next: array<u32, 16>;
    var starts: array<u32, 16>;
    var code = 0u;
    var start = 0u;
    for (var bits = 1u; bits <= maxBits; bits++) {
        code = (code + scratch[counts + bits - 1u]) << 1u;
        next[bits] = code;
        starts[bits] = start;
        start += scratch[counts + bits];
        if code + scratch[counts + bits] > 1u << bits {
            isDamaged = true;
            return;
        }
    }
    let isComplete = code + scratch[counts + maxBits] == 1u << maxBits;
    if !isComplete && !(mayBeSingle && codes <= 1u && codes == scratch[counts + 1u]) {
        isDamaged = true;
        return;
    }
    for (var i = 0u; i < count; i++) {
        let bits = scratch[job.scratch + first + i];
        if bits == 0u {
            continue;
        }
        scratch[symbols + starts[bits]] = i;
        starts[bits] += 1u;
        if bits <= table.lookupBits {
            for (var at = reverseBits(next[bits]) >> (32u - bits); at < 1u << table.lookupBits; at += 1u << bits) {
                scratch[lookup + at] = (i << 4u) | bits;
            }
        }
        next[bits] += 1u;
    }
}

// decode takes a symbol.
fn decode(table: Table) -> u32 {
    let bits = peek();
    let found = scratch[job.scratch + table.lookup + (bits & ((1u << table.lookupBits) - 1u))];
    if found != 0u {
        position += found & 15u;
        return found >> 4u;
    }
    return decodeLong(table, bits);
}

// decodeLong takes a symbol bit by bit: the codes of a length are consecutive numbers.
fn decodeLong(table: Table, bits: u32) -> u32 {
    var code = 0u;
    var first = 0u; // code of the length
    var symbol = job.scratch + table.symbols; // of that code
    for (var length = 1u; length <= maxBits; length++) {
        code |= (bits >> (length - 1u)) & 1u;
        let count = scratch[job.scratch + table.counts + length];
        if code - first < count {
            position += length;
            return scratch[symbol + code - first];
        }
        symbol += count;
        first = (first + count) << 1u;
        code <<= 1u;
    }
    isDamaged = true;
    return 0u;
}

// ---- Blocks

// What an invocation does next.
const atBlock = 0u;
const inStored = 1u;
const atLengths = 2u;
const atTable = 3u;
const inCodes = 4u;
const inMatch = 5u;
const atEnd = 6u;

var<private> mode: u32;
var<private> isFinal: u32; // whether this is the last block
var<private> left: u32; // bytes of a stored block or of a match
var<private> distance: u32; // of the match
var<private> nextTable: u32; // which table is built next
var<private> literals: u32; // codes for literals and lengths
var<private> distances: u32;

const ofLengths = 0u;
const ofLiterals = 1u;
const ofDistances = 2u;

const headerSymbols = 19u;

// beginBlock reads the beginning of a block.
fn beginBlock() {
    isFinal = take(1u);
    switch take(2u) {
        case 0u: {
            position = (position + 7u) / 8u * 8u;
            left = take(16u);
            if take(16u) != (left ^ 0xFFFFu) {
                isDamaged = true;
            }
            mode = inStored;
        }
        case 1u: {
            for (var i = 0u; i < maxLengths; i++) {
                scratch[job.scratch + lengthsAt + i] = fixedLength(i);
            }
            literals = 288u;
            distances = 32u;
            nextTable = ofLiterals;
            mode = atTable;
        }
        case 2u: {
            literals = 257u + take(5u);
            distances = 1u + take(5u);
            readHeaderLengths(4u + take(4u));
            if literals > 286u || distances > 30u {
                isDamaged = true;
            }
            nextTable = ofLengths;
            mode = atTable;
        }
        default: {
            isDamaged = true;
        }
    }
}

// fixedLength returns the length of a fixed code.
fn fixedLength(symbol: u32) -> u32 {
    if symbol < 144u {
        return 8u;
    }
    if symbol < 256u {
        return 9u;
    }
    if symbol < 280u {
        return 7u;
    }
    if symbol < 288u {
        return 8u;
    }
    return 5u; // a distance
}

// readHeaderLengths reads the code that code lengths are coded with. Its lengths come in an order in which
// the last ones are often 0 and left out.
fn readHeaderLengths(count: u32) {
    var order = array<u32, headerSymbols>(16u, 17u, 18u, 0u, 8u, 7u, 9u, 6u, 10u, 5u, 11u, 4u, 12u, 3u, 13u, 2u, 14u, 1u, 15u);
    for (var i = 0u; i < headerSymbols; i++) {
        var length = 0u;
        if i < count {
            length = take(3u);
        }
        scratch[job.scratch + lengthsAt + order[i]] = length;
    }
}

// readLengths reads the lengths of the codes for literals and distances.
fn readLengths() {
    var last = 0u;
    var i = 0u;
    while i < literals + distances && !isDamaged {
        let symbol = decode(distanceTable);
        var repeated = symbol;
        var times = 1u;
        switch symbol {
            case 16u: {
                if i == 0u {
                    isDamaged = true;
                }
                repeated = last;
                times = 3u + take(2u);
            }
            case 17u: {
                repeated = 0u;
                times = 3u + take(3u);
            }
            case 18u: {
                repeated = 0u;
                times = 11u + take(7u);
            }
            default: {}
        }
        if times > literals + distances - i {
            isDamaged = true;
            return;
        }
        for (var end = i + times; i < end; i++) {
            scratch[job.scratch + lengthsAt + i] = repeated;
        }
        last = repeated;
    }
    nextTable = ofLiterals;
    mode = atTable;
}

// buildNext builds one table.
fn buildNext() {
    var table = distanceTable;
    var first = lengthsAt;
    var count = headerSymbols;
    if nextTable == ofLiterals {
        table = literalTable;
        count = literals;
    }
    if nextTable == ofDistances {
        first += literals;
        count = distances;
    }
    build(table, first, count, nextTable == ofDistances);
    switch nextTable {
        case ofLengths: {
            mode = atLengths;
        }
        case ofLiterals: {
            nextTable = ofDistances;
        }
        default: {
            mode = inCodes;
        }
    }
}

// takeSymbol takes a literal, a match or the end of a block.
fn takeSymbol() {
    let symbol = decode(literalTable);
    if symbol < 256u {
        put(symbol);
        return;
    }
    if symbol == 256u {
        endBlock();
        return;
    }
    left = lengthOf(symbol - 257u);
    distance = distanceOf(decode(distanceTable));
    if distance > made {
        isDamaged = true;
    }
    mode = inMatch;
}

// lengthOf returns the length of a match. From the ninth on, four symbols each share a number of extra bits.
fn lengthOf(symbol: u32) -> u32 {
    if symbol < 8u {
        return 3u + symbol;
    }
    if symbol == 28u {
        return 258u;
    }
    if symbol > 28u {
        isDamaged = true;
        return 3u;
    }
    let extra = symbol / 4u - 1u;
    return 3u + ((4u + symbol % 4u) << extra) + take(extra);
}

// distanceOf returns the distance of a match. From the fifth on, two symbols each share a number of extra bits.
fn distanceOf(symbol: u32) -> u32 {
    if symbol < 4u {
        return 1u + symbol;
    }
    if symbol > 29u {
        isDamaged = true;
        return 1u;
    }
    let extra = symbol / 2u - 1u;
    return 1u + ((2u + symbol % 2u) << extra) + take(extra);
}

// endBlock goes on with the next block, if there is one.
fn endBlock() {
    mode = select(atBlock, atEnd, isFinal == 1u);
}

// copyStored copies some bytes of a stored block.
fn copyStored() {
    for (var i = 0u; i < bytesPerRound && left > 0u; i++) {
        put(take(8u));
        left -= 1u;
    }
    if left == 0u {
        endBlock();
    }
}

// copyMatch copies some bytes of a match.
fn copyMatch() {
    for (var i = 0u; i < bytesPerRound && left > 0u; i++) {
        put(before(distance));
        left -= 1u;
    }
    if left == 0u {
        mode = inCodes;
    }
}

// ---- Steps

fn load() {
    let at = job.scratch;
    position = scratch[at];
    made = scratch[at + 1u];
    word = scratch[at + 2u];
    mode = scratch[at + 3u] % 8u;
    isFinal = scratch[at + 3u] / 8u % 2u;
    nextTable = scratch[at + 3u] / 16u;
    left = scratch[at + 4u];
    distance = scratch[at + 5u];
    literals = scratch[at + 6u];
    distances = scratch[at + 7u];
}

fn save() {
    let at = job.scratch;
    scratch[at] = position;
    scratch[at + 1u] = made;
    scratch[at + 2u] = word;
    scratch[at + 3u] = mode + 8u * isFinal + 16u * nextTable;
    scratch[at + 4u] = left;
    scratch[at + 5u] = distance;
    scratch[at + 6u] = literals;
    scratch[at + 7u] = distances;
}

// inflate goes on with a stream.
@compute @workgroup_size(lanes)
fn inflate(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let index = groupNumber(id, count) * lanes + local;
    if index >= arrayLength(&jobs) || output[index] != notDone {
        return;
    }
    job = jobs[index];
    load();
    for (var round = 0u; round < roundsPerStep && mode != atEnd && !isDamaged; round++) {
        switch mode {
            case atBlock: {
                beginBlock();
                round += roundsOfHeader;
            }
            case inStored: {
                copyStored();
            }
            case atLengths: {
                readLengths();
                round += roundsOfHeader;
            }
            case atTable: {
                buildNext();
                round += roundsOfHeader;
            }
            case inCodes: {
                takeSymbol();
            }
            default: {
                copyMatch();
            }
        }
        if position > 8u * job.inputBytes {
            isDamaged = true;
        }
    }
    conclude(index);
}

// conclude says what became of a stream.
fn conclude(index: u32) {
    if isDamaged {
        output[index] = damaged;
        return;
    }
    if mode != atEnd {
        save();
        return;
    }
    if made != job.size {
        output[index] = damaged;
        return;
    }
    if made % 4u != 0u {
        flush();
    }
    output[job.output + (job.size + 3u) / 4u] = (position + 7u) / 8u; // behind the data
    output[index] = done;
}
