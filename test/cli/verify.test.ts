// Tests `pfront clash --certify`, which writes a certificate of its result, and `pfront verify`, which checks
// a certificate. Certificates must be valid and list the pairs that brute force finds. Changed certificates
// and certificates of other models must be refused.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import {
  CertificateFailed,
  readCertificate,
  writeCertificate,
} from '../../dist/cli/certificate/certificateFile.js';
import { verify } from '../../dist/cli/verify.js';
import { writeGlb } from '../../dist/cli/writeGlb.js';
import { readParts } from '../../dist/formats/readParts.js';
import { box, createRandom, rotation, sphere, torus, translation } from '../../dist/samples/index.js';
import { beam, ifc } from '../formats/smallIfc.js';
import { trianglePairs } from '../oracle/bruteForce.js';
import { test } from '../support/test.js';
import { all, folder as boxFolder, clash, MAIN } from './clashSupport.js';

const folder = mkdtempSync(join(tmpdir(), 'verify-'));
test.after(() => {
  rmSync(folder, { recursive: true });
  rmSync(boxFolder, { recursive: true });
});

const random = createRandom(31);
const shapes = [box(), torus(60), sphere(40)];
const axes = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0.6, 0.8],
] as const;
/** Parts in a row: most touch only their neighbors, one is far away, and two have the same name. */
const parts = Array.from({ length: 9 }, (_, i) => ({
  name: i === 5 ? 'part 4' : `part ${i}`,
  ...shapes[i % 3]!,
  transform:
    i === 8
      ? translation([40, 0, 0])
      : rotation(axes[i % 3]!, random.between(0, 6), [
          0.9 * i,
          random.between(0, 0.3),
          random.between(0, 0.2),
        ]),
}));
const row = file('row.glb', writeGlb(parts));
const certificate = join(folder, 'row.json');

