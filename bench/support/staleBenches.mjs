// Finds recorded rows that were measured with older code than the present code of their bench.
import { groupBy } from './csv.mjs';
import { publishedRow } from './published.mjs';

/**
 * Returns one line for each bench without rows. For each bench with rows of older code, returns one line per
 * machine, date and commit of these rows. Published rows do not depend on code, so they never count as rows of
 * older code. `hashOf` returns the present hash of a bench's code.
 */
export function staleBenches(names, rows, hashOf) {
  return names.flatMap(name => {
    const own = rows.filter(({ bench }) => bench === name);
    if (own.length === 0) return [`${name}: no rows`];
    const now = hashOf(name);
    const old = own.filter(row => !publishedRow(row) && row.code !== now);
    return [
      ...groupBy(old, ({ machine, commit, date }) => `${machine}, ${date}, commit ${commit || 'unknown'}`),
    ].map(
      ([when, list]) => `${name}: ${list.length} of ${own.length} rows are older than its code (${when})`,
    );
  });
}
