// Makes XML schemas for the elements of BCF that pfront writes, from tables of the rules of BCF 2.1 and 3.0:
// the order of elements, how often each occurs, its attributes and its type. Validates documents against these
// schemas with libxml2. Elements and attributes that are not in the tables are errors.

import { type Complex, type Element, validateXml } from './xmlSchema.js';

export type Version = '2.1' | '3.0';

// The simple types. In BCF 3.0, text must not be blank; BCF 2.1 limits the field of view.
const typesOf = (version: Version): string => `
  <xs:simpleType name="Text"><xs:restriction base="xs:string">${
    version === '2.1' ? '' : '<xs:minLength value="1"/><xs:whiteSpace value="collapse"/>'
  }</xs:restriction></xs:simpleType>
  <xs:simpleType name="Guid"><xs:restriction base="xs:string">
    <xs:pattern value="[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}"/></xs:restriction></xs:simpleType>
  <xs:simpleType name="IfcGuid"><xs:restriction base="xs:string">
    <xs:pattern value="[0-9A-Za-z_$]{22}"/></xs:restriction></xs:simpleType>
  <xs:simpleType name="Rgb"><xs:restriction base="xs:string">
    <xs:pattern value="[0-9A-F]{6}"/></xs:restriction></xs:simpleType>
  <xs:simpleType name="Angle"><xs:restriction base="xs:double">
    <xs:minInclusive value="45"/><xs:maxInclusive value="60"/></xs:restriction></xs:simpleType>
  <xs:simpleType name="Ratio"><xs:restriction base="xs:double">
    <xs:minExclusive value="0"/></xs:restriction></xs:simpleType>`;

const POINT: Complex = {
  elements: [
    ['X', 'xs:double'],
    ['Y', 'xs:double'],
    ['Z', 'xs:double'],
  ],
};
const component = (number: string): Element => [
  `Component${number}`,
  { attributes: { IfcGuid: 'IfcGuid?' }, elements: [['AuthoringToolId?', 'Text']] },
];
const list = (name: string, item: string): Element => [name, { elements: [[`${item}*`, 'Text']] }];

const viewpointIn = (name: string): Element => [
  name,
  {
    attributes: { Guid: 'Guid' },
    elements: [
      ['Viewpoint?', 'Text'],
      ['Snapshot?', 'Text'],
    ],
  },
];
const FILE: Complex = {
  elements: [
    ['Filename?', 'Text'],
    ['Date?', 'xs:dateTime'],
  ],
};

// This element is the same in both versions, except for children that pfront does not write.
const COMMENT: Element = [
  'Comment*',
  {
    attributes: { Guid: 'Guid' },
    elements: [
      ['Date', 'xs:dateTime'],
      ['Author', 'Text'],
      ['Comment', 'Text'],
    ],
  },
];

function markup(version: Version): Element {
  const isOld = version === '2.1';
  return [
    'Markup',
    {
      elements: [
        ['Header?', { elements: isOld ? [['File+', FILE]] : [['Files?', { elements: [['File*', FILE]] }]] }],
        [
          'Topic',
          {
            attributes: { Guid: 'Guid', TopicType: 'Text', TopicStatus: 'Text' },
            elements: [
              ['Title', 'Text'],
              ['Index?', 'xs:int'],
              isOld ? ['Labels*', 'Text'] : list('Labels?', 'Label'),
              ['CreationDate', 'xs:dateTime'],
              ['CreationAuthor', 'Text'],
              ['Description?', 'Text'],
              ...(isOld
                ? []
                : ([
                    ['Comments?', { elements: [COMMENT] }],
                    ['Viewpoints?', { elements: [viewpointIn('ViewPoint*')] }],
                  ] as Element[])),
            ],
          },
        ],
        ...(isOld ? [COMMENT, viewpointIn('Viewpoints*')] : []),
      ],
    },
  ];
}

// Optional in both versions; pfront writes it in 2.1 only.
const COLORING: Element = [
  'Coloring?',
  { elements: [['Color+', { attributes: { Color: 'Rgb' }, elements: [component('+')] }]] },
];

function visualizationInfo(version: Version): Element {
  return [
    'VisualizationInfo',
    {
      attributes: { Guid: 'Guid' },
      elements: [
        [
          'Components?',
          {
            elements: [
              ['Selection?', { elements: [component('+')] }],
              [
                'Visibility',
                {
                  attributes: { DefaultVisibility: 'xs:boolean?' },
                  elements: [['Exceptions?', { elements: [component('+')] }]],
                },
              ],
              ...(version === '2.1' ? [COLORING] : []),
            ],
          },
        ],
        [
          'PerspectiveCamera',
          {
            elements: [
              ['CameraViewPoint', POINT],
              ['CameraDirection', POINT],
              ['CameraUpVector', POINT],
              ['FieldOfView', 'Angle'],
              ...(version === '2.1' ? [] : [['AspectRatio', 'Ratio'] as Element]),
            ],
          },
        ],
      ],
    },
  ];
}

const versionFile = (version: Version): Element => [
  'Version',
  {
    attributes: { VersionId: 'xs:string' },
    elements: version === '2.1' ? [['DetailedVersion?', 'xs:string']] : [],
  },
];

const EXTENSIONS: Element = [
  'Extensions',
  {
    elements: [
      list('TopicTypes?', 'TopicType'),
      list('TopicStatuses?', 'TopicStatus'),
      list('Priorities?', 'Priority'),
      list('TopicLabels?', 'TopicLabel'),
      list('Users?', 'User'),
      list('SnippetTypes?', 'SnippetType'),
      list('Stages?', 'Stage'),
    ],
  },
];

// Returns the root element of a file of an archive, or undefined if the archive must not have such a file.
function rootOf(version: Version, path: string): Element | undefined {
  if (path === 'bcf.version') return versionFile(version);
  if (path === 'extensions.xml') return version === '3.0' ? EXTENSIONS : undefined;
  if (/^[a-f0-9-]{36}\/markup\.bcf$/.test(path)) return markup(version);
  return /^[a-f0-9-]{36}\/viewpoint\.bcfv$/.test(path) ? visualizationInfo(version) : undefined;
}

/** Validates an XML document of an archive. @throws if it breaks a rule of BCF */
export function validate(version: Version, path: string, text: string): void {
  const root = rootOf(version, path);
  if (!root) throw new Error(`${path} is not a file of BCF ${version}`);
  validateXml(text, root, typesOf(version));
}
