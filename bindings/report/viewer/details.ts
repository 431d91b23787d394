// A clash -> the panel over the picture: its two parts, what they are to each other, how many triangles, and
// where.
import type { Box3 } from 'three';
import { lengthText } from '../../formats/units.js';
import { describeFinding, MEANINGS } from '../classes.js';
import type { ReportClash, ReportContent } from '../content.js';
import { make, makeName } from './elements.js';
import { coordinates, count, directionText, plural } from './format.js';

export interface Steps {
  previous(): void;
  next(): void;
  close(): void;
}

/**
 * place: of the clash among those listed, from 0; -1 where the filter hides it. shared: the box of the shared
 * points, in the file's coordinates.
 */
export function showDetails(
  panel: HTMLElement,
  { header }: ReportContent,
  clash: number,
  place: number,
  listed: number,
  shared: Box3,
  steps: Steps,
): void {
  const { a, b, trianglesA, trianglesB } = header.clashes[clash];
  panel.replaceChildren(
    makeSteps(place, listed, steps),
    makePart('a', a, trianglesA, header),
    makePart('b', b, trianglesB, header),
    makeWhat(header.clashes[clash], header),
    makeRanges(shared, header.clashes[clash].trianglePairs > 0),
  );
  panel.hidden = false;
}

function makeSteps(place: number, listed: number, { previous, next, close }: Steps): HTMLElement {
  const bar = make('div', 'steps');
  const button = (text: string, label: string, isOff: boolean, press: () => void): HTMLElement => {
    const made = make('button', 'step', text, {
      type: 'button',
      'aria-label': label,
      title: label,
    }) as HTMLButtonElement;
    made.disabled = isOff;
    made.addEventListener('click', press);
    return made;
  };
  bar.append(
    make('span', 'quiet', place < 0 ? 'not in the list' : `${count(place + 1)} of ${count(listed)}`),
    button('\u2191', 'Previous clash (arrow up)', place <= 0, previous),
    button('\u2193', 'Next clash (arrow down)', place < 0 || place >= listed - 1, next),
    button('\u00d7', 'Show all parts (Esc)', false, close),
  );
  return bar;
}

function makePart(
  role: 'a' | 'b',
  part: number,
  lit: number,
  { parts, meshes, files }: ReportContent['header'],
): HTMLElement {
  const { name, mesh, file } = parts[part];
  const row = make('div', `part ${role}`);
  row.append(
    makeName(name),
    make(
      'span',
      'quiet',
      lit > 0
        ? `${count(lit)} of ${plural(meshes[mesh].indices / 3, 'triangle')}`
        : plural(meshes[mesh].indices / 3, 'triangle'),
    ),
  );
  if (files.length > 1) row.lastElementChild!.append(`, ${files[file]}`);
  return row;
}

function makeWhat(clash: ReportClash, { unit }: ReportContent['header']): HTMLElement {
  const { class: kind, depth, direction, size, trianglePairs, isDuplicate, isAllowed } = clash;
  const what = make('div', 'meets');
  const first = make('p', 'first');
  first.append(
    make('strong', `kind ${kind}`, kind),
    ` ${describeFinding(clash, unit)}${isAllowed ? ', allowed' : ''}`,
  );
  const facts = [
    ...(depth > 0 && !isDuplicate
      ? [`The first part comes free along ${directionText(direction)}.`]
      : [`${MEANINGS[kind][0].toUpperCase()}${MEANINGS[kind].slice(1)}.`]),
    ...(size > 0 ? [`The contact is ${lengthText(size, unit)} across.`] : []),
    ...(trianglePairs > 0
      ? [`${plural(trianglePairs, 'triangle pair')} ${trianglePairs === 1 ? 'shares' : 'share'} a point.`]
      : []),
  ];
  what.append(first, make('p', 'quiet', facts.join(' ')));
  return what;
}

// The box tells where to look in the program that made the file.
function makeRanges(box: Box3, isShared: boolean): HTMLElement {
  const table = make('dl', 'ranges', undefined, {
    title: `${isShared ? 'All shared points lie within this box' : 'The parts are nearest here, or one in the other'}, in the coordinates of the files`,
  });
  const texts = coordinates([...box.min, ...box.max]);
  for (const [place, axis] of ['x', 'y', 'z'].entries()) {
    const least = texts[place];
    const greatest = texts[place + 3];
    table.append(
      make('dt', '', axis),
      make('dd', '', least === greatest ? least : `${least} to ${greatest}`),
    );
  }
  return table;
}
