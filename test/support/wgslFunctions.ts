// Translates functions of the WGSL files of gpu/ to JavaScript, so that tests evaluate the shaders' own text.
// The JavaScript builds expressions with the class Float of hostileFloats.ts. The package wgsl_reflect parses
// WGSL. The interpreter of this package is not used, because it computes in doubles, rounded to nearest.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
// @ts-ignore: the package declares types only for its main entry, and Node cannot load this entry.
import { WgslParser } from 'wgsl_reflect/wgsl_reflect.module.js';
import { Float, type HostileDevice, input, node } from './hostileFloats.js';

type Tree = any;
/** A value of WGSL: a Float, an integer, a bool, a vector or an array of values, or a struct. */
type Value = any;
/** A deliberate mistake to make in a WGSL file: the text `from` is replaced by `to`. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}
/** What a test observes while functions run. */
export interface Observer {
  /** Called before a function runs. */
  call?(name: string, args: Value[]): void;
  /** Called for each comparison of two floats in a function. */
  compare?(name: string, operator: string, left: Float, right: Float): void;
}
export interface WgslModule {
  /** The functions by name. */
  functions: Record<string, (...args: Value[]) => Value>;
  /** The variables of the module, such as `params` and buffers. Tests assign them before they call functions. */
  globals: Record<string, Value>;
  /** Sets the device that decides comparisons, and the observer. */
  start(device: HostileDevice, observer: Observer): void;
}

const folder = fileURLToPath(new URL('../../gpu', import.meta.url));
const paths = new Map(
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.wgsl'))
    .map(name => [path.parse(name).name, path.join(folder, name)]),
);

export function readWgsl(file: string): string {
  const from = paths.get(file);
  if (!from) throw new Error(`no folder of gpu has a ${file}.wgsl`);
  return readFileSync(from, 'utf8');
}

// The parser reads hexadecimal floats as 0, so they are replaced by decimal floats of the same value.
const withDecimals = (text: string): string =>
  text.replace(/\b0x([\da-f]+)p([+-]?\d+)(f?)/gi, (_, digits, power, suffix) => {
    const value = String(Number.parseInt(digits, 16) * 2 ** Number(power));
    return `${/[.e]/.test(value) ? value : `${value}.0`}${suffix}`;
  });

function edited(text: string, { file, from, to }: Edit): string {
  const pieces = text.split(from);
  if (pieces.length !== 2)
    throw new Error(`${file}.wgsl: ${from} occurs ${pieces.length - 1} times, but must occur once`);
  return pieces.join(to);
}

/**
 * names: the functions to translate. By default, these are all functions except the entry points. constants:
 * the constants that the build would generate. edits: mistakes to introduce. more: WGSL to add to the files.
 */
export interface Choice {
  names?: readonly string[];
  constants?: Record<string, number>;
  edits?: readonly Edit[];
  more?: string;
}

/** Translates the functions of some files. files: names without the extension. */
export function translateWgsl(
  files: readonly string[],
  { names, constants = {}, edits = [], more = '' }: Choice = {},
): WgslModule {
  for (const { file } of edits) if (!files.includes(file)) throw new Error(`${file} is not among ${files}`);
  const text = files
    .map(file => edits.filter(edit => edit.file === file).reduce(edited, readWgsl(file)))
    .concat(more)
    .join('\n');
  const trees: Tree[] = new WgslParser().parse(withDecimals(text));
  const run = new Runtime();
  const translator = new Translator(trees);
  const wanted = trees.filter(
    tree => tree.astNodeType === 'function' && (names?.includes(tree.name) ?? !hasStage(tree)),
  );
  const missing = names?.filter(name => !wanted.some(tree => tree.name === name)) ?? [];
  if (missing.length > 0) throw new Error(`${files} have no functions ${missing}`);
  const code = [
    ...trees
      .filter(tree => tree.astNodeType === 'const')
      .map(tree => `const $${tree.name} = ${translator.expression(tree.value)};`),
    ...wanted.map(tree => translator.functionOf(tree)),
    `return { ${wanted.map(tree => `${tree.name}: $${tree.name}`).join(', ')} };`,
  ].join('\n');
  const globals: Record<string, Value> = { ...constants };
  const functions = new Function('R', 'G', code)(run, globals) as WgslModule['functions'];
  return {
    functions,
    globals,
    start: (device, observer) => {
      run.device = device;
      run.observer = observer;
    },
  };
}

