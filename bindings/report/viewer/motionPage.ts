// The page of a motion search: draws the parts in their poses, and keeps the time, the timelines and the view
// in sync.
import type { MotionContent, MotionPair } from '../motionContent.js';
import { contactBox } from './contactShape.js';
import { makeRanges } from './details.js';
import { byId } from './elements.js';
import { handleKeys, type KeyCommands } from './keys.js';
import { showPairDetails } from './motionDetails.js';
import { makeButton, makeHelp, openHelp } from './pageButtons.js';
import { type Placement, placeParts } from './placement.js';
import { Player } from './player.js';
import { growByMotions, Poses } from './poses.js';
import { watchTheme } from './theme.js';
import { Timeline } from './timeline.js';
import { Toolbar } from './toolbar.js';
import { View } from './view.js';
import { viewCommands } from './viewCommands.js';

export class MotionPage {
  readonly view: View;
  private readonly poses: Poses[];
  private readonly placement: Placement;
  private readonly player: Player;
  private readonly toolbar: Toolbar;
  private readonly timeline: Timeline | undefined;
  private readonly details = byId('details');
  // The pair of each moment.
  private readonly pairOf: number[];
  // The moment that was selected last.
  private selected: number | undefined;
  // The motion whose poses are shown.
  private posed: number | undefined;
  // The moment whose button is pressed in the panel of details.
  private detailed: number | undefined;

  constructor(private readonly content: MotionContent) {
    const { header, doubles } = content;
    const { motions, pairs, classes } = header;
    this.poses = motions.map(motion => new Poses(motion, doubles));
    this.pairOf = pairs.flatMap(({ moments: [begin, end] }, pair) =>
      Array.from({ length: end - begin }, () => pair),
    );
    // The element is shown first, because the view needs its size.
    byId('view').hidden = false;
    this.placement = placeParts(content, (sceneBox, meshBoxes) =>
      growByMotions(sceneBox, meshBoxes, content, this.poses),
    );
    this.view = new View(
      content,
      this.placement,
      {
        kindOf: moment => classes.indexOf(pairs[this.pairOf[moment]].class),
        // Only moments of one motion are shown at a time. They are sorted, worst first.
        compare: (x, y) => x - y,
      },
      moment => this.select(moment),
      () => this.updateRoles(),
    );
    const { stage } = this.view;
    this.showNotice(stage !== undefined);
    this.player = new Player(motions, () => this.showTime());
    this.toolbar = new Toolbar(this.view, header);
    this.timeline = stage && new Timeline(header, moment => this.select(moment));
    watchTheme(classes, palette => this.view.paint(palette));
    makeButton('fit', () => this.clear(), !stage);
    makeButton('screenshot', () => this.save(), !stage);
    makeHelp();
    handleKeys(byId('grid'), undefined, { '?': openHelp, ...(stage ? this.commands() : {}) });
    this.player.show(0, motions[0].start);
  }

  /** The state of the page, for tests. */
  state(): object {
    const { motion, time, isPlaying } = this.player;
    return {
      ...{ selected: this.selected, motion, time, isPlaying },
      boxes: this.placement.fileBoxes.map(({ min, max }) => [min.toArray(), max.toArray()]),
      ...this.view.state(),
    };
  }

  // Selects a moment: shows the parts as they are at its time, and their contact.
  private select(moment: number): void {
    const { time, inside } = this.content.header.clashes[moment];
    const pair = this.pairOf[moment];
    this.selected = moment;
    this.player.show(this.pair(moment).motion, time, inside);
    this.details.hidden = false;
    this.view.makeRoom(this.details);
    this.timeline?.select(pair);
    // Also fills the panel of details, because the roles of the parts change.
    this.view.showClash(moment);
  }

  private clear(): void {
    this.selected = undefined;
    this.details.hidden = true;
    this.view.makeRoom(this.details);
    this.timeline?.select(undefined);
    this.view.showAll();
  }

  private pair(moment: number): MotionPair {
    return this.content.header.pairs[this.pairOf[moment]];
  }

  // Selects the pair that is `pairs` rows below the selected pair in the list, clamped to the list. If no
  // pair is selected, rows are counted from above the first row or from below the last row.
  private step(pairs: number): void {
    const { pairs: all } = this.content.header;
    if (all.length === 0) return;
    const from = this.selected === undefined ? (pairs > 0 ? -1 : all.length) : this.pairOf[this.selected];
    this.select(all[Math.min(all.length - 1, Math.max(0, from + pairs))].first);
  }

  private commands(): KeyCommands {
    const { view, player } = this;
    return {
      ArrowDown: () => this.step(1),
      ArrowUp: () => this.step(-1),
      Home: () => this.step(-Infinity),
      End: () => this.step(Infinity),
      ArrowLeft: () => player.step(-1),
      ArrowRight: () => player.step(1),
      p: () => player.toggle(),
      ...viewCommands(
        view,
        this.toolbar,
        () => this.clear(),
        () => this.save(),
      ),
    };
  }

  // Shows the poses of the parts at the time of the player.
  private showTime(): void {
    const { motion, time, inside, fraction } = this.player;
    const { parts, pairs } = this.content.header;
    if (motion !== this.posed) {
      if (this.posed !== undefined)
        this.view.moveParts(
          this.poses[this.posed].placed.map(({ part }) => [part, parts[part].transform] as const),
        );
      this.posed = motion;
      if (this.selected !== undefined && this.pair(this.selected).motion !== motion) this.clear();
      this.view.setListed(pairs.filter(pair => pair.motion === motion).map(({ first }) => first));
    }
    this.view.moveParts(this.poses[motion].at(time, inside));
    this.timeline?.setTime(motion, fraction);
    if (this.selected !== undefined && this.shownMoment() !== this.detailed) this.showDetails(this.selected);
  }

  private updateRoles(): void {
    this.toolbar.update();
    if (this.selected !== undefined && !this.details.hidden) this.showDetails(this.selected);
  }

  private showDetails(moment: number): void {
    const { view } = this;
    this.detailed = this.shownMoment();
    showPairDetails(
      this.details,
      this.content.header,
      this.pairOf[moment],
      this.detailed,
      makeRanges(
        contactBox(this.content, this.placement, moment),
        this.content.header.clashes[moment].isTouching,
        this.placement.modelSize,
      ),
      {
        previous: () => this.step(-1),
        next: () => this.step(1),
        close: () => this.clear(),
        isHidden: part => view.roles.isHidden(part),
        toggleHidden: part => view.toggleHidden(part),
      },
      chosen => this.select(chosen),
    );
  }

  // Returns the selected moment if the poses at its time are shown, because its contact is drawn only then.
  private shownMoment(): number | undefined {
    if (this.selected === undefined) return undefined;
    const { time, inside } = this.content.header.clashes[this.selected];
    return this.player.time === time && this.player.inside === inside ? this.selected : undefined;
  }

  // Without WebGL, the page has the timelines only.
  private showNotice(hasView: boolean): void {
    const notice = byId('no-view');
    notice.hidden = hasView;
    notice.textContent =
      'This browser does not support WebGL, so there is no 3D view. The timelines are complete.';
    byId('view').hidden = !hasView;
  }

  private save(): void {
    const { parts, files, motions } = this.content.header;
    let name = `${files.join(', ')}, ${motions[this.player.motion].name}`;
    if (this.selected !== undefined) {
      const { a, b } = this.pair(this.selected);
      name = `${parts[a].name} and ${parts[b].name}`;
    }
    this.view.save(name, `${name}: ${this.player.timeText}`);
  }
}
