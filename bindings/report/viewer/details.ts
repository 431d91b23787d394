// The panel over the 3D view: the two parts of the selected clash, its class, triangle counts and location.
import type { Box3 } from 'three';
import { areaText, lengthText, volumeText } from '../../formats/units.js';
import { changeText } from '../changes.js';
import { CLASS_DESCRIPTIONS, depthText, describeFinding, upperText } from '../clashClasses.js';
import type { ReportClash, ReportContent, ReportRegions, SceneHeader } from '../content.js';
import { make, makeName } from './elements.js';
import { formatCoordinates, formatCount, formatDirection, plural } from './format.js';

/** The actions of the panel's buttons, and which parts the user has hidden. */
export interface Steps {
  previous(): void;
  next(): void;
  close(): void;
  isHidden(part: number): boolean;
  toggleHidden(part: number): void;
}

/**
 * Fills and shows the panel.
 *
 * @param rowIndex - Index of the clash in the list; -1 if a filter hides it.
 * @param listed - Number of clashes in the list.
 * @param group - The name of the clash's group, if it has one.
 * @param shared - The box of the contact (see `contactBox`).
 * @param modelSize - The largest absolute coordinate of the parts.
 * @param review - The element with the status and the comments of the clash.
 */
export function showDetails(
  panel: HTMLElement,
  { header }: ReportContent,
  clash: number,
  rowIndex: number,
  listed: number,
  group: string | undefined,
  shared: Box3,
  modelSize: number,
  review: HTMLElement,
  steps: Steps,
): void {
  const { a, b, triangleCountA, triangleCountB, trianglePairs, regions } = header.clashes[clash];
  for (const child of [...panel.children]) if (child !== review) child.remove();
  panel.prepend(
    makeSteps(rowIndex, listed, steps),
    makePart('a', a, triangleCountA, header, steps),
    makePart('b', b, triangleCountB, header, steps),
    makeWhat(header.clashes[clash], group, header),
    makeRanges(shared, trianglePairs > 0, modelSize),
    ...(regions ? [makeRegions(regions, header.unit, modelSize)] : []),
  );
  // An element that stays in the page keeps the focus.
  if (review.parentElement !== panel) panel.append(review);
  panel.hidden = false;
}

/**
 * Makes the bar that shows the position of a clash in the list. Its buttons select the previous or the next
 * clash, or show all parts. `noun`: what a row of the list is called.
 */
export function makeSteps(
  rowIndex: number,
  listed: number,
  { previous, next, close }: Steps,
  noun = 'clash',
): HTMLElement {
  const bar = make('div', 'steps');
  const button = (text: string, label: string, isOff: boolean, press: () => void): HTMLElement => {
    const element = make('button', 'step', text, {
      type: 'button',
      'aria-label': label,
      title: label,
    }) as HTMLButtonElement;
    element.disabled = isOff;
    element.addEventListener('click', press);
    return element;
  };
  bar.append(
    make(
      'span',
      'quiet',
      rowIndex < 0 ? 'not in the list' : `${formatCount(rowIndex + 1)} of ${formatCount(listed)}`,
    ),
    button('\u2191', `Previous ${noun} (arrow up)`, rowIndex <= 0, previous),
    button('\u2193', `Next ${noun} (arrow down)`, rowIndex < 0 || rowIndex >= listed - 1, next),
    button('\u00d7', 'Show all parts (Esc)', false, close),
  );
  return bar;
}

/** Makes the lines that describe a part. `lit` is the number of its triangles in the contact. */
export function makePart(
  role: 'a' | 'b',
  part: number,
  lit: number,
  { parts, meshes, files }: SceneHeader,
  { isHidden, toggleHidden }: Steps,
): HTMLElement {
  const { name, mesh, file, id, type, objectType, storey, layer, assembly } = parts[part];
  const row = make('div', `part ${role}`);
  row.append(
    makeName(name),
    make(
      'span',
      'quiet',
      lit > 0
        ? `${formatCount(lit)} of ${plural(meshes[mesh].indices / 3, 'triangle')}`
        : plural(meshes[mesh].indices / 3, 'triangle'),
    ),
  );
  const identity = [
    type,
    objectType,
    storey,
    layer,
    assembly,
    id,
    ...(files.length > 1 ? [files[file]] : []),
  ].filter(Boolean);
  if (identity.length > 0) row.append(make('bdi', 'quiet identity', identity.join(', ')));
  const hide = make('button', 'hide', isHidden(part) ? 'Show' : 'Hide', {
    type: 'button',
    title: isHidden(part) ? 'Show this part' : 'Hide this part',
    'aria-pressed': `${isHidden(part)}`,
  });
  hide.addEventListener('click', () => toggleHidden(part));
  row.append(hide);
  return row;
}

