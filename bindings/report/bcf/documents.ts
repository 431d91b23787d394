// Writes the XML documents of a BCF archive in the versions 2.1 and 3.0.

import { documentOf, element, type Xml } from '../xml.js';
import type { Camera } from './camera.js';
import { type BcfComment, type BcfComponent, TOPIC_TYPE, type Topic } from './topic.js';
import type { Vector } from './vectors.js';

/** The versions of BCF that can be written. The first version is the default. */
export const BCF_VERSIONS = ['2.1', '3.0'] as const;
export type BcfVersion = (typeof BCF_VERSIONS)[number];

export const VIEWPOINT_FILE = 'viewpoint.bcfv';
export const SNAPSHOT_FILE = 'snapshot.png';

/** The colors of the two parts, as in the HTML report: red, green, blue. */
export const PART_COLORS = [
  [0x4d, 0x86, 0xd8],
  [0xdd, 0xa2, 0x3a],
] as const;

/** Returns the content of the file bcf.version. */
export function versionDocument(version: BcfVersion): string {
  return documentOf(
    element(
      'Version',
      { VersionId: version },
      ...(version === '2.1' ? [element('DetailedVersion', {}, version)] : []),
    ),
  );
}

/** The values that the topics of an archive use. */
export interface UsedValues {
  labels: Set<string>;
  statuses: Set<string>;
  users: Set<string>;
}

/** Returns the content of the file extensions.xml of BCF 3.0. */
export function extensionsDocument({ labels, statuses, users }: UsedValues): string {
  const list = (name: string, item: string, values: Iterable<string>): Xml =>
    element(name, {}, ...[...values].sort().map(value => element(item, {}, value)));
  return documentOf(
    element(
      'Extensions',
      {},
      list('TopicTypes', 'TopicType', [TOPIC_TYPE]),
      list('TopicStatuses', 'TopicStatus', statuses),
      list('Priorities', 'Priority', []),
      list('TopicLabels', 'TopicLabel', labels),
      list('Users', 'User', users),
      list('SnippetTypes', 'SnippetType', []),
      list('Stages', 'Stage', []),
    ),
  );
}

/** Returns the content of the file markup.bcf of a topic. */
export function markupDocument(version: BcfVersion, topic: Topic): string {
  const { guid, viewpointGuid, title, index, labels, createdAt, author, description, status } = topic;
  const isOld = version === '2.1';
  const files = topic.files.map(({ name, date }) =>
    element('File', {}, element('Filename', {}, name), element('Date', {}, date)),
  );
  const viewpoint = element(
    isOld ? 'Viewpoints' : 'ViewPoint',
    { Guid: viewpointGuid },
    element('Viewpoint', {}, VIEWPOINT_FILE),
    element('Snapshot', {}, SNAPSHOT_FILE),
  );
  const labelElements = labels.map(label => element(isOld ? 'Labels' : 'Label', {}, label));
  const comments = topic.comments.map(commentElement);
  return documentOf(
    element(
      'Markup',
      {},
      element('Header', {}, ...(isOld ? files : [element('Files', {}, ...files)])),
      element(
        'Topic',
        { Guid: guid, TopicType: TOPIC_TYPE, TopicStatus: status },
        element('Title', {}, title),
        element('Index', {}, index),
        ...(isOld ? labelElements : [element('Labels', {}, ...labelElements)]),
        element('CreationDate', {}, createdAt),
        element('CreationAuthor', {}, author),
        element('Description', {}, description),
        ...(isOld
          ? []
          : [
              ...(comments.length > 0 ? [element('Comments', {}, ...comments)] : []),
              element('Viewpoints', {}, viewpoint),
            ]),
      ),
      ...(isOld ? [...comments, viewpoint] : []),
    ),
  );
}

function commentElement({ guid, date, author, text }: BcfComment): Xml {
  return element(
    'Comment',
    { Guid: guid },
    element('Date', {}, date),
    element('Author', {}, author),
    element('Comment', {}, text),
  );
}

/**
 * Returns the content of the viewpoint file of a topic. If both parts have an IfcGuid, only they are visible.
 * Otherwise all parts are visible, because a program that cannot find the two parts would show nothing.
 */
export function viewpointDocument(version: BcfVersion, { viewpointGuid, camera, components }: Topic): string {
  const hasGuids = components.every(({ ifcGuid }) => ifcGuid !== undefined);
  const all = components.map(componentElement);
  return documentOf(
    element(
      'VisualizationInfo',
      { Guid: viewpointGuid },
      element(
        'Components',
        {},
        element('Selection', {}, ...all),
        element(
          'Visibility',
          { DefaultVisibility: !hasGuids },
          ...(hasGuids ? [element('Exceptions', {}, ...all)] : []),
        ),
        ...(version === '2.1' ? [element('Coloring', {}, ...coloring(all))] : []),
      ),
      cameraElement(version, camera),
    ),
  );
}

// Gives each component its color. Colors are written only to BCF 2.1 files. In BCF 3.0, the components of a
// color are in a separate list, and the reader of @thatopen/components 3.4 fails on that list.
function coloring(components: Xml[]): Xml[] {
  return components.map((component, i) => element('Color', { Color: hexOf(PART_COLORS[i]) }, component));
}

const hexOf = (color: readonly number[]): string =>
  color
    .map(value => value.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();

function componentElement({ ifcGuid, name }: BcfComponent): Xml {
  if (ifcGuid !== undefined) return element('Component', { IfcGuid: ifcGuid });
  // BCF 3.0 does not allow blank identifiers.
  return element('Component', {}, ...(name.trim() === '' ? [] : [element('AuthoringToolId', {}, name)]));
}

function cameraElement(
  version: BcfVersion,
  { position, direction, up, fieldOfView, aspectRatio }: Camera,
): Xml {
  return element(
    'PerspectiveCamera',
    {},
    vectorElement('CameraViewPoint', position),
    vectorElement('CameraDirection', direction),
    vectorElement('CameraUpVector', up),
    element('FieldOfView', {}, fieldOfView),
    ...(version === '2.1' ? [] : [element('AspectRatio', {}, aspectRatio)]),
  );
}

function vectorElement(name: string, [x, y, z]: Vector): Xml {
  return element(name, {}, element('X', {}, x), element('Y', {}, y), element('Z', {}, z));
}