function file(name: string, content: Uint8Array | string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

function pfront(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

function certify(path: string, ...args: string[]) {
  const { status, stdout, stderr } = clash(...args, '--certify', path, '--json');
  assert.is(status, 0, stderr);
  return JSON.parse(stdout);
}

const report = certify(certificate, row);

/**
 * Runs `pfront verify` in this process. Returns the exit code and the output; if it throws, returns 2 and the
 * error's code and message.
 */
async function check(...args: string[]): Promise<{ status: number; text: string }> {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line: string) => lines.push(line);
  try {
    const status = await verify(args);
    return { status, text: lines.join('\n') };
  } catch (error) {
    const { code, message, fix } = error as { code?: string; message: string; fix?: string };
    assert.ok(fix, `${code}: ${message}`);
    return { status: 2, text: `${code}: ${message}` };
  } finally {
    console.log = log;
  }
}

test('the certificate of a search is valid, and its pairs are those of the oracle', async () => {
  const { status, stdout, stderr } = pfront('verify', certificate);
  assert.is(status, 0, stderr);
  assert.is(stderr, '');
  assert.match(
    stdout,
    /^valid: \d+ of the 36 pairs of parts share a point, in \d+ triangle pairs; no others do\.\n[\d,]+ triangles of row\.glb; [\d,]+ steps: [\d,]+ box pairs apart, [\d,]+ triangle pairs apart, [\d,]+ sharing a point\n$/,
  );
  const read = await readParts(row);
  const expected = read.flatMap((a, i) =>
    read.slice(i + 1).flatMap((b, k) => {
      const pairs = trianglePairs(a, a.transform, b, b.transform);
      return pairs.length > 0 ? [[i, i + 1 + k, pairs] as const] : [];
    }),
  );
  const { clashes } = await readCertificate(certificate);
  assert.equal(
    clashes.map(({ a, b, pairs }) => [a, b, Array.from(pairs.a, (x, i) => [x, pairs.b[i]!])]),
    expected,
  );
  assert.ok(expected.length > 4 && expected.length < 20, `${expected.length} clashes`);
});

test('--json lists the pairs of parts that share a point, as the search does', async () => {
  const { text } = await check(certificate, row, '--json');
  const { valid, problem, clashes, steps, boxes, common } = JSON.parse(text);
  assert.ok(valid);
  assert.is(problem, '');
  const named = (list: any[]) =>
    list
      .filter(({ trianglePairs: count }) => count > 0)
      .map(({ a, b, nameA, nameB, trianglePairs: count }) => [a, b, nameA, nameB, count]);
  assert.equal(named(clashes), named(report.clashes));
  assert.ok(boxes + common < steps);
  assert.equal(report.certificate.path, certificate);
  assert.is(report.certificate.bytes, readFileSync(certificate).length);
});

test('a certificate does not depend on --threads, --classes or --tolerance', () => {
  const other = join(folder, 'other.json');
  certify(other, row, '--threads', '1', '--classes', 'touch', '--tolerance', '0.2');
  assert.is(readFileSync(other, 'utf8'), readFileSync(certificate, 'utf8'));
});

test('a certificate stores the files and options that determine the parts, and is checked against them', async () => {
  const path = join(folder, 'boxes.json');
  certify(path, all, row, '--units', 'mm', '--up', 'z', '--split', 'components');
  assert.equal((await readCertificate(path)).model, {
    files: ['all.obj', 'row.glb'],
    units: 'mm',
    up: 'z',
    split: 'components',
  });
  const { status, text } = await check(path, all, row);
  assert.is(status, 0, text);
  assert.match(text, /all\.obj, row\.glb \(--units mm --up z --split components\)/);
  for (const [key, value] of [
    ['units', 'in'],
    ['up', undefined],
    ['split', undefined],
  ] as const) {
    const content = JSON.parse(readFileSync(path, 'utf8'));
    content.model[key] = value;
    const forged = await check(file('option.json', JSON.stringify(content)), all, row);
    if (key === 'split') assert.is(forged.status, 0, 'each part is one component');
    else assert.match(forged.text, /^not valid: the certificate is about another model/);
  }
  assert.match(
    (await check(path, all)).text,
    /names 2 files \(all\.obj, row\.glb\), but the command line names 1/,
  );
  assert.match((await check(path)).text, /^InvalidFile: all\.obj: does not exist/);
  certify(path, row, row);
  assert.match((await check(path)).text, /^UsageError: .* several files with the same name/);
  assert.is((await check(path, row, row)).status, 0);
});

test('models without a clash, and models of one part, have valid certificates', async () => {
  const path = join(folder, 'few.json');
  for (const [used, expected] of [
    [[parts[0]!, parts[8]!], 'valid: no two of the 2 parts share a point.'],
    [[parts[1]!], 'valid: there is only one part.'],
  ] as const) {
    certify(path, file('few.glb', writeGlb([...used])));
    const { status, text } = await check(path);
    assert.is(status, 0, text);
    assert.ok(text.startsWith(expected), text);
  }
});

test('elements that could not be read are not covered, and the exit code is 4', async () => {
  const beams = ifc([
    beam('First', [0, 0, 0], [2, 2, 2]),
    beam('Second', [1, 0, 0], [1, 1, 1]),
    beam('Third', [1.5, 0, 0], [1, 1, 1]),
  ]).replace(/(?<=#206=.*),1\.\);/, ",'deep');");
  const path = join(folder, 'corrupt.json');
  assert.is(clash(file('corrupt.ifc', beams), '--certify', path).status, 4);
  const { status, text } = await check(path);
  assert.match(
    text,
    /^valid: 1 of the 1 pair of parts shares a point.*\n.*\nnot covered: 1 element that could not be read$/,
  );
  assert.is(status, 4);
  const { unread } = JSON.parse((await check(path, '--json')).text);
  assert.equal(
    unread.map(({ name }: any) => name),
    ['IfcBeam Second'],
  );
  const content = JSON.parse(readFileSync(path, 'utf8'));
  content.clashes = [];
  const forged = await check(file('forged.json', JSON.stringify(content)), join(folder, 'corrupt.ifc'));
  assert.is(forged.status, 1, 'exit code 1 (not valid) takes precedence over 4');
});

test('--certify is refused with --clearance, for a path without .json, and if the file cannot be written or would be too large', async () => {
  const refused = (expected: RegExp, ...args: string[]) => {
    const { status, stderr } = clash(row, ...args);
    assert.is(status, 2);
    assert.match(stderr, expected);
  };
  refused(/--certify cannot be combined with --clearance/, '--certify', certificate, '--clearance', '1');
  refused(/--certify row\.obj does not end in \.json/, '--certify', 'row.obj');
  refused(/cannot be written .*\nfix: Give a path/, '--certify', join(folder, 'no', 'row.json'));
  const certified = await readCertificate(certificate);
  const path = join(folder, 'large.json');
  for (const size of [1000, readFileSync(certificate).length - 1]) {
    const failed = await writeCertificate(path, certified, size).catch(error => error);
    assert.instance(failed, CertificateFailed);
    assert.match(failed.message, /would be larger than/);
  }
  // Encoded as base64, these steps would be longer than the max length of a JavaScript string.
  const steps = new Uint8Array(500e6);
  const long = { ...certified, certificate: { ...certified.certificate, steps } };
  assert.instance(await writeCertificate(path, long).catch(error => error), CertificateFailed);
  assert.equal(
    readdirSync(folder).filter(name => name.startsWith('large') || name.startsWith('.pfront')),
    [],
  );
});

// The command may load only its own modules, `pfront/verify`, the file readers, and three small modules of
// core.
test('pfront verify loads no code of the engine', () => {
  const root = fileURLToPath(new URL('../../dist/', import.meta.url));
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(path, 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
    for (const [, name] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.js)'/g))
      visit(fileURLToPath(new URL(name!, `file://${path}`)));
  };
  visit(join(root, 'cli/verify.js'));
  const folders = new Set([...seen].map(path => path.slice(root.length).split('/')[0]!));
  assert.equal([...folders].sort(), ['cli', 'core', 'formats', 'verify']);
  assert.ok(seen.has(join(root, 'verify/verify.js')));
  const core = [...seen].filter(path => path.includes('/core/')).map(path => path.split('/').at(-1));
  // Readers of files use these; none of them finds or rules out an intersection.
  assert.equal(core.sort(), [
    'errors.js',
    'floatRange.js',
    'transform.js',
    'vectorLength.js',
    'weldPositions.js',
  ]);
  assert.not.match(readFileSync(join(root, 'verify/verify.js'), 'utf8'), /^import/m);
});

type Content = any;
const content: Content = JSON.parse(readFileSync(certificate, 'utf8'));
const numbersOf = (text: string): number[] => {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(4 * i));
};
const textOf = (numbers: number[]): string =>
  Buffer.from(new Uint8Array(Uint32Array.from(numbers).buffer)).toString('base64');
const stepsOf = (forged: Content): number[] => [...Buffer.from(forged.steps, 'base64')];
const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)]!;
const keysOf = (steps: number[], isWanted: (step: number) => boolean): number[] =>
  [...steps.keys()].filter(i => isWanted(steps[i]!));

