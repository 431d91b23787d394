// Writes a BCF file of clashes with their status and comments, and shows the dialog in which the user chooses
// the clashes.
import type { Box3 } from 'three';
import { BcfArchive, MAX_TOPICS } from '../bcf/bcfArchive.js';
import { BCF_VERSIONS, type BcfVersion } from '../bcf/documents.js';
import { clashSubject } from '../bcf/topic.js';
import type { Bounds } from '../bounds.js';
import { compareFindings } from '../clashClasses.js';
import type { ReportContent } from '../content.js';
import type { ClashGroups } from './clashGroups.js';
import { contactBox } from './contactShape.js';
import { download } from './download.js';
import { byId, make } from './elements.js';
import { plural } from './format.js';
import type { Placement } from './placement.js';
import type { Reviews } from './reviews.js';

/**
 * Drawing pictures blocks the page for this long; then there is a pause in which the page shows the progress.
 */
const PAUSE_MILLISECONDS = 50;

/**
 * Returns the BCF file of these clashes, worst first.
 *
 * @param onProgress - Receives the fraction that is done, 0 to 1.
 */
export async function bcfOf(
  version: BcfVersion,
  content: ReportContent,
  placement: Placement,
  reviews: Reviews,
  groups: ClashGroups,
  clashes: readonly number[],
  onProgress: (done: number) => void,
): Promise<Uint8Array> {
  const { parts, files, fileDates, unit, up, clashes: all } = content.header;
  const archive = new BcfArchive(version, {
    parts: parts.map(part => ({
      ...part,
      ...content.meshes[part.mesh],
      transform: Float64Array.from(part.transform),
    })),
    files: files.map((name, i) => ({ name, date: fileDates[i] })),
    unit: unit!,
    up,
    boundsOfPart: part => boundsOf(placement.fileBoxes[part]),
  });
  const sorted = [...clashes].sort((x, y) => compareFindings(all[x], all[y]));
  let pausedAt = performance.now();
  for (const [index, clash] of sorted.entries()) {
    const { guid, point } = all[clash];
    const box = boundsOf(contactBox(content, placement, clash));
    const subject = clashSubject(all[clash], unit!, groups.nameOf(clash), all[clash]);
    archive.add({ guid, subject, index, point, box, ...reviews.of(guid) });
    if (performance.now() - pausedAt < PAUSE_MILLISECONDS) continue;
    onProgress((index + 1) / sorted.length);
    await new Promise(resolve => {
      setTimeout(resolve);
    });
    pausedAt = performance.now();
  }
  return archive.bytes();
}

const boundsOf = ({ min, max }: Box3): Bounds => ({ min: min.toArray(), max: max.toArray() });

export class BcfDialog {
  private readonly dialog = byId<HTMLDialogElement>('export');
  private readonly scope = byId<HTMLSelectElement>('export-scope');
  private readonly version = byId<HTMLSelectElement>('export-version');
  private readonly note = byId('export-note');
  private readonly button = byId<HTMLButtonElement>('export-save');
  private isSaving = false;

  /** @param listed - Returns the clashes in the table. */
  constructor(
    private readonly content: ReportContent,
    private readonly placement: Placement,
    private readonly reviews: Reviews,
    private readonly groups: ClashGroups,
    private readonly listed: () => readonly number[],
  ) {
    for (const version of BCF_VERSIONS)
      this.version.append(make('option', '', `BCF ${version}`, { value: version }));
    byId('export-close').addEventListener('click', () => this.dialog.close());
    this.button.addEventListener('click', () => void this.save());
    this.scope.addEventListener('change', () => this.update());
  }

  /** Opens the dialog. */
  open(): void {
    if (this.dialog.open) return;
    this.scope.replaceChildren(
      make('option', '', `the listed clashes (${this.listed().length})`, { value: 'listed' }),
      make('option', '', `clashes with a status or comments (${this.touched().length})`, {
        value: 'touched',
      }),
    );
    this.update();
    this.dialog.showModal();
  }

  private touched(): number[] {
    const { clashes } = this.content.header;
    return [...clashes.keys()].filter(clash => this.reviews.isTouched(clashes[clash].guid));
  }

  private chosen(): readonly number[] {
    return this.scope.value === 'touched' ? this.touched() : this.listed();
  }

  // Explains why nothing can be exported, if so, and enables the button otherwise.
  private update(): void {
    if (this.isSaving) return;
    const count = this.chosen().length;
    const problem =
      this.content.header.unit === undefined
        ? 'Coordinates in BCF are in meters, but the unit of the files is unknown. Create the report again with --units.'
        : count > MAX_TOPICS
          ? `A BCF file can have at most ${plural(MAX_TOPICS, 'topic')}. Choose the listed clashes, and list fewer of them.`
          : count === 0
            ? 'There are no such clashes.'
            : '';
    this.note.textContent = problem;
    this.button.disabled = problem !== '';
  }

  private async save(): Promise<void> {
    this.isSaving = true;
    this.button.disabled = true;
    let failure = '';
    try {
      const bytes = await bcfOf(
        this.version.value as BcfVersion,
        this.content,
        this.placement,
        this.reviews,
        this.groups,
        this.chosen(),
        done => {
          this.note.textContent = `Drawing pictures: ${Math.floor(100 * done)} %`;
        },
      );
      const type = 'application/octet-stream';
      download(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), this.content.header.files[0], 'bcf');
      this.dialog.close();
    } catch (error) {
      failure = `The BCF file cannot be written: ${(error as Error).message}.`;
    }
    this.isSaving = false;
    this.update();
    if (failure !== '') this.note.textContent = failure;
  }
}