function makeWhat(
  clash: ReportClash,
  group: string | undefined,
  { unit, comparison }: ReportContent['header'],
): HTMLElement {
  const {
    class: kind,
    depth,
    direction,
    volume,
    contactLength,
    contactArea,
    size,
    trianglePairs,
    isDuplicate,
    isAllowed,
    relation,
    rule,
    change,
    previousClass,
  } = clash;
  const what = make('div', 'meets');
  const first = make('p', 'first');
  first.append(
    make('strong', `kind ${kind}`, kind),
    ` ${describeFinding(clash, unit)}${isAllowed ? ', allowed' : relation ? ', related' : ''}`,
  );
  const facts = [
    ...(depth > 0 && !isDuplicate
      ? [`The first part separates along ${formatDirection(direction)}.`]
      : [`${CLASS_DESCRIPTIONS[kind][0].toUpperCase()}${CLASS_DESCRIPTIONS[kind].slice(1)}.`]),
    ...(volume ? [`The common volume is ${volumeText(volume.upper, unit)}.`] : []),
    ...(size > 0 ? [`The contact extends over ${lengthText(size, unit)}.`] : []),
    ...(contactLength && contactLength.upper > 0
      ? [`Its curves are ${upperText(contactLength, lengthText, unit)} long.`]
      : []),
    ...(contactArea && contactArea.upper > 0
      ? [`Its area is ${upperText(contactArea, areaText, unit)}.`]
      : []),
    ...(trianglePairs > 0
      ? [`${plural(trianglePairs, 'triangle pair')} ${trianglePairs === 1 ? 'intersects' : 'intersect'}.`]
      : []),
    ...(relation ? [`The file relates the two elements by ${relation}.`] : []),
    ...(change ? [`Compared with ${comparison!.baseline}: ${changeText({ change, previousClass })}.`] : []),
    ...(rule ? [`Rule: ${rule}.`] : []),
    ...(group ? [`Group: ${group}.`] : []),
  ];
  what.append(first, make('p', 'quiet', facts.join(' ')));
  return what;
}

// Makes the list of the contact regions. It is closed at first, because it may be long.
function makeRegions(
  { count, list }: ReportRegions,
  unit: ReportContent['header']['unit'],
  modelSize: number,
): HTMLElement {
  const all = make('details', 'regions');
  const items = make('ol', '');
  for (const region of list) {
    const { depth, volume, contactLength, contactArea, point } = region;
    const figures = [
      ...(depth > 0 ? [depthText(region, unit)] : ['touch']),
      ...(volume && volume.upper > 0 ? [`volume ${volumeText(volume.upper, unit)}`] : []),
      ...(contactLength && contactLength.upper > 0
        ? [`curves ${upperText(contactLength, lengthText, unit)} long`]
        : []),
      ...(contactArea && contactArea.upper > 0
        ? [`shared area ${upperText(contactArea, areaText, unit)}`]
        : []),
      `at ${formatCoordinates(point, modelSize).join(', ')}`,
    ];
    items.append(make('li', '', figures.join('; ')));
  }
  all.append(make('summary', '', plural(count, 'region')), items);
  if (count > list.length)
    all.append(make('p', '', `and ${formatCount(count - list.length)} more, in the JSON of the same run`));
  return all;
}

/**
 * Makes a list of the box's ranges along x, y and z. With these coordinates, a user can find the clash in the
 * program that wrote the file.
 */
export function makeRanges(box: Box3, isShared: boolean, modelSize: number): HTMLElement {
  const table = make('dl', 'ranges', undefined, {
    title: `${isShared ? 'The box of all shared points' : 'The location of the nearest points or of the inner part'}, in the coordinates of the files`,
  });
  const texts = formatCoordinates([...box.min, ...box.max], modelSize);
  for (const [i, axis] of ['x', 'y', 'z'].entries()) {
    const min = texts[i];
    const max = texts[i + 3];
    table.append(make('dt', '', axis), make('dd', '', min === max ? min : `${min} to ${max}`));
  }
  return table;
}
