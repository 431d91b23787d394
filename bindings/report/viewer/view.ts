// The 3D view with its tools: draws the parts, the section box, the measured distance, and either the markers
// or the contact of the selected clash. Also handles clicks.
import { type Box3, Matrix4, Vector3 } from 'three';
import type { SceneContent } from '../content.js';
import { contactBox } from './contactShape.js';
import { ContactView } from './contactView.js';
import { byId } from './elements.js';
import { type MarkerOrder, Markers } from './markers.js';
import { Measure } from './measure.js';
import { Model, type Palette } from './model.js';
import { PartRoles } from './partRoles.js';
import { Picker, watchClicks } from './picker.js';
import { movePart, type Placement } from './placement.js';
import { saveScreenshot } from './screenshot.js';
import { SectionBox } from './sectionBox.js';
import { Stage } from './stage.js';

/** The section box around a clash extends beyond the contact by this share of the smaller part's size. */
const SECTION_MARGIN = 0.15;
/** Around a contact, at least this share of the smaller part's size is visible. */
const VIEW_MARGIN = 0.3;

export class View {
  readonly roles = new PartRoles();
  readonly model: Model;
  readonly contact: ContactView;
  readonly markers: Markers;
  readonly section: SectionBox;
  readonly measure: Measure;
  /** Undefined if the browser has no WebGL. */
  readonly stage: Stage | undefined;
  private readonly picker: Picker | undefined;
  private selected: number | undefined;
  private palette: Palette | undefined;

  /**
   * Creates the view.
   *
   * @param onSelect - Called when a marker is clicked.
   * @param onRoles - Called when parts were hidden, isolated, picked or shown.
   */
  constructor(
    private readonly content: SceneContent,
    private readonly placement: Placement,
    order: MarkerOrder,
    private readonly onSelect: (clash: number) => void,
    private readonly onRoles: () => void,
  ) {
    this.model = new Model(content, placement);
    this.contact = new ContactView(content, placement);
    this.markers = new Markers(content, placement, order);
    this.section = new SectionBox(placement, () => this.stage?.setPlanes(this.section.planes));
    this.measure = new Measure(placement, content.header.unit, () => this.stage?.redraw());
    const canvas = byId<HTMLCanvasElement>('canvas');
    this.stage = this.makeStage(canvas);
    if (!this.stage) return;
    this.picker = new Picker(canvas, this.stage.camera);
    watchClicks(canvas, (x, y) => this.click(x, y));
  }

  /** Sets the clashes that have a marker in the overview. */
  setListed(clashes: readonly number[]): void {
    // Sorting the table does not change the markers, and in the view of a clash they are not drawn.
    if (this.markers.show(clashes) && this.markers.points.visible) this.stage?.redraw();
  }

  /** Shows a clash. */
  showClash(clash: number): void {
    this.selected = clash;
    const { a, b } = this.content.header.clashes[clash];
    const { boxes, fileToStage } = this.placement;
    this.roles.clash = this.content.header.clashes[clash];
    this.roles.picked = undefined;
    this.contact.show(clash);
    this.markers.points.visible = false;
    if (this.section.isVisible && this.section.followsClash) this.cutAroundClash();
    this.update();
    this.stage?.flyToBox(
      contactBox(this.content, this.placement, clash).applyMatrix4(fileToStage),
      boxes[a].clone().union(boxes[b]).getCenter(new Vector3()),
      VIEW_MARGIN * smallerSize(boxes[a], boxes[b]),
    );
  }

  /** Shows all parts that are not hidden, and the markers. */
  showAll(): void {
    this.selected = undefined;
    this.roles.clash = undefined;
    this.roles.picked = undefined;
    this.roles.isIsolated = false;
    this.contact.show(undefined);
    this.markers.points.visible = true;
    this.update();
    this.stage?.flyHome();
  }

  /**
   * Moves parts, and hides the contact and the measured distance, because they belong to another time.
   *
   * @param placements - Parts and their 4x4 matrices, column-major, from the mesh to the coordinates of the
   * files.
   */
  moveParts(placements: Iterable<readonly [part: number, transform: ArrayLike<number>]>): void {
    const { parts } = this.content.header;
    for (const [part, transform] of placements) {
      movePart(this.placement, part, parts[part].mesh, new Matrix4().fromArray(transform));
      this.model.place(part);
    }
    this.contact.show(undefined);
    if (this.measure.isActive) this.measure.setOn(true);
    this.stage?.redraw();
  }

  /**
   * Switches off the measuring tool or, if it is already off, clears the picked part.
   *
   * @returns Whether the measuring tool was on or a part was picked.
   */
  leaveTool(): boolean {
    const { measure, roles } = this;
    if (measure.isActive) measure.setOn(false);
    else if (roles.picked !== undefined) this.pick(undefined);
    else return false;
    return true;
  }

  /** Centers the view beside a panel, if the panel lies over it and leaves enough space. */
  makeRoom(panel: HTMLElement): void {
    const isOver = getComputedStyle(panel).position === 'absolute';
    const width = panel.hidden || !isOver ? 0 : panel.offsetLeft + panel.offsetWidth;
    this.stage?.setInset(width < 0.6 * panel.parentElement!.clientWidth ? width : 0);
  }

  /** Hides a part, or shows it again. */
  toggleHidden(part: number): void {
    this.roles.toggleHidden(part);
    this.update();
  }

