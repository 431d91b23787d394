// Describes clashes as BCF topics: titles, labels, descriptions, components and comments.
import { areaText, lengthText, type Unit, volumeText } from '../../formats/units.js';
import { changeLabels, changeLines, type ReportChange } from '../changes.js';
import { describeFinding, type Finding, upperText } from '../clashClasses.js';
import type { Camera } from './camera.js';
import type { Vector } from './vectors.js';
import { viewpointGuid } from './viewpointGuid.js';

/** An element of a model in a BCF viewpoint. */
export interface BcfComponent {
  ifcGuid?: string;
  /** The name of the part. It identifies the part if there is no GUID. */
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
  /** The two parts; only the first part if both have the same GUID. */
  components: BcfComponent[];
}

export const TOPIC_TYPE = 'Clash';

/** The statuses of a clash. A clash has the first status until a user sets another status. */
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
  /** What an IFC file says about the part. */
  type?: string;
  objectType?: string;
  storey?: string;
  layer?: string;
  /** The assemblies of a STEP or IGES file that contain the part. */
  assembly?: string;
  /** Index of the file. */
  file: number;
}

/** What a topic says about a pair of parts. */
export interface TopicSubject {
  /** The two parts, as indices into the list of parts. */
  a: number;
  b: number;
  class: string;
  /** What the title says after the names of the parts. */
  titleEnd: string;
  /** Labels in addition to the class and the types, storeys, layers and assemblies of the parts. */
  labels: string[];
  /** What the description says after the class. */
  summary: string;
  /** Lines of the description. */
  details: string[];
}

/** A clash, and what users have said about it. */
export interface BcfClash {
  /** The GUID of its topic. */
  guid: string;
  subject: TopicSubject;
  /** The position in the list of clashes, worst first, from 0. */
  index: number;
  status: Status;
  comments: readonly BcfComment[];
}

/** What the topics of one archive have in common. */
export interface TopicContext {
  parts: readonly BcfPart[];
  files: readonly BcfFile[];
  author: string;
  createdAt: string;
}

/**
 * Returns what the topic of a clash says. group: the name of its group, if clashes are grouped. compared: how
 * the clash compares with an earlier run, if there is a comparison.
 */
export function clashSubject(
  finding: Finding,
  unit: Unit,
  group?: string,
  compared?: Partial<ReportChange>,
): TopicSubject {
  const { a, b, class: kind, rule, volume, size, contactLength, contactArea } = finding;
  return {
    a,
    b,
    class: kind,
    titleEnd: '',
    labels: [...[rule, group].filter(label => label !== undefined), ...changeLabels(compared)],
    summary: describeFinding(finding, unit),
    details: [
      ...(rule === undefined ? [] : [`rule: ${rule}`]),
      ...(group === undefined ? [] : [`group: ${group}`]),
      ...changeLines(compared),
      ...(volume ? [`common volume: ${volumeText(volume.upper, unit)}`] : []),
      ...(size > 0 ? [`size of the contact: ${lengthText(size, unit)}`] : []),
      ...(contactLength && contactLength.upper > 0
        ? [`length of the contact: ${upperText(contactLength, lengthText, unit)}`]
        : []),
      ...(contactArea && contactArea.upper > 0
        ? [`area of the contact: ${upperText(contactArea, areaText, unit)}`]
        : []),
    ],
  };
}

/** Returns the topic of a clash. `point` is where the parts meet, in meters, z up. */
export function topicOf(
  { parts, files, author, createdAt }: TopicContext,
  { guid, subject, index, status, comments }: BcfClash,
  camera: Camera,
  point: Vector,
): Topic {
  const pair = [parts[subject.a], parts[subject.b]];
  const components = pair.map(({ name, id }) => ({ ifcGuid: ifcGuidOf(id), name }));
  const isOne = components[0].ifcGuid !== undefined && components[0].ifcGuid === components[1].ifcGuid;
  return {
    guid,
    viewpointGuid: viewpointGuid(guid),
    title: `${subject.class}: ${pair[0].name}, ${pair[1].name}${subject.titleEnd}`,
    labels: labelsOf(subject, pair),
    description: descriptionOf(subject, pair, files, point),
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

// BCF 3.0 does not allow blank labels.
function labelsOf({ class: kind, labels }: TopicSubject, pair: BcfPart[]): string[] {
  const properties = (['type', 'storey', 'layer', 'assembly'] as const).flatMap(name =>
    pair.flatMap(part => part[name] ?? []),
  );
  const all = [kind, ...properties, ...labels];
  return [...new Set(all.filter(label => label.trim() !== ''))];
}

function descriptionOf(
  { class: kind, summary, details }: TopicSubject,
  pair: BcfPart[],
  files: readonly BcfFile[],
  point: Vector,
): string {
  const lines = [
    `${kind}: ${summary}`,
    ...pair.map((part, i) => `${i === 0 ? 'first' : 'second'} part: ${describePart(part, files)}`),
    ...details,
    `place in meters: ${point.map(value => Number(value.toFixed(6))).join(', ')}`,
  ];
  return lines.join('\n');
}

function describePart(part: BcfPart, files: readonly BcfFile[]): string {
  const { name, id, type, objectType, storey, layer, assembly, file } = part;
  const properties = [
    ['type', type],
    ['object type', objectType],
    ['storey', storey],
    ['layer', layer],
    ['assembly', assembly],
  ].flatMap(([what, value]) => (value ? [`; ${what} ${value}`] : []));
  return `${name}${id === undefined ? '' : ` (${id})`}, ${files[file].name}${properties.join('')}`;
}

// Returns an id if it has the form of an IfcGuid. Readers reject viewpoints with other values.
function ifcGuidOf(id: string | undefined): string | undefined {
  return id !== undefined && /^[0-3][0-9A-Za-z_$]{21}$/.test(id) ? id : undefined;
}
