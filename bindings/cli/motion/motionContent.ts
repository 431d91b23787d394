// Builds the content of the page of a motion search: the parts, the keys of their motion, and their contacts.
import { basename } from 'node:path';
import { isMoving } from '../../motion/frames.js';
import { DoubleLists, storeFrame } from '../../motion/storedMotion.js';
import { upAxisOf } from '../../report/bcf/bcfFrame.js';
import { deduplicateMeshes } from '../../report/deduplicateMeshes.js';
import { lengthsOf } from '../../report/makeContent.js';
import type {
  Moment,
  MotionContent,
  MotionPair,
  PlacedPart,
  StoredMotion,
} from '../../report/motionContent.js';
import { sortFindings } from './asText.js';
import { chainTo, type Mechanism, placePart } from './mechanism.js';
import { firstInterval } from './meetingPlace.js';
import { meetingText } from './meetingText.js';
import { MOTION_CLASSES } from './motionClasses.js';
import type { MotionSearch } from './search.js';

/**
 * Returns the content. Pairs are in the order of `sortFindings`, motion by motion. Each motion of the search
 * must have its `moments`.
 */
export function motionContent({ parts, unit, up, motions }: MotionSearch): MotionContent {
  const doubles = new DoubleLists();
  const files = [...new Set(parts.map(({ file }) => file))];
  const { meshes, meshOfPart } = deduplicateMeshes(parts);
  // The placements at the start of the first motion. A motion stores only the parts that move or are placed
  // differently.
  const [{ mechanism: first }] = motions;
  const transforms = parts.map((_, part) => placePart(first, part, first.start, first.start));
  const pairs: MotionPair[] = [];
  const moments: Moment[] = [];
  const contacts: MotionContent['contacts'] = [];
  for (const [motion, { listed, moments: found }] of motions.entries()) {
    for (const finding of sortFindings(listed)) {
      const { a, b, class: kind } = finding;
      const begin = moments.length;
      for (const { contact, ...times } of found!.get(finding)!) {
        moments.push({ a, b, ...times, point: contact.point, ...lengthsOf(contact) });
        contacts.push(contact);
      }
      pairs.push({
        ...{ a, b, class: kind, motion },
        summary: meetingText(finding, unit),
        moments: [begin, moments.length],
        first: begin + firstInterval(finding),
      });
    }
  }
  const stored = motions.map(({ mechanism }) => storeMotion(mechanism, transforms, doubles));
  return {
    header: {
      files: files.map(file => basename(file)),
      up: upAxisOf(up, parts),
      parts: parts.map(({ name, id, type, objectType, storey, layer, assembly, color, file }, i) => ({
        ...{ name, id, type, objectType, storey, layer, assembly, color },
        file: files.indexOf(file),
        mesh: meshOfPart[i],
        transform: [...transforms[i]],
      })),
      meshes: meshes.map(({ positions, indices }) => ({
        positions: positions.length,
        indices: indices.length,
      })),
      motions: stored,
      classes: MOTION_CLASSES,
      pairs,
      clashes: moments,
      doubles: doubles.lists.map(({ length }) => length),
      unit,
    },
    meshes,
    contacts,
    doubles: doubles.lists,
  };
}

// Stores the parts that move or whose placements differ from `transforms`, and the frames above the moving
// parts.
function storeMotion(mechanism: Mechanism, transforms: Float64Array[], doubles: DoubleLists): StoredMotion {
  const { name, start, end, frames, attached } = mechanism;
  const chains = attached.map(({ frame }) => chainTo(frames, frame));
  const moves = chains.map(chain => chain.some(frame => isMoving(frames[frame])));
  const used = [...new Set(chains.filter((_, part) => moves[part]).flat())].sort((x, y) => x - y);
  const indexOf = new Map(used.map((frame, index) => [frame, index]));
  const placed = attached.flatMap(({ frame, local }, part): PlacedPart[] => {
    if (moves[part]) return [{ part, frame: indexOf.get(frame!), local: [...local] }];
    const still = placePart(mechanism, part, start, start);
    return still.every((value, i) => value === transforms[part][i]) ? [] : [{ part, local: [...still] }];
  });
  return {
    ...{ name, start, end, placed },
    frames: used.map(frame => {
      const { parent, placement } = frames[frame];
      return storeFrame(
        { parent: parent === undefined ? undefined : indexOf.get(parent), placement },
        doubles,
      );
    }),
  };
}
