// Runs one test file in its own process and collects the outcome of each test. A test that hangs is ended and
// reported by name, and the tests after it still run.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../bindings/build/paths.mjs';
import { gpuEnvironment } from '../../bindings/build/setUp.mjs';

const entry = fileURLToPath(new URL('file.mjs', import.meta.url));
/** The pipe to which the test file writes its events, one JSON object per line. */
const PIPE = 3;
/** The processes of the test files that are running. They are killed when this process exits. */
const running = new Set();

function end(child) {
  try {
    // Ends the whole process group, including browsers, brokers and commands that the test started.
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    /* The process has already ended. */
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
process.on('exit', () => running.forEach(end));

/**
 * Runs a file. selection: in the form that test/support/test.ts reads. clock: a FairClock. limit: max time of
 * one test, in seconds of the clock. onTest: called with the name of each test that begins. env: additional
 * environment variables. stopsAtFailure: whether the process is ended after the first test that fails.
 * @returns { passed, skipped, failures: [{ name, text }], output, tests: [{ name, seconds, cpuSeconds }] }
 */
export async function runFile(file, selection, options) {
  const result = { passed: 0, skipped: 0, failures: [], output: '', tests: [] };
  for (let from = selection.from ?? 0; from !== undefined; ) {
    const next = await runOnce(file, { ...selection, from }, options, result);
    from = options.stopsAtFailure && result.failures.length > 0 ? undefined : next;
  }
  return result;
}

// Runs the file in one process. A test may end this process, or it may hang and be killed. If tests remain
// after such a test, resolves to the index of the next one. Otherwise, resolves to undefined.
function runOnce(file, selection, { clock, limit, onTest = () => {}, env, stopsAtFailure }, result) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, ['--import', 'tsx', entry, file], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      env: {
        ...process.env,
        ...gpuEnvironment(),
        ...env,
        NO_COLOR: '1',
        PFRONT_TESTS: JSON.stringify(selection),
      },
    });
    running.add(child);
    let chosen;
    let outcomes = 0;
    let now;
    let since = clock.seconds;
    let isEnded = false;
    let startError;
    const handle = event => {
      since = clock.seconds;
      if (event.kind === 'loaded') chosen = event.chosen;
      else if (event.kind === 'began') {
        now = event;
        onTest(event.name);
      } else if (event.kind === 'skipped') result.skipped++;
      else if (event.kind === 'passed') {
        result.passed++;
        outcomes++;
        now = undefined;
        result.tests.push(event);
      } else {
        result.failures.push(event);
        if (now) outcomes++;
        now = undefined;
        if (stopsAtFailure) end(child);
      }
    };
    let line = '';
    child.stdio[PIPE].setEncoding('utf8').on('data', text => {
      const lines = (line + text).split('\n');
      line = lines.pop();
      lines.forEach(text => handle(JSON.parse(text)));
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', text => {
        result.output += text;
      });
    const watch = setInterval(() => {
      if (clock.seconds - since > limit) {
        isEnded = true;
        end(child);
      }
    }, 500);
    child.on('error', error => {
      startError = error;
    });
    child.on('close', (code, signal) => {
      clearInterval(watch);
      running.delete(child);
      end(child); // Ends processes that the file left running.
      const late = `did not end within ${limit} s (seconds of an idle machine)`;
      const stopped = isEnded
        ? late
        : startError
          ? String(startError)
          : `ended its process${signal ? ` by ${signal}` : ` with exit code ${code}`}`;
      if (now)
        // If the process ended by itself, for example by a crash, only its output says why.
        result.failures.push({
          name: now.name,
          text: isEnded ? stopped : `${stopped}\n${lastLines(result.output)}`,
        });
      else if (isEnded)
        result.failures.push({
          name:
            chosen === undefined
              ? 'loading the file'
              : outcomes < chosen
                ? 'between two tests'
                : 'after the last test',
          text: chosen !== undefined && outcomes >= chosen ? `${late}: a handle is still open` : late,
        });
      else if (chosen === undefined)
        result.failures.push({
          name: 'loading the file',
          text: startError ? stopped : lastLines(result.output) || stopped,
        });
      else if (outcomes < chosen && result.failures.length === 0)
        result.failures.push({
          name: 'the tests of the file',
          text: `${chosen - outcomes} of ${chosen} did not run: it ${stopped}\n${lastLines(result.output)}`,
        });
      else if (code !== 0 && result.failures.length === 0)
        result.failures.push({
          name: 'the file',
          text: `all tests passed, but it ${stopped}\n${lastLines(result.output)}`,
        });
      resolve(now && outcomes + 1 < chosen ? now.index + 1 : undefined);
    });
  });
}

const lastLines = text => text.trimEnd().split('\n').slice(-20).join('\n');

/** Returns the name of a test file for commands: its path relative to the checkout, with slashes. */
export const nameOf = file => path.relative(root, file).replaceAll(path.sep, '/');