/**
 * Two parts a and b whose triangles the certificate divides, because it does not prove that the boxes of the
 * parts are apart. The indices of the steps of this pair are at least `from` and less than `to`.
 */
interface PairSteps {
  a: number;
  b: number;
  from: number;
  to: number;
}

/**
 * Replays the steps of a certificate. The steps divide the list of parts into groups, until the boxes of two
 * groups are apart or both groups are single parts. The triangles of these two parts are then divided in the
 * same way. Returns the pairs of parts whose triangles are divided.
 */
function pairSteps(forged: Content): PairSteps[] {
  const steps = stepsOf(forged);
  const order = numbersOf(forged.partOrder);
  const counts: number[] = forged.parts.map(({ triangles }: Content) => triangles);
  const found: PairSteps[] = [];
  let at = 0;
  const divide = (countA: number, countB: number, isLeaf: (lowA: number, lowB: number) => void) => {
    const read = (lowA: number, highA: number, lowB: number, highB: number): void => {
      const step = steps[at++]!;
      const [middleA, middleB] = [(lowA + highA) >>> 1, (lowB + highB) >>> 1];
      if (step === 0) {
        read(lowA, middleA, lowB, highB);
        read(middleA, highA, lowB, highB);
      } else if (step === 1) {
        read(lowA, highA, lowB, middleB);
        read(lowA, highA, middleB, highB);
      } else if (step === 2) isLeaf(lowA, lowB);
    };
    const readSelf = (low: number, high: number): void => {
      const middle = (low + high) >>> 1;
      if (high - low < 2) return;
      readSelf(low, middle);
      read(low, middle, middle, high);
      readSelf(middle, high);
    };
    if (countB < 0) readSelf(0, countA);
    else read(0, countA, 0, countB);
  };
  divide(order.length, -1, (lowA, lowB) => {
    const [a, b] = [order[lowA]!, order[lowB]!].sort((x, y) => x - y) as [number, number];
    const from = at - 1;
    divide(counts[a]!, counts[b]!, () => {});
    found.push({ a, b, from, to: at });
  });
  assert.is(at, steps.length);
  return found;
}

