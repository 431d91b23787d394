// Parses and checks the arguments of `pfront clash`.
import { extname, resolve } from 'node:path';
import { CLASSES, type ClashClass, isClass } from '../../report/clashClasses.js';
import { parseArguments } from '../parseArguments.js';
import { UsageError } from '../usageError.js';
import { type BcfTarget, bcfOptions, readBcfTarget } from './bcf/bcfOptions.js';
import { takeBetween } from './betweenOption.js';
import { GROUPINGS, type Grouping } from './groupings.js';
import { type Length, NO_LENGTH, readLength } from './lengthOption.js';
import { limitOptions, type ReadLimits, readLimits } from './limitOptions.js';
import { readSceneOptions, type SceneOptions, sceneOptions } from './sceneOptions.js';

const SEE_HELP = 'See `pfront clash --help`.';

export interface ClashOptions extends ReadLimits, SceneOptions {
  files: string[];
  help: boolean;
  json: boolean;
  stats: boolean;
  /** Path of the HTML report. */
  reportPath: string | undefined;
  /** Path of the certificate file. */
  certificatePath: string | undefined;
  /** Path of the CSV file. */
  csvPath: string | undefined;
  /** Path of the JUnit XML file. */
  junitPath: string | undefined;
  /** Path of the JSON of an earlier run, with which this run is compared. */
  baselinePath: string | undefined;
  /** The BCF file. */
  bcf: BcfTarget | undefined;
  /** Path of the list of pairs that may clash. */
  allowListPath: string | undefined;
  /** The two selectors of --between. */
  between: [string, string] | undefined;
  /** Path of the file of rules. */
  rulesPath: string | undefined;
  /** Whether clashes of elements that are related in their IFC file are listed like other clashes. */
  includesRelated: boolean;
  grouping: Grouping | undefined;
  /** Whether the JSON, the CSV and the report list the contact regions of each clash. */
  listsRegions: boolean;
  isSplit: boolean;
  /**
   * The text of --deflection. It is parsed later, when all files are known, including those that rules name.
   */
  deflection: string | undefined;
  clearance: Length;
  tolerance: Length;
  /** The classes to list, including those of `failOn`, because a clash that fails the run must be listed. */
  classes: readonly ClashClass[];
  failOn: 'any' | readonly ClashClass[];
  /** The texts of the options that rules may replace, if they are given. */
  given: { tolerance?: string; clearance?: string; classes?: string };
}

/**
 * Parses the arguments after `pfront clash`.
 *
 * @throws UsageError
 */
