// Tests TypeScript's error messages for invalid calls in an application: each message must name the mistake,
// and not only say that no overload matches.

import ts from 'typescript';
import * as assert from 'uvu/assert';
import { root } from '../support/pages.js';
import { test } from '../support/test.js';

/** Invalid calls, each with a pattern that TypeScript's message must match. */
const mistakes: readonly [name: string, call: string, message: RegExp][] = [
  [
    'an unknown kind of result',
    "engine.query(a, b, { want: 'bool' })",
    /^Type '"bool"' is not assignable to type '.*"segments".*'/,
  ],
  [
    'a transform instead of options',
    'engine.query(a, b, matrix)',
    /^Type 'Float64Array<ArrayBuffer>' has no properties in common with type 'AnyQueryOptions'/,
  ],
  [
    'a misspelled option',
    'engine.query(a, b, { tranformB: matrix })',
    /'tranformB' does not exist in type 'AnyQueryOptions'|did you mean to write 'transformB'/,
  ],
  [
    'a transform of the wrong kind',
    "engine.query(a, b, { transformB: 'identity' })",
    /^Type 'string' is not assignable to type 'Transform/,
  ],
  [
    'an unknown kind of near pairs',
    "engine.query(a, b, { clearance: 1, want: 'near' })",
    /^Type '"near"' is not assignable to type '.*"segments".*'/,
  ],
  [
    'a clearance that is not a number',
    "engine.query(a, b, { clearance: '1 mm' })",
    /^Type 'string' is not assignable to type 'number'/,
  ],
  [
    'an unknown kind of result for many pairs',
    "engine.queryMany({ pairs: [], want: 'bits' })",
    /^Type '"bits"' is not assignable to type '.*"bitset".*'/,
  ],
  [
    'a misspelled option for many pairs',
    'engine.queryMany({ pair: [] })',
    /'pair' does not exist in type 'AnyQueryManyOptions'|did you mean to write 'pairs'/,
  ],
  [
    'an unknown kind of result of an asynchronous query',
    "engine.async.query(a, b, { want: 'bool' })",
    /^Type '"bool"' is not assignable to type '.*"segments".*'/,
  ],
  [
    'a method of a module that was left out',
    "createEngine({ modules: ['scenes'] }).then((few) => few.distance(a, b))",
    /^Property 'distance' does not exist on type 'Engine<"scenes">'/,
  ],
  [
    'a misspelled option of a sweep',
    'engine.sweep(a, b, { fromm: matrix })',
    /'fromm' does not exist in type|did you mean to write 'from/,
  ],
];

const file = `${root}test/package/application.ts`;
const application = [
  "import { createEngine, type Engine, type Mesh } from '../../dist/index.js';",
  'declare const engine: Engine, a: Mesh, b: Mesh, matrix: Float64Array<ArrayBuffer>;',
  'createEngine({ modules: ["continuous"] }).then((few) => few.sweep(a, b) ?? few.boxPairs(new Float32Array(6)));',
  'export const wanted = (want: "any" | "pairs" | "segments") => engine.query(a, b, { want });',
  ...mistakes.map(([, call]) => `${call};`),
].join('\n');

function diagnose(): Map<number, string> {
  const options: ts.CompilerOptions = {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, application, ...(rest as [ts.ScriptTarget]))
      : getSourceFile(name, ...rest);
  host.fileExists = name => name === file || fileExists(name);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file)!;
  const lineOf = ({ start }: ts.Diagnostic): number => source.getLineAndCharacterOfPosition(start!).line;
  return new Map(
    program
      .getSemanticDiagnostics(source)
      .map(diagnostic => [lineOf(diagnostic), deepest(diagnostic.messageText)]),
  );
}

// Returns the first message of a chain that is not about overloads: this message names the mistake.
function deepest(message: string | ts.DiagnosticMessageChain): string {
  if (typeof message === 'string') return message;
  const [next] = message.next ?? [];
  return next && /overload/i.test(message.messageText) ? deepest(next) : message.messageText;
}

let found: Map<number, string>;
test.before(() => {
  found = diagnose();
});

test('methods of a module and of the modules that it needs exist', () => assert.is(found.get(2), undefined));

test('options whose `want` is known only at run time have correct types', () =>
  assert.is(found.get(3), undefined));

mistakes.forEach(([name, , expected], i) =>
  test(`the error names ${name}`, () => assert.match(found.get(4 + i) ?? 'no error', expected)),
);

test.run();
