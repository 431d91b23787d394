// Describes clashes as BCF topics: titles, labels, descriptions, components and comments.
import { lengthText, type Unit } from '../../formats/units.js';
import { describeFinding, type Finding } from '../clashClasses.js';
import type { Camera } from './camera.js';
import type { Vector } from './vectors.js';
import { viewpointGuid } from './viewpointGuid.js';

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
  index: number;
  status: Status;
  comments: readonly BcfComment[];
  camera: Camera;
  /** The two parts. Only the first one if both have the same GUID. */
  components: BcfComponent[];
}

export const TOPIC_TYPE = 'Clash';

/** The statuses of a clash. A clash has the first one until a user sets another one. */
export const STATUSES = ['Open', 'In progress', 'Resolved', 'Closed'] as const;
export type Status = (typeof STATUSES)[number];

/** A comment about a topic. */
export interface BcfComment {
  guid: string;
  /** In ISO 8601. */
  date: string;
  author: string;
  text: string;
}

/** A part of the model. */
export interface BcfPart {
  name: string;
  /** Identifier, such as the GlobalId of IFC. */
  id?: string;
  type?: string;
  /** Index of the file. */
  file: number;
}

/** A clash, and what users have said about it. */
export interface BcfClash {
  /** The GUID of its topic. */
  guid: string;
  finding: Finding;
  /** The position in the list of clashes, worst first, from 0. */
  index: number;
  status: Status;
  comments: readonly BcfComment[];
  /** The name of the group of the clash, if clashes are grouped. */
  group?: string;
}

/** What the topics of one archive have in common. */
export interface TopicContext {
  parts: readonly BcfPart[];
  files: readonly BcfFile[];
  unit: Unit;
  author: string;
  createdAt: string;
}

/** Returns the topic of a clash. `point` is where the parts meet, in meters, z up. */
export function topicOf(
  { parts, files, unit, author, createdAt }: TopicContext,
  { guid, finding, index, status, comments, group }: BcfClash,
  camera: Camera,
  point: Vector,
): Topic {
  const pair = [parts[finding.a], parts[finding.b]];
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
        // BCF 3.0 does not allow blank labels.
        ...(group?.trim() ? [group] : []),
      ]),
    ],
    description: descriptionOf(finding, group, pair, files, unit, point),
    files: [...new Set(pair.map(({ file }) => file))].map(file => files[file]),
    createdAt,
    author,
    index,
    status,
    comments,
    camera,
    components: isOne ? components.slice(0, 1) : components,
  };
}

function descriptionOf(
  finding: Finding,
  group: string | undefined,
  pair: BcfPart[],
  files: readonly BcfFile[],
  unit: Unit,
  point: Vector,
): string {
  const lines = [
    `${finding.class}: ${describeFinding(finding, unit)}`,
    ...pair.map(
      ({ name, id, file }, i) =>
        `${i === 0 ? 'first' : 'second'} part: ${name}${id === undefined ? '' : ` (${id})`}, ${files[file].name}`,
    ),
    ...(finding.rule === undefined ? [] : [`rule: ${finding.rule}`]),
    ...(group === undefined ? [] : [`group: ${group}`]),
    ...(finding.size > 0 ? [`size of the contact: ${lengthText(finding.size, unit)}`] : []),
    `place in meters: ${point.map(value => Number(value.toFixed(6))).join(', ')}`,
  ];
  return lines.join('\n');
}

// Returns an id if it has the form of an IfcGuid. Readers reject viewpoints with other values.
function ifcGuidOf(id: string | undefined): string | undefined {
  return id !== undefined && /^[0-3][0-9A-Za-z_$]{21}$/.test(id) ? id : undefined;
}
