// Describes clashes as BCF topics: GUIDs, titles, labels, descriptions and components.
import { basename } from 'node:path';
import { lengthText, type Unit } from '../../../formats/units.js';
import { describeFinding, type Finding } from '../../../report/clashClasses.js';
import type { NamedPart } from '../readModel.js';
import type { Camera } from './camera.js';
import { pairGuid, viewpointGuid } from './guids.js';
import type { Vector } from './vectors.js';

/** An element of a model in a BCF viewpoint. */
export interface BcfComponent {
  ifcGuid?: string;
  /** The name of the part, if it has no GUID. */
  name: string;
}

/** A file of the model. */
export interface BcfFile {
  name: string;
  /** The time of its last change, in ISO 8601. */
  date: string;
}

/** A topic with one viewpoint. */
export interface Topic {
  guid: string;
  viewpointGuid: string;
  title: string;
  labels: string[];
  description: string;
  files: BcfFile[];
  /** In ISO 8601. */
  createdAt: string;
  author: string;
  /** The position in the list of clashes, worst first, from 0. */
  index: number;
  camera: Camera;
  /** The two parts. Only the first one if both have the same GUID. */
  components: BcfComponent[];
}

export const TOPIC_TYPE = 'Clash';
export const TOPIC_STATUS = 'Open';

/** What the topics of one archive have in common. */
export interface TopicContext {
  parts: NamedPart[];
  /** The key of each part: see `partKeys`. */
  keys: string[];
  unit: Unit;
  author: string;
  createdAt: string;
  /** The date of each file, by its path. */
  dates: Map<string, string>;
}

/** Returns the topic of a clash. `point` is where the parts meet, in meters, z up. */
export function topicOf(
  { parts, keys, unit, author, createdAt, dates }: TopicContext,
  finding: Finding,
  index: number,
  camera: Camera,
  point: Vector,
): Topic {
  const pair = [parts[finding.a], parts[finding.b]];
  const guid = pairGuid(keys[finding.a], keys[finding.b], finding.rule);
  const components = pair.map(({ name, id }) => ({ ifcGuid: ifcGuidOf(id), name }));
  const isOne = components[0].ifcGuid !== undefined && components[0].ifcGuid === components[1].ifcGuid;
  return {
    guid,
    viewpointGuid: viewpointGuid(guid),
    title: `${finding.class}: ${pair[0].name}, ${pair[1].name}`,
    labels: [
      ...new Set([
        finding.class,
        ...pair.flatMap(({ type }) => type ?? []),
        ...(finding.rule === undefined ? [] : [finding.rule]),
      ]),
    ],
    description: descriptionOf(finding, pair, unit, point),
    files: [...new Set(pair.map(({ file }) => file))].map(file => ({
      name: basename(file),
      date: dates.get(file)!,
    })),
    createdAt,
    author,
    index,
    camera,
    components: isOne ? components.slice(0, 1) : components,
  };
}

function descriptionOf(finding: Finding, pair: NamedPart[], unit: Unit, point: Vector): string {
  const lines = [
    `${finding.class}: ${describeFinding(finding, unit)}`,
    ...pair.map(
      ({ name, id, file }, i) =>
        `${i === 0 ? 'first' : 'second'} part: ${name}${id === undefined ? '' : ` (${id})`}, ${basename(file)}`,
    ),
    ...(finding.rule === undefined ? [] : [`rule: ${finding.rule}`]),
    ...(finding.size > 0 ? [`size of the contact: ${lengthText(finding.size, unit)}`] : []),
    `place in meters: ${point.map(value => Number(value.toFixed(6))).join(', ')}`,
  ];
  return lines.join('\n');
}

// Returns an id if it has the form of an IfcGuid. Readers reject viewpoints with other values.
function ifcGuidOf(id: string | undefined): string | undefined {
  return id !== undefined && /^[0-3][0-9A-Za-z_$]{21}$/.test(id) ? id : undefined;
}