function setSteps(forged: Content, steps: number[]): void {
  forged.steps = Buffer.from(steps).toString('base64');
}

function changeStep(forged: Content, isWanted: (step: number) => boolean, value: number): void {
  const steps = stepsOf(forged);
  steps[pick(keysOf(steps, isWanted))] = value;
  setSteps(forged, steps);
}

function changePairs(clash: Content, change: (a: number[], b: number[]) => void): void {
  const [a, b] = [numbersOf(clash.trianglesA), numbersOf(clash.trianglesB)];
  change(a, b);
  clash.trianglesA = textOf(a);
  clash.trianglesB = textOf(b);
}

/** Changes to a valid certificate after which it must be refused, each with its description. */
const forgeries: Record<string, (forged: Content) => void> = {
  'a triangle pair is left out': ({ clashes }) =>
    changePairs(pick(clashes), (a, b) => {
      const i = random.below(a.length);
      a.splice(i, 1);
      b.splice(i, 1);
    }),
  'a triangle of a pair is replaced by another': ({ clashes }) =>
    changePairs(pick(clashes), a => {
      a[random.below(a.length)]! ^= 1;
    }),
  'a triangle pair is added': ({ clashes, parts: all }) => {
    const clash = pick<Content>(clashes);
    changePairs(clash, (a, b) => {
      a.push(random.below(all[clash.a].triangles));
      b.push(random.below(all[clash.b].triangles));
    });
  },
  'a clash is left out': ({ clashes }) => clashes.splice(random.below(clashes.length), 1),
  'a clash is left out, and a step says that the boxes of its parts are apart': forged => {
    const { a, b } = pick<Content>(forged.clashes);
    forged.clashes = forged.clashes.filter((clash: Content) => clash.a !== a || clash.b !== b);
    const { from, to } = pairSteps(forged).find(pair => pair.a === a && pair.b === b)!;
    const steps = stepsOf(forged);
    steps.splice(from, to - from, 3 + random.below(6));
    setSteps(forged, steps);
  },
  'a clash is left out, and so are its steps': forged => {
    const { a, b } = pick<Content>(forged.clashes);
    forged.clashes = forged.clashes.filter((clash: Content) => clash.a !== a || clash.b !== b);
    const { from, to } = pairSteps(forged).find(pair => pair.a === a && pair.b === b)!;
    const steps = stepsOf(forged);
    steps.splice(from, to - from);
    setSteps(forged, steps);
  },
  'a clash without triangle pairs is added': forged => {
    const apart = pairSteps(forged).filter(
      ({ a, b }) => !forged.clashes.some((clash: Content) => clash.a === a && clash.b === b),
    );
    const { a, b } = apart.length > 0 ? pick(apart) : { a: 0, b: 8 };
    forged.clashes.push({ a, b, trianglesA: '', trianglesB: '' });
  },
  'a clash is listed twice': ({ clashes }) => clashes.push(pick(clashes)),
  'the parts of a clash are swapped': ({ clashes }) => {
    const clash = pick<Content>(clashes);
    [clash.a, clash.b] = [clash.b, clash.a];
  },
  'a clash names a part that does not exist': ({ clashes, parts: all }) => {
    pick<Content>(clashes).b = all.length;
  },
  'a pair of triangles that share a point is said to be apart': forged =>
    changeStep(forged, step => step === 2, 9 + random.below(38)),
  'triangles that are apart are said to share a point': forged => changeStep(forged, step => step >= 9, 2),
  'a step has no meaning': forged => changeStep(forged, () => true, 47 + random.below(209)),
  'a step is left out': forged => {
    const steps = stepsOf(forged);
    steps.splice(random.below(steps.length), 1);
    setSteps(forged, steps);
  },
  'a step is added at the end': forged => setSteps(forged, [...stepsOf(forged), random.below(47)]),
  'the steps end early': forged =>
    setSteps(forged, stepsOf(forged).slice(0, random.below(content.steps.length / 2))),
  'two parts have swapped orders': forged => {
    // Parts 0 and 1 have different numbers of triangles.
    [forged.parts[0].order, forged.parts[1].order] = [forged.parts[1].order, forged.parts[0].order];
  },
  'a triangle is twice in the order of its part': ({ parts: all }) => {
    const part = pick<Content>(all);
    const order = numbersOf(part.order);
    const i = random.below(order.length);
    order[i] = order[(i + 1) % order.length]!;
    part.order = textOf(order);
  },
  'a part is twice in the order of the parts': forged => {
    const order = numbersOf(forged.partOrder);
    order[random.below(order.length)] = order.length;
    forged.partOrder = textOf(order);
  },
  'a part is left out of the order of the parts': forged => {
    forged.partOrder = textOf(numbersOf(forged.partOrder).slice(1));
  },
  'a part has another name': ({ parts: all }) => {
    pick<Content>(all).name += '!';
  },
  'a part has another number of triangles': ({ parts: all }) => {
    pick<Content>(all).triangles++;
  },
  'a part has another hash': ({ parts: all }) => {
    pick<Content>(all).sha256 = pick<Content>(
      all.filter((part: Content) => part.name === 'part 8'),
    ).sha256.replace(/^./, (digit: string) => (digit === '0' ? '1' : '0'));
  },
  'a part is left out': ({ parts: all }) => all.splice(random.below(all.length), 1),
  'two parts are swapped': ({ parts: all }) => {
    const i = random.below(all.length - 1);
    [all[i], all[i + 1]] = [all[i + 1], all[i]];
  },
};

