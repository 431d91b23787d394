// The section box of the 3D view: everything outside is cut away. Six sliders move its sides.
import { Box3, Box3Helper, type LineBasicMaterial, Plane, Vector3 } from 'three';
import { byId, make } from './elements.js';
import { formatCoordinates } from './format.js';
import type { Placement } from './placement.js';

/** Number of steps of each slider. */
const STEPS = 1000;
const AXES = ['x', 'y', 'z'] as const;
const SIDES = ['min', 'max'] as const;

export class SectionBox {
  /** The outline of the box. */
  readonly outline: Box3Helper;
  /**
   * Whether the box moves to the next clash that is selected. The caller sets this flag after placing the box
   * around a clash. `set` and the sliders clear it.
   */
  followsClash = false;
  private isOn = false;
  // The box in the coordinates of the files, and the box of all parts.
  private readonly box: Box3;
  private readonly limits: Box3;
  private readonly inputs = new Map<string, HTMLInputElement>();
  private readonly texts = new Map<string, HTMLElement>();

  /** Fills the panel. `onChange` is called when the box has changed. */
  constructor(
    private readonly placement: Placement,
    private readonly onChange: () => void,
  ) {
    this.limits = placement.sceneBox.clone();
    if (this.limits.isEmpty()) this.limits.set(new Vector3(), new Vector3());
    this.box = this.limits.clone();
    this.outline = new Box3Helper(new Box3());
    this.outline.visible = false;
    const panel = byId('section-sides');
    for (const axis of AXES) {
      panel.append(make('span', 'axis', axis));
      for (const side of SIDES) panel.append(this.makeSlider(axis, side));
    }
  }

  /** The planes that cut: none if the box is off. Points with a negative distance to a plane are cut away. */
  get planes(): Plane[] {
    if (!this.isOn) return [];
    const { min, max } = this.stageBox();
    return AXES.flatMap((_, axis) => {
      const normal = new Vector3().setComponent(axis, 1);
      return [
        new Plane(normal, -min.getComponent(axis)),
        new Plane(normal.clone().negate(), max.getComponent(axis)),
      ];
    });
  }

  get isVisible(): boolean {
    return this.isOn;
  }

  /** Switches the box on or off. */
  setOn(isOn: boolean): void {
    this.isOn = isOn;
    this.update();
  }

  /** Sets the box; undefined sets the box of all parts. */
  set(box: Box3 | undefined): void {
    this.followsClash = false;
    this.box.copy(box ?? this.limits).intersect(this.limits);
    if (this.box.isEmpty()) this.box.copy(this.limits);
    this.update();
  }

  /** Returns the box in the coordinates of the files. */
  get fileBox(): Box3 {
    return this.box.clone();
  }

  paint(color: string): void {
    (this.outline.material as LineBasicMaterial).color.set(color);
  }

  private stageBox(): Box3 {
    return this.box.clone().applyMatrix4(this.placement.fileToStage);
  }

  private makeSlider(axis: (typeof AXES)[number], side: (typeof SIDES)[number]): HTMLElement {
    const label = make('label', 'side');
    const input = make('input', '', undefined, {
      type: 'range',
      min: '0',
      max: `${STEPS}`,
      'aria-label': `${side} ${axis}`,
      'data-side': `${side}-${axis}`,
    }) as HTMLInputElement;
    const text = make('span', 'quiet');
    input.addEventListener('input', () => {
      this.followsClash = false;
      const [low, high] = [this.limits.min[axis], this.limits.max[axis]];
      const value = low + ((high - low) * Number(input.value)) / STEPS;
      this.box[side][axis] =
        side === 'min' ? Math.min(value, this.box.max[axis]) : Math.max(value, this.box.min[axis]);
      this.update();
    });
    this.inputs.set(side + axis, input);
    this.texts.set(side + axis, text);
    label.append(input, text);
    return label;
  }

  private update(): void {
    const coordinates = formatCoordinates([...this.box.min, ...this.box.max], this.placement.modelSize);
    SIDES.forEach((side, i) =>
      AXES.forEach((axis, j) => {
        const [low, high] = [this.limits.min[axis], this.limits.max[axis]];
        const share = high > low ? (this.box[side][axis] - low) / (high - low) : i;
        this.inputs.get(side + axis)!.value = `${Math.round(STEPS * share)}`;
        this.texts.get(side + axis)!.textContent = coordinates[3 * i + j];
      }),
    );
    byId('section').setAttribute('aria-pressed', `${this.isOn}`);
    byId('section-panel').hidden = !this.isOn;
    this.outline.visible = this.isOn;
    // The outline lies slightly inside, so that the box does not cut it away.
    const box = this.stageBox();
    const size = box.getSize(new Vector3());
    this.outline.box.copy(box).expandByVector(size.multiplyScalar(-1e-4));
    this.onChange();
  }
}
