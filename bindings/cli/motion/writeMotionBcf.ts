// Writes the BCF file of a motion: one topic for each listed pair of parts, with a viewpoint and a picture
// that show the two parts where and when they meet first.
import { motionPairGuid, partKeys } from '../../report/bcf/guids.js';
import { changeLabels, changeLines } from '../../report/changes.js';
import type { BcfTarget } from '../clash/bcf/bcfOptions.js';
import { writeTopics } from '../clash/bcf/writeBcf.js';
import { changesOf } from '../clash/changesOf.js';
import type { NamedPart } from '../clash/readModel.js';
import type { Progress } from '../progress.js';
import { secondsText, sortFindings } from './asText.js';
import type { MotionFinding } from './findContacts.js';
import { firstTime } from './meetingPlace.js';
import { meetingText } from './meetingText.js';
import type { MotionReport, MotionSearch } from './search.js';

/**
 * Writes the BCF file. The same content gives the same bytes: all dates are the dates of the model's files,
 * and GUIDs are derived from the parts and the names of the motions.
 *
 * @returns The size of the file in bytes.
 * @throws BcfFailed; a file that existed at the path is then unchanged.
 */
export function writeMotionBcf(
  target: BcfTarget,
  { parts, unit, up, motions, comparison }: MotionSearch,
  progress: Progress,
): Promise<number> {
  const keys = partKeys(parts);
  const found = motions.flatMap(motion => sortFindings(motion.listed).map(finding => ({ motion, finding })));
  // Each topic shows its two parts where they are at `place.time`.
  const placed = found.flatMap(({ finding: { a, b, place } }): NamedPart[] => [
    { ...parts[a], transform: place.placements[0] },
    { ...parts[b], transform: place.placements[1] },
  ]);
  const changes = changesOf(
    comparison,
    found.map(({ finding }) => finding),
  );
  const topics = found.map(({ motion, finding }, index) => {
    const { a, b, class: kind, place } = finding;
    const change = changes.get(finding);
    return {
      guid: motionPairGuid(keys[a], keys[b], motion.name),
      subject: {
        a: 2 * index,
        b: 2 * index + 1,
        class: kind,
        titleEnd: ` (${motion.name}, ${secondsText(firstTime(finding))})`,
        labels: [motion.name, ...changeLabels(change)],
        summary: meetingText(finding, unit),
        details: [...detailsOf(motion, finding), ...changeLines(change)],
      },
      index,
      point: place.point,
      box: place.box,
    };
  });
  return writeTopics(target, { parts: placed, model: parts, unit, up, topics }, progress);
}

function detailsOf({ name, start, end }: MotionReport, { intervals, place }: MotionFinding): string[] {
  const times = intervals.map(({ from, to }) => `${secondsText(from)} to ${secondsText(to)}`);
  return [
    `motion: ${name}, ${secondsText(start)} to ${secondsText(end)}`,
    ...(times.length > 0 ? [`intervals: ${times.join(', ')}`] : []),
    `the picture shows the parts at ${secondsText(place.time)}`,
  ];
}