async function forge(iterations: number): Promise<number> {
  const names = Object.keys(forgeries);
  for (let i = 0; i < iterations; i++) {
    const name = names[i % names.length]!;
    const forged = structuredClone(content);
    forgeries[name]!(forged);
    const { status, text } = await check(file('forged.json', JSON.stringify(forged)), row);
    assert.is(status, 1, `${name}: ${text}`);
    assert.match(text, /^not valid: \S/);
  }
  return iterations;
}

test('100 seeded forgeries of the file are refused', async () => {
  assert.is(await forge(100), 100);
});

test.slow('400 seeded forgeries of the file are refused', async () => {
  assert.is(await forge(400), 400);
});

test.proof('3,000 seeded forgeries of the file are refused', async () => {
  assert.is(await forge(3000), 3000);
});

test('a certificate of another model is refused', async () => {
  const others: Record<string, unknown[]> = {
    'a part far away has moved, and all steps are still valid': [
      ...parts.slice(0, 8),
      { ...parts[8]!, transform: translation([40.000004, 0, 0]) },
    ],
    'a part is missing': parts.slice(0, 8),
    'a part is named differently': [{ ...parts[0]!, name: 'part zero' }, ...parts.slice(1)],
    'a vertex has moved': [
      { ...parts[0]!, positions: parts[0]!.positions.map((x, i) => (i === 0 ? x + 2 ** -20 : x)) },
      ...parts.slice(1),
    ],
  };
  for (const [name, changed] of Object.entries(others)) {
    const { status, text } = await check(certificate, file('other.glb', writeGlb(changed as typeof parts)));
    assert.is(status, 1, name);
    assert.match(text, /^not valid: the certificate is about another model: /);
  }
});

