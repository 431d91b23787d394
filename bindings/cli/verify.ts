// Implements the command `pfront verify`: checks a certificate file, without the engine. A certificate lists
// the clashes of a model and proves that no clash is missing. The model is read from its files again.
import { basename, dirname, join } from 'node:path';
import { exactVerticesOf } from '../formats/part.js';
import { type Verdict, verifyModel } from '../verify/index.js';
import { type CertifiedModel, type CertifiedPart, readCertificate } from './certificate/certificateFile.js';
import { hashOf, placedCorners } from './certificate/placedCorners.js';
import { checkLimits, limitOptions, readLimits } from './clash/limitOptions.js';
import { type Model, readModel } from './clash/readModel.js';
import { INCOMPLETE } from './exitCodes.js';
import { parseArguments } from './parseArguments.js';
import { createProgress } from './progress.js';
import { formatCount, noteText, paint, plural, printable } from './terminal.js';
import { UsageError } from './usageError.js';

const SEE_HELP = 'See `pfront verify --help`.';
const NOT_VALID = 1;

export const verifyHelp = `pfront verify CERTIFICATE.json [FILE ...]

Checks a certificate that \`pfront clash FILE ... --certify CERTIFICATE.json\` wrote. A
valid certificate proves that it lists every pair of parts that share a point, with all
their triangle pairs, and no other pair. The model is read again. The check is exact and
uses no code of the engine.
FILE: the files of the model, in the order in which pfront clash read them. Without
them, files with the names in the certificate are read from its folder.

  --json               print one JSON object to standard output
  --ifc-limits N       multiply the time and memory limits for .ifc files by N
  --cad-limits N       the same for .step and .iges files
  --jobs N             read up to N files at the same time, with a total size of at
                       most 256 MiB; default: the number of cores
  --max-unpack-ratio N a .gz or .3mf file may unpack to 64 MiB or N times its size,
                       whichever is more; default: 50
  --help               print this text

Exit codes: 0 valid, 1 not valid, 2 bad input, 3 internal error of pfront, 4 valid, but
some elements of the model could not be read.`;

/**
 * Runs `pfront verify` with these arguments.
 *
 * @returns The exit code.
 * @throws UsageError, InvalidCertificate, InvalidFile and MissingPackage.
 */
export async function verify(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) {
    console.log(verifyHelp);
    return 0;
  }
  const [path, ...files] = positionals;
  if (path === undefined)
    throw new UsageError('verify requires a certificate', 'Run pfront verify CERTIFICATE.json.');
  const limits = readLimits(values);
  const certified = await readCertificate(path);
  const { units, up, split, deflection, coordinates } = certified.model;
  const progress = createProgress();
  const modelFiles = filesOf(path, certified, files);
  checkLimits(limits, modelFiles);
  let model: Model;
  try {
    model = await readModel(
      {
        files: modelFiles,
        isSplit: split !== undefined,
        assumedUnit: units,
        up,
        deflection,
        keepsDoubles: coordinates === 'double',
        ...limits,
      },
      progress,
    );
  } finally {
    progress.end();
  }
  const verdict = check(certified, model);
  console.log(values.json ? asJson(certified, model, verdict) : asText(certified, model, verdict));
  for (const note of model.notes) console.error(noteText(note));
  if (!verdict.isValid) return NOT_VALID;
  return model.unread.length > 0 ? INCOMPLETE : 0;
}

function parse(args: string[]) {
  const flag = { type: 'boolean' } as const;
  return parseArguments(args, { json: flag, help: { ...flag, short: 'h' }, ...limitOptions }, SEE_HELP);
}

function filesOf(path: string, { model: { files } }: CertifiedModel, given: string[]): string[] {
  const list = files.map(printable).join(', ');
  if (given.length > 0 && given.length !== files.length)
    throw new UsageError(
      `the certificate names ${plural(files.length, 'file')} (${list}), but the command line names ${formatCount(given.length)}`,
      'Give the files of the model in the order in which pfront clash read them.',
    );
  if (given.length > 0) return given;
  if (new Set(files).size < files.length)
    throw new UsageError(
      `the certificate is about several files with the same name (${list})`,
      'Give their paths after the certificate, in the order in which pfront clash read them.',
    );
  return files.map(file => join(dirname(path), file));
}