const hasStage = (tree: Tree): boolean => (tree.attributes ?? []).some((one: Tree) => one.name === 'compute');
const lanes = 'xyzw';
const isSwizzle = (text: string): boolean => /^[xyzw]{1,4}$/.test(text);

// Translates syntax trees to JavaScript. In the translation, functions and their variables have the prefix $,
// and variables of the module are properties of G.
class Translator {
  private readonly structs = new Map<string, string[]>();
  private readonly consts = new Set<string>();
  private readonly functionNames = new Set<string>();
  private locals = new Set<string>();
  private current = '';

  constructor(trees: readonly Tree[]) {
    for (const tree of trees) {
      if (tree.astNodeType === 'struct')
        this.structs.set(
          tree.name,
          tree.members.map((one: Tree) => one.name),
        );
      if (tree.astNodeType === 'const') this.consts.add(tree.name);
      if (tree.astNodeType === 'function') this.functionNames.add(tree.name);
    }
  }

  functionOf(tree: Tree): string {
    this.current = tree.name;
    this.locals = new Set(tree.args.map((one: Tree) => one.name));
    const params = tree.args.map((one: Tree) => `$${one.name}`);
    return `function $${tree.name}(${params}) { R.call(${JSON.stringify(tree.name)}, arguments); ${this.block(tree.body)} }`;
  }

  private block(trees: readonly Tree[]): string {
    return trees.map(tree => this.statement(tree)).join('\n');
  }

  private statement(tree: Tree): string {
    switch (tree.astNodeType) {
      case 'let':
      case 'const':
      case 'var': {
        const value = tree.value ? `R.copy(${this.expression(tree.value)})` : this.emptyOf(tree.type);
        this.locals.add(tree.name);
        return `let $${tree.name} = ${value};`;
      }
      case 'assign':
        return `${this.assignment(tree)};`;
      case 'increment':
        return `${this.target(tree.variable)}${tree.operator};`;
      case 'return':
        return tree.value ? `return ${this.expression(tree.value)};` : 'return;';
      case 'call':
        return `$${tree.name}(${tree.args.map((one: Tree) => this.expression(one))});`;
      case 'break':
      case 'continue':
        return `${tree.astNodeType};`;
      case 'if':
        return [
          `if (${this.expression(tree.condition)}) {${this.block(tree.body)}}`,
          ...(tree.elseif ?? []).map(
            (one: Tree) => `else if (${this.expression(one.condition)}) {${this.block(one.body)}}`,
          ),
          ...(tree.else ? [`else {${this.block(tree.else)}}`] : []),
        ].join(' ');
      case 'for': {
        const init = tree.init ? this.statement(tree.init) : ';';
        const condition = tree.condition ? this.expression(tree.condition) : '';
        const step = tree.increment ? this.statement(tree.increment).replace(/;$/, '') : '';
        return `for (${init} ${condition}; ${step}) {${this.block(tree.body)}}`;
      }
      default:
        throw new Error(`cannot translate the statement ${tree.astNodeType}`);
    }
  }

  private assignment(tree: Tree): string {
    const target = this.target(tree.variable);
    const value = this.expression(tree.value);
    const operator = tree.operator.slice(0, -1);
    return operator === ''
      ? `${target} = R.copy(${value})`
      : `${target} = R.binary('${operator}', ${target}, ${value})`;
  }

  // Translates the left side of an assignment.
  private target(tree: Tree): string {
    if (tree.astNodeType !== 'varExpr') throw new Error(`cannot assign to ${tree.astNodeType}`);
    let code = this.variable(tree.name);
    for (let part = tree.postfix; part; part = part.postfix) {
      if (part.astNodeType !== 'stringExpr') code += `[${this.expression(part.index)}]`;
      else code += /^[xyzw]$/.test(part.value) ? `[${lanes.indexOf(part.value)}]` : `.${part.value}`;
    }
    return code;
  }

  private variable(name: string): string {
    return this.locals.has(name) || this.consts.has(name) ? `$${name}` : `G.${name}`;
  }

