// Formats the result of a test run: a line and notes for each suite, each failure with a command that repeats
// the test, the slowest tests, and a line of counts.

const indent = text =>
  text
    .trimEnd()
    .split('\n')
    .map(line => `    ${line}`)
    .join('\n');
const quoted = name => `"${name.replace(/(["\\$`])/g, '\\$1')}"`;

/** Returns the notes that tests print: lines that begin with 'skipped:' or 'counted:'. */
const notesOf = output =>
  [...output.matchAll(/^(?:• )*((?:skipped|counted): .*)$/gm)].map(([, line]) => `  ${line}`);

export function suiteLines(suite, results, seconds) {
  const { passed, failed, skipped } = countsOf(results);
  const head = `${suite}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''} in ${seconds.toFixed(1)} s`;
  return [head, ...results.flatMap(({ output }) => notesOf(output))].join('\n');
}

export function countsOf(results) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failures, skipped } of results) {
    total.passed += passed;
    total.failed += failures.length;
    total.skipped += skipped;
  }
  return total;
}

// Matches the names that runFile.mjs and test/support/test.ts give to failures outside of tests.
const OUTSIDE =
  /^(loading the file|between two tests|(before|after) (the (first|last)|a) test|the tests of the file|the file)$/;

// Returns the command that repeats a failure. The option -g selects a test by its name. For a failure outside
// of tests, the command runs the whole file.
const commandFor = (file, name) => `npm test -- ${file}${OUTSIDE.test(name) ? '' : ` -g ${quoted(name)}`}`;

/** Formats one block per failure. @returns the blocks, or undefined if nothing failed */
export function failureLines(results) {
  const blocks = results.flatMap(({ name: file, failures }) =>
    failures.map(({ name, text }) =>
      [`FAIL ${file}: ${name}`, indent(text), `  run it alone: ${commandFor(file, name)}`].join('\n'),
    ),
  );
  return blocks.length > 0 ? `\n${blocks.join('\n\n')}\n` : undefined;
}

export function slowestLines(results, count = 1500) {
  const tests = results
    .flatMap(({ name: file, tests }) => tests.map(test => ({ ...test, file })))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count);
  return [
    'Slowest tests (seconds, CPU seconds):',
    ...tests.map(
      ({ file, name, seconds, cpuSeconds }) =>
        `${seconds.toFixed(1).padStart(8)} ${cpuSeconds.toFixed(1).padStart(8)}  ${file}: ${name}`,
    ),
  ].join('\n');
}

export const countLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
