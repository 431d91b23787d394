// Computes the position of each item in a stable sort by one digit: after all items with smaller digits, and
// after earlier items with the same digit. In each round, an invocation processes one item. A round is
// recordDigit, barrier, placeOf, barrier, nextRound, barrier.
// uses: scanGroup

const MASKS = WORKGROUP / 32u;
const DIGITS_EACH = DIGITS / WORKGROUP;

// The next position for each digit.
var<workgroup> places: array<u32, DIGITS>;
// For each digit value, one bit per invocation: set if the invocation's item has this digit in the current
// round.
var<workgroup> masks: array<atomic<u32>, DIGITS * MASKS>;

fn clearMasks(local: u32) {
  for (var word = local; word < DIGITS * MASKS; word += WORKGROUP) { atomicStore(&masks[word], 0u); }
}

// Replaces the counts per digit in `places` by prefix sums. All invocations call it together, with barriers
// around it.
fn scanPlaces(local: u32) {
  var sum = 0u;
  for (var item = 0u; item < DIGITS_EACH; item++) { sum += places[local * DIGITS_EACH + item]; }
  var at = scanGroup(sum, local);
  for (var item = 0u; item < DIGITS_EACH; item++) {
    let digit = local * DIGITS_EACH + item;
    let value = places[digit];
    places[digit] = at;
    at += value;
  }
}

fn recordDigit(digit: u32, local: u32) { atomicOr(&masks[digit * MASKS + local / 32u], 1u << (local & 31u)); }

fn placeOf(digit: u32, local: u32) -> u32 {
  let own = local / 32u;
  var rank = countOneBits(atomicLoad(&masks[digit * MASKS + own]) & ((1u << (local & 31u)) - 1u));
  for (var word = 0u; word < own; word++) { rank += countOneBits(atomicLoad(&masks[digit * MASKS + word])); }
  return places[digit] + rank;
}

fn nextRound(local: u32) {
  for (var digit = local; digit < DIGITS; digit += WORKGROUP) {
    var count = 0u;
    for (var word = 0u; word < MASKS; word++) { count += countOneBits(atomicExchange(&masks[digit * MASKS + word], 0u)); }
    places[digit] += count;
  }
}