  // Returns the initial value of a variable that is declared without a value.
  private emptyOf(type: Tree): string {
    const members = type?.members as Tree[] | undefined;
    if (members) return `({${members.map(one => `${one.name}: ${this.emptyOf(one.type)}`)}})`;
    return /vec|array/.test(type?.name ?? '') ? '[]' : '0';
  }

  expression(tree: Tree): string {
    let code = this.plain(tree);
    for (let part = tree.postfix; part; part = part.postfix) {
      if (part.astNodeType !== 'stringExpr') code = `${code}[${this.expression(part.index)}]`;
      else if (isSwizzle(part.value)) code = `R.swizzle(${code}, '${part.value}')`;
      else code = `${code}.${part.value}`;
    }
    return code;
  }

  private plain(tree: Tree): string {
    const args = (): string[] => (tree.args ?? []).map((one: Tree) => this.expression(one));
    switch (tree.astNodeType) {
      case 'literalExpr': {
        const { name } = tree.type;
        if (name === 'bool') return String(Boolean(tree.scalarValue));
        return name === 'f32' ? `R.float(${tree.scalarValue})` : String(tree.scalarValue);
      }
      case 'varExpr':
      case 'constExpr':
        return this.variable(tree.name);
      case 'unaryOp':
        // Structs and arrays are references in JavaScript, so pointers need no code.
        if (tree.operator === '&' || tree.operator === '*') return this.expression(tree.right);
        return `R.unary('${tree.operator}', ${this.expression(tree.right)})`;
      case 'binaryOp': {
        const [left, right] = [this.expression(tree.left), this.expression(tree.right)];
        if (tree.operator === '&&' || tree.operator === '||') return `(${left} ${tree.operator} ${right})`;
        return `R.binary('${tree.operator}', ${left}, ${right}, '${this.current}')`;
      }
      case 'bitcastExpr':
        return `R.bitcast('${tree.type.format?.name ?? tree.type.name}', ${this.expression(tree.value)})`;
      case 'createExpr':
        return this.construction(tree.type, args());
      case 'callExpr': {
        if (this.structs.has(tree.name)) return this.construction(tree, args());
        if (this.functionNames.has(tree.name)) return `$${tree.name}(${args()})`;
        return `R.builtIn('${tree.name}', [${args()}], '${this.current}')`;
      }
      default:
        throw new Error(`cannot translate ${tree.astNodeType}`);
    }
  }

  private construction(type: Tree, args: string[]): string {
    const members = this.structs.get(type.name);
    if (members) return `({${members.map((member, i) => `${member}: R.copy(${args[i]})`)}})`;
    if (type.name === 'array') return `R.copy([${args}])`;
    const vector = /^vec(\d)/.exec(type.name);
    const element = type.format?.name ?? '';
    if (vector) return `R.vector(${vector[1]}, '${element}', [${args}])`;
    return `R.convert('${type.name}', ${args[0]})`;
  }
}

const wordBits = new DataView(new ArrayBuffer(4));
const isVector = Array.isArray;
const checked = (value: number): number => {
  if (!(value >= -(2 ** 31) && value < 2 ** 31)) throw new Error(`the integer ${value} overflows`);
  return value;
};
const unsigned = (value: number, ...operands: number[]): number =>
  operands.some(one => one < 0) ? value : value >>> 0;

// The result of a bitcast from a computed float to u32 or i32. The bits are unknown until a device computes the
// float.
class Bits {
  constructor(readonly float: Float) {}
}

// The operations of the translated code.
class Runtime {
  device!: HostileDevice;
  observer: Observer = {};

  call(name: string, args: IArguments): void {
    this.observer.call?.(name, [...args]);
  }

  float(value: number): Float {
    return input(value);
  }

