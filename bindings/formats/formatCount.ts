// Writes numbers with commas between thousands. `toLocaleString` would do, but its first call takes 50 ms.

/** Formats a number with commas between thousands, and with up to three decimals: `1,234,567` or `0.5`. */
export function formatCount(value: number): string {
  const rounded = Number.isInteger(value) ? value : Number(value.toFixed(3));
  return String(rounded).replace(/^-?\d+/, whole => whole.replace(/\B(?=(?:\d{3})+$)/g, ','));
}