export function readOptions(args: string[]): ClashOptions {
  const { between, rest } = takeBetween(args);
  const { values, positionals: files } = parse(rest);
  const {
    help = false,
    json = false,
    stats = false,
    split,
    allow,
    report: reportPath,
    certify: certificatePath,
    csv: csvPath,
    junit: junitPath,
    baseline: baselinePath,
    rules: rulesPath,
    group: grouping,
    regions: listsRegions = false,
  } = values;
  if (values.margin !== undefined)
    throw new UsageError(
      `--margin ${values.margin} requires --animation or --robot: moving parts that are at most the margin apart count as near or in contact`,
      'Search a motion with pfront clash FILE --animation all, or write --clearance to find parts that are near each other.',
    );
  if (listsRegions && !json && csvPath === undefined && reportPath === undefined)
    throw new UsageError(
      '--regions requires --json, --csv or --report: only these outputs list the regions of clashes',
      'Add one of these options, or remove --regions.',
    );
  if (split !== undefined && split !== 'components')
    throw new UsageError(`--split ${split} is not supported`, 'Write --split components.');
  refuseJsonFile(json, files);
  const scene = readSceneOptions(values);
  expectExtension('--report', reportPath, /\.html?$/i, 'clashes.html');
  expectExtension('--certify', certificatePath, /\.json$/i, 'clashes.certificate.json');
  expectExtension('--csv', csvPath, /\.csv$/i, 'clashes.csv');
  expectExtension('--junit', junitPath, /\.xml$/i, 'clashes.xml');
  const bcf = readBcfTarget(values);
  refuseOverwriting(
    [reportPath, certificatePath, csvPath, junitPath, bcf?.path],
    [...files, allow, baselinePath, rulesPath],
  );
  if (between && rulesPath !== undefined)
    throw new UsageError(
      '--between cannot be combined with --rules',
      'Write the two sets as a rule of the file: { "name": "...", "between": [A, B] }.',
    );
  if (certificatePath !== undefined && (between || rulesPath !== undefined))
    throw new UsageError(
      '--certify cannot be combined with --between or --rules: a certificate proves that no clash of the whole model is missing, but these options restrict the search to some pairs',
      'Remove one of the options, or run pfront clash twice.',
    );
  if (grouping !== undefined && !isGrouping(grouping))
    throw new UsageError(
      `--group ${grouping} is not a way to group clashes`,
      `Write --group ${GROUPINGS.join('|')}.`,
    );
  if (!help && files.length === 0 && rulesPath === undefined)
    throw new UsageError('clash requires a file', 'Run pfront clash FILE.');
  const clearance = values.clearance === undefined ? NO_LENGTH : readLength('--clearance', values.clearance);
  if (certificatePath !== undefined && clearance.value > 0)
    throw new UsageError(
      '--certify cannot be combined with --clearance: a certificate proves which parts share a point, not how far apart the other parts are',
      'Remove one of the two options, or run pfront clash twice.',
    );
  const searched = CLASSES.filter(
    kind => kind !== 'clearance' || clearance.value > 0 || rulesPath !== undefined,
  );
  const listed =
    values.classes === undefined
      ? searched.filter(kind => kind !== 'coplanar' && kind !== 'touch')
      : values.classes === 'all'
        ? searched
        : readClasses('--classes', values.classes, searched);
  const failOn =
    values['fail-on'] === undefined
      ? []
      : values['fail-on'] === 'any'
        ? 'any'
        : readClasses('--fail-on', values['fail-on'], searched);
  return {
    files,
    help,
    json,
    stats,
    reportPath,
    certificatePath,
    csvPath,
    junitPath,
    baselinePath,
    bcf,
    allowListPath: allow,
    between,
    rulesPath,
    includesRelated: values['include-related'] ?? false,
    given: values,
    grouping,
    listsRegions,
    clearance,
    ...scene,
    ...readLimits(values),
    isSplit: split === 'components',
    deflection: values.deflection,
    tolerance: values.tolerance === undefined ? NO_LENGTH : readLength('--tolerance', values.tolerance),
    classes: searched.filter(kind => listed.includes(kind) || (failOn !== 'any' && failOn.includes(kind))),
    failOn,
  };
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/**
 * The options for node:util's parseArgs that a search of a motion refuses. It also refuses --between, which is
 * not in this list because parseArgs cannot parse its two values.
 */
export const stillOptions = {
  stats: flag,
  certify: text,
  split: text,
  tolerance: text,
  deflection: text,
  classes: text,
  rules: text,
  group: text,
  regions: flag,
  'include-related': flag,
} as const;

function parse(args: string[]) {
  return parseArguments(
    args,
    {
      json: flag,
      help: { ...flag, short: 'h' },
      report: text,
      csv: text,
      junit: text,
      baseline: text,
      'fail-on': text,
      clearance: text,
      allow: text,
      margin: text,
      ...stillOptions,
      ...bcfOptions,
      ...limitOptions,
      ...sceneOptions,
    },
    SEE_HELP,
  );
}

/**
 * Checks the extension of an output file. A path with another extension may be an input file, which must not be
 * overwritten.
 *
 * @throws UsageError
 */
export function expectExtension(
  option: string,
  path: string | undefined,
  pattern: RegExp,
  example: string,
): void {
  if (path !== undefined && !pattern.test(path))
    throw new UsageError(
      `${option} ${path} does not end in ${extname(example)}`,
      `Write ${option} ${example}.`,
    );
}

/** Checks that no output file is also an input file. @throws UsageError */
export function refuseOverwriting(outputs: (string | undefined)[], inputs: (string | undefined)[]): void {
  const read = new Set(inputs.flatMap(path => (path === undefined ? [] : [resolve(path)])));
  const output = outputs.find(path => path !== undefined && read.has(resolve(path)));
  if (output !== undefined)
    throw new UsageError(
      `${output} is an input file, so it cannot also be an output file`,
      'Write the output to another file.',
    );
}

/**
 * Refuses a JSON file among the input files if --json is given, because the user probably meant this file to be
 * the output.
 *
 * @throws UsageError
 */
export function refuseJsonFile(json: boolean, files: readonly string[]): void {
  const file = json ? files.find(path => /\.json$/i.test(path)) : undefined;
  if (file !== undefined)
    throw new UsageError(
      `--json ${file}: --json takes no file name, because it prints to standard output`,
      `Write --json > ${file}.`,
    );
}

function isGrouping(text: string): text is Grouping {
  return (GROUPINGS as readonly string[]).includes(text);
}

// Parses a list of classes. `searched` are the classes that this run searches for. Any other class is
// rejected: the run would never find it, so `--fail-on` with that class would never fail.
function readClasses(option: string, text: string, searched: ClashClass[]): ClashClass[] {
  const names = text.split(',').map(word => {
    const name = word.trim();
    if (!isClass(name))
      throw new UsageError(
        `${option} ${text}: "${name}" is not a class`,
        `Write ${option === '--fail-on' ? 'any' : 'all'}, or a comma-separated list of ${CLASSES.join(', ')}.`,
      );
    if (!searched.includes(name))
      throw new UsageError(
        `${option} ${text}: the class clearance requires --clearance`,
        'Add --clearance 25mm, or remove clearance from the list.',
      );
    return name;
  });
  return [...new Set(names)];
}