  copy(value: Value): Value {
    if (value instanceof Float || value instanceof Bits || typeof value !== 'object' || value === null)
      return value;
    if (isVector(value)) return value.map(one => this.copy(one));
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.copy(one)]));
  }

  swizzle(value: Value, names: string): Value {
    if (!isVector(value)) return value[names];
    return names.length === 1
      ? value[lanes.indexOf(names)]
      : [...names].map(name => value[lanes.indexOf(name)]);
  }

  vector(count: number, element: string, args: Value[]): Value[] {
    const all = args.flat().map(one => (element === '' ? one : this.convert(element, one)));
    return all.length === 1 ? Array(count).fill(all[0]) : all;
  }

  convert(type: string, value: Value): Value {
    if (type === 'f32') return value instanceof Float ? value : new Float('round', Number(value));
    if (value instanceof Float) throw new Error('conversions of floats to integers are not supported');
    return Number(value);
  }

  bitcast(type: string, value: Value): Value {
    if (isVector(value)) return value.map(one => this.bitcast(type, one));
    if (value instanceof Bits) return node('settled', value.float);
    if (value instanceof Float && Number.isNaN(value.value)) return new Bits(value);
    if (type === 'f32') {
      wordBits.setUint32(0, value);
      return input(wordBits.getFloat32(0));
    }
    if (value instanceof Float) wordBits.setFloat32(0, value.value);
    else wordBits.setInt32(0, value);
    return type === 'u32' ? wordBits.getUint32(0) : wordBits.getInt32(0);
  }

  unary(operator: string, value: Value): Value {
    if (isVector(value)) return value.map(one => this.unary(operator, one));
    if (value instanceof Float) return node('neg', value);
    if (operator === '!') return !value;
    return operator === '-' ? checked(-value) : ~value >>> 0;
  }

  binary(operator: string, a: Value, b: Value, name = ''): Value {
    if (isVector(a) || isVector(b)) {
      const count = (isVector(a) ? a : b).length;
      return Array.from({ length: count }, (_, i) =>
        this.binary(operator, isVector(a) ? a[i] : a, isVector(b) ? b[i] : b, name),
      );
    }
    if (a instanceof Float || b instanceof Float) {
      const x = a instanceof Float ? a : input(a);
      const y = b instanceof Float ? b : input(b);
      if ('+-*/'.includes(operator)) return node(operator as '+', x, y);
      return this.compare(operator, x, y, name);
    }
    if (a instanceof Bits) {
      if (operator !== '^' || b !== 0) throw new Error('the bits of a computed float are unknown');
      return a;
    }
    if (typeof a === 'boolean' && (operator === '&' || operator === '|'))
      return operator === '&' ? a && b : a || b;
    switch (operator) {
      case '+':
        return checked(a + b);
      case '-':
        return checked(a - b);
      case '*':
        return checked(a * b);
      case '/':
        return Math.trunc(a / b);
      case '%':
        return a % b;
      case '&':
        return unsigned(a & b, a, b);
      case '|':
        return unsigned(a | b, a, b);
      case '^':
        return unsigned(a ^ b, a, b);
      case '<<':
        return unsigned(a << b, a);
      case '>>':
        return a < 0 ? a >> b : a >>> b;
      case '==':
        return a === b;
      case '!=':
        return a !== b;
      case '<':
        return a < b;
      case '>':
        return a > b;
      case '<=':
        return a <= b;
      default:
        return a >= b;
    }
  }

  compare(operator: string, a: Float, b: Float, name: string): boolean {
    this.observer.compare?.(name, operator, a, b);
    const [x, y] = [this.device.compute(a), this.device.compute(b)];
    return this.binary(operator, x, y);
  }

  builtIn(builtIn: string, args: Value[], name: string): Value {
    const [a, b, c] = args;
    switch (builtIn) {
      case 'dot':
        return a
          .map((one: Value, i: number) => this.binary('*', one, b[i]))
          .reduce((sum: Value, one: Value) => this.binary('+', sum, one));
      case 'cross':
        return [0, 1, 2].map(i =>
          this.binary(
            '-',
            this.binary('*', a[(i + 1) % 3], b[(i + 2) % 3]),
            this.binary('*', a[(i + 2) % 3], b[(i + 1) % 3]),
          ),
        );
      case 'abs':
        return isVector(a) ? a.map(one => node('abs', one)) : node('abs', a);
      case 'min':
      case 'max':
        if (isVector(a)) return a.map((one, i) => this.builtIn(builtIn, [one, isVector(b) ? b[i] : b], name));
        return a instanceof Float ? node(builtIn, a, b) : Math[builtIn](a, b);
      case 'sqrt':
        return node('sqrt', a);
      case 'select':
        if (isVector(c)) return c.map((isSecond, i) => (isSecond ? b[i] : a[i]));
        return c ? b : a;
      case 'any':
        return a.some(Boolean);
      case 'all':
        return a.every(Boolean);
      default:
        throw new Error(`the function ${builtIn} of WGSL is not supported`);
    }
  }
}
