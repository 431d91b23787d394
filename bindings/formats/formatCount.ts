// Writes counts: numbers with commas between thousands, and nouns that fit them. `toLocaleString` is not used,
// because its first call takes 50 ms.

/** Formats a number with commas between thousands, and with up to three decimals: `1,234,567` or `0.5`. */
export function formatCount(value: number): string {
  const rounded = Number.isInteger(value) ? value : Number(value.toFixed(3));
  return String(rounded).replace(/^-?\d+/, whole => whole.replace(/\B(?=(?:\d{3})+$)/g, ','));
}

/** Returns the noun, in the plural unless the count is 1: `meshes` for 2 and `mesh`. */
export const nounFor = (count: number, noun: string): string =>
  count === 1 ? noun : `${noun}${/(s|sh)$/.test(noun) ? 'es' : 's'}`;