  /** Redraws the parts after their roles have changed. */
  update(): void {
    this.model.show(part => this.roles.roleOf(part));
    this.stage?.redraw();
    this.onRoles();
  }

  /** Hides the picked part. */
  hidePicked(): void {
    const { picked } = this.roles;
    if (picked === undefined) return;
    this.roles.toggleHidden(picked);
    this.pick(undefined);
  }

  /**
   * Shows only the picked part or, if no part is picked, only the two parts of the clash. If other parts are
   * already hidden in this way, shows them again.
   */
  toggleIsolated(): void {
    if (!this.roles.canIsolate) return;
    this.roles.isIsolated = !this.roles.isIsolated;
    this.update();
  }

  /** Switches the section box on or off. It starts around the selected clash, or around all parts. */
  toggleSection(): void {
    if (!this.section.isVisible) {
      if (this.selected === undefined) this.section.set(undefined);
      else this.cutAroundClash();
    }
    this.section.setOn(!this.section.isVisible);
  }

  /** Sets the section box around the selected clash. */
  cutAroundClash(): void {
    if (this.selected === undefined) return;
    const { a, b } = this.content.header.clashes[this.selected];
    const { fileBoxes } = this.placement;
    const margin = SECTION_MARGIN * smallerSize(fileBoxes[a], fileBoxes[b]);
    this.section.set(contactBox(this.content, this.placement, this.selected).expandByScalar(margin));
    this.section.followsClash = true;
  }

  paint(palette: Palette): void {
    this.palette = palette;
    this.model.paint(palette);
    this.contact.paint(palette.lit);
    this.markers.paint(palette.kinds);
    this.section.paint(palette.tool);
    this.measure.paint(palette.tool);
    this.stage?.setBackground(palette.background);
  }

  /** Saves the view as a picture. `name`: the name of the file; `caption`: the line below the picture. */
  save(name: string, caption: string): void {
    if (!this.stage || !this.palette) return;
    const { color } = getComputedStyle(document.body);
    void saveScreenshot(this.stage.capturePicture(), caption, name, color, this.palette.background);
  }

  /** The state of the view, for tests. */
  state(): object {
    const { stage, model, contact, markers, section, measure } = this;
    const { min, max } = section.fileBox;
    return {
      isMoving: stage?.isMoving,
      hasPicture: stage !== undefined,
      drawCalls: stage?.drawCalls,
      pictures: stage?.pictureCount,
      contact: contact.counts,
      markers: markers.points.visible ? markers.shown : [],
      section: section.isVisible ? [min.toArray(), max.toArray()] : undefined,
      distance: measure.distance,
      roles: this.content.header.parts.map((_, part) => model.roleOf(part)),
    };
  }

  /** Returns where the markers, or the points of the selected contact, are on the canvas, in pixels. */
  screenPlaces(): ({ x: number; y: number } | undefined)[] {
    const places = this.selected === undefined ? this.markers.shownPlaces() : this.contactPoints();
    return places.map(place => this.picker?.toScreen(place));
  }

  private click(x: number, y: number): void {
    if (this.measure.isActive) {
      this.measureAt(x, y);
      return;
    }
    const { planes } = this.section;
    const { points } = this.markers;
    const marker = points.visible
      ? this.markers.nearest(x, y, place =>
          planes.every(plane => plane.distanceToPoint(place) >= 0) ? this.picker!.toScreen(place) : undefined,
        )
      : undefined;
    if (marker !== undefined) {
      this.onSelect(marker);
      return;
    }
    this.pick(this.picker!.hit(x, y, this.model.solidMeshes(), planes)?.part);
  }

  // Picks a part, or none. If nothing can be isolated any more, shows all parts again.
  private pick(part: number | undefined): void {
    this.roles.picked = part;
    if (!this.roles.canIsolate) this.roles.isIsolated = false;
    this.update();
  }

  private measureAt(x: number, y: number): void {
    const hit = this.picker!.hit(x, y, this.model.solidMeshes(), this.section.planes);
    const place = this.picker!.snap(x, y, [...this.contactPoints(), ...(hit?.corners ?? [])]) ?? hit?.place;
    if (place) this.measure.add(place);
  }

  // Returns the points of the curves and the single points of the selected clash, in the coordinates of the 3D
  // view. Returns an empty list if the contact is not drawn.
  private contactPoints(): Vector3[] {
    if (this.selected === undefined || Object.values(this.contact.counts).every(count => count === 0))
      return [];
    const { linePoints, singlePoints } = this.content.contacts[this.selected];
    const origin = new Vector3().fromArray(this.content.header.clashes[this.selected].point);
    return [linePoints, singlePoints].flatMap(points =>
      Array.from({ length: points.length / 3 }, (_, i) =>
        new Vector3()
          .fromArray(points, 3 * i)
          .add(origin)
          .applyMatrix4(this.placement.fileToStage),
      ),
    );
  }

  private makeStage(canvas: HTMLCanvasElement): Stage | undefined {
    const notice = byId('notice');
    try {
      const stage = new Stage(
        canvas,
        [this.model.root, this.contact.root, this.markers.points, this.section.outline, this.measure.root],
        this.placement.corners,
        this.content.header.up,
      );
      notice.hidden = true;
      return stage;
    } catch {
      notice.textContent =
        'This browser does not support WebGL, so there is no 3D view. The table is complete.';
      return undefined;
    }
  }
}

function smallerSize(a: Box3, b: Box3): number {
  return Math.min(...[a, b].map(box => box.getSize(new Vector3()).length()));
}