test('a file that is truncated, or has a wrong value, is refused', async () => {
  const whole = readFileSync(certificate, 'utf8').trimEnd();
  for (let i = 0; i < 40; i++) {
    const { status, text } = await check(file('cut.json', whole.slice(0, random.below(whole.length))), row);
    assert.is(status, 2);
    assert.match(text, /^InvalidCertificate: cut\.json: is not JSON/);
  }
  const wrong: [change: (forged: Content) => unknown, expected: RegExp][] = [
    [forged => (forged.format = 'pfront'), /is not a certificate/],
    [forged => (forged.version = 2), /has version "2", but this version of pfront reads only version 1/],
    [forged => delete forged.steps, /the file has no steps/],
    [forged => (forged.note = ''), /the file has "note", which the format does not define/],
    [forged => (forged.steps = 'A*=='), /steps is not base64/],
    [forged => (forged.steps = [2]), /steps is not a string/],
    [forged => (forged.partOrder = 'AAAA'), /partOrder has 3 bytes, not a multiple of 4/],
    [forged => (forged.parts = {}), /parts is not a list/],
    [forged => (forged.parts[1] = null), /parts\[1\] is not an object/],
    [forged => (forged.parts[1].name = 3), /parts\[1\]\.name is not a string/],
    [forged => (forged.parts[1].sha256 = 3), /parts\[1\]\.sha256 is not a string/],
    [forged => (forged.parts[1].triangles = -1), /parts\[1\]\.triangles is not a whole number/],
    [forged => (forged.clashes[0].a = 0.5), /clashes\[0\]\.a is not a whole number/],
    [forged => (forged.clashes[0].c = 1), /clashes\[0\] has "c", which/],
    [forged => (forged.model.files = ['../row.glb']), /model\.files is not a list of at least one file name/],
    [forged => (forged.model.files = []), /model\.files is not a list of at least one file name/],
    [forged => (forged.model.units = 'mile'), /model\.units is not a unit/],
    [forged => (forged.model.up = 'x'), /model\.up is neither y nor z/],
    [forged => (forged.model.split = 'all'), /model\.split is not "components"/],
  ];
  for (const [change, expected] of wrong) {
    const forged = structuredClone(content);
    change(forged);
    const { status, text } = await check(file('wrong.json', JSON.stringify(forged)), row);
    assert.is(status, 2, text);
    assert.match(text, expected);
  }
  for (const text of ['', 'null', '[]', '3', '{}', '{"format":"pfront certificate","version":1}'])
    assert.is((await check(file('wrong.json', text), row)).status, 2);
  assert.match((await check(join(folder, 'none.json'))).text, /none\.json: cannot be read \(ENOENT\)/);
  assert.match((await check()).text, /verify requires a certificate/);
  assert.match((await check(certificate, '--units', 'mm')).text, /UsageError: Unknown option '--units'/);
});

test.run();