// Checks the certificate. First compares the parts in the certificate with the parts of the model. If they
// differ, the result names the difference, while a check of the proof would only name a wrong step.
function check({ parts, clashes, certificate }: CertifiedModel, model: Model): Verdict {
  const problem = differenceOf(parts, model);
  if (problem !== '')
    return {
      isValid: false,
      problem: `the certificate is about another model: ${problem}`,
      steps: 0,
      boxes: 0,
      triangles: 0,
      common: 0,
    };
  return verifyModel({
    parts: model.parts.map(part => ({ ...part, ...exactVerticesOf(part) })),
    clashes,
    certificate,
  });
}

function differenceOf(certified: CertifiedPart[], { parts }: Model): string {
  if (parts.length !== certified.length)
    return `the certificate has ${plural(certified.length, 'part')}, but the files have ${formatCount(parts.length)}`;
  for (const [i, part] of parts.entries()) {
    const { name, triangles, sha256 } = certified[i];
    if (part.name !== name)
      return `part ${i} is named "${printable(name)}" in the certificate, but "${printable(part.name)}" in the files`;
    if (part.indices.length !== 3 * triangles)
      return `part ${i} has ${plural(triangles, 'triangle')} in the certificate, but ${formatCount(part.indices.length / 3)} in the files`;
    if (hashOf(placedCorners(part)) !== sha256)
      return `part ${i} ("${printable(name)}") has other triangles or another placement in the files`;
  }
  return '';
}

function asText(certified: CertifiedModel, model: Model, verdict: Verdict): string {
  if (!verdict.isValid) return `${paint('red', 'not valid')}: ${printable(verdict.problem)}`;
  const { parts, unread } = model;
  const { units, up, split, deflection } = certified.model;
  const options = [
    units && `--units ${units}`,
    up && `--up ${up}`,
    split && `--split ${split}`,
    deflection && `--deflection ${deflection}mm`,
  ].filter(Boolean);
  const triangles = parts.reduce((sum, { indices }) => sum + indices.length / 3, 0);
  return [
    `${paint('green', 'valid')}: ${answerText(certified)}.`,
    `${plural(triangles, 'triangle')} of ${certified.model.files.map(printable).join(', ')}${options.length > 0 ? ` (${options.join(' ')})` : ''}; ${plural(verdict.steps, 'step')}: ${formatCount(verdict.boxes)} box pairs apart, ${formatCount(verdict.triangles)} triangle pairs apart, ${formatCount(verdict.common)} sharing a point`,
    ...(unread.length > 0 ? [`not covered: ${plural(unread.length, 'element')} that could not be read`] : []),
  ].join('\n');
}

function answerText({ parts, clashes }: CertifiedModel): string {
  if (parts.length === 1) return 'there is only one part';
  if (clashes.length === 0) return `no two of the ${formatCount(parts.length)} parts share a point`;
  const all = plural((parts.length * (parts.length - 1)) / 2, 'pair');
  const pairs = clashes.reduce((sum, { pairs: { a } }) => sum + a.length, 0);
  return `${formatCount(clashes.length)} of the ${all} of parts ${clashes.length === 1 ? 'shares' : 'share'} a point, in ${plural(pairs, 'triangle pair')}; no others do`;
}

function asJson(certified: CertifiedModel, { parts, unread }: Model, verdict: Verdict): string {
  const { isValid, problem, ...counts } = verdict;
  return JSON.stringify({
    valid: isValid,
    problem,
    model: certified.model,
    parts: parts.map(({ name, indices, file }) => ({
      name,
      triangles: indices.length / 3,
      file: basename(file),
    })),
    unread: unread.map(({ name, id, reason, file }) => ({ name, id, reason, file: basename(file) })),
    // The clashes of an invalid certificate are left out, because they may be wrong.
    clashes: isValid
      ? certified.clashes.map(({ a, b, pairs }) => ({
          a,
          b,
          nameA: parts[a].name,
          nameB: parts[b].name,
          trianglePairs: pairs.a.length,
        }))
      : [],
    ...counts,
  });
}
