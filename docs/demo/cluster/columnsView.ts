// Draws the swarm of the cluster page from above. The ground is divided into columns; the color of a column
// shows which node of the cluster owns it. Bodies are drawn as dots, and bodies in contact are highlighted.
import { color, onTheme } from '../shell/theme.js';
import { NODES } from './loadBars.js';

/** The state of the swarm after a step, as it is drawn. */
export interface Picture {
  /** Bounds of the ground: min x, min y, max x, max y. */
  ground: readonly [number, number, number, number];
  /** Number of columns along x and along y. */
  width: number;
  height: number;
  /** For each column, row by row: the index of the node that owns it, or -1 if that node has left. */
  owners: ArrayLike<number>;
  /** x, y of every body. */
  bodies: Float32Array;
  /** For each body: 1 if it touched another body in the step, otherwise 0. */
  inContact: Uint8Array;
  /** Columns that were moved to another node in this step. */
  moved: readonly number[];
}

const MARGIN = 22;
const MAX_RESOLUTION = 2;
/** Opacity of a column's color. */
const TINT = 0.34;

export class ColumnsView {
  private readonly canvas = document.createElement('canvas');
  private readonly context: CanvasRenderingContext2D;
  private colors: { nodes: string[]; line: string; body: string; lit: string } | undefined;
  private last: Picture | undefined;

  constructor(private readonly view: HTMLElement) {
    this.context = this.canvas.getContext('2d')!;
    this.canvas.setAttribute('aria-hidden', 'true');
    view.prepend(this.canvas);
    onTheme(() => {
      this.colors = {
        nodes: Array.from({ length: NODES }, (_, i) => color(`node-${i + 1}`)),
        line: color('surface'),
        body: color('ink'),
        lit: color('lit'),
      };
      this.draw();
    });
    new ResizeObserver(() => this.resize()).observe(view);
    this.resize();
  }

  /** Draws a step. */
  show(picture: Picture): void {
    this.last = picture;
    this.draw();
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.view;
    const resolution = Math.min(MAX_RESOLUTION, devicePixelRatio);
    this.canvas.width = Math.round(clientWidth * resolution);
    this.canvas.height = Math.round(clientHeight * resolution);
    this.canvas.style.width = `${clientWidth}px`;
    this.canvas.style.height = `${clientHeight}px`;
    this.draw();
  }

  private draw(): void {
    const { context, canvas, colors, last } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (!last || !colors) return;
    const [lowX, lowY, highX, highY] = last.ground;
    const margin = (MARGIN * canvas.width) / Math.max(1, this.view.clientWidth);
    const scale = Math.min(
      (canvas.width - 2 * margin) / (highX - lowX),
      (canvas.height - 4 * margin) / (highY - lowY),
    );
    const left = (canvas.width - scale * (highX - lowX)) / 2;
    const bottom = (canvas.height + scale * (highY - lowY)) / 2;
    // The y axis points up.
    context.setTransform(scale, 0, 0, -scale, left - scale * lowX, bottom + scale * lowY);
    this.drawColumns(last, colors, scale);
    this.drawBodies(last, colors, scale);
  }

  private drawColumns(
    { ground: [lowX, lowY, highX, highY], width, height, owners, moved }: Picture,
    { nodes, line, lit }: NonNullable<ColumnsView['colors']>,
    scale: number,
  ): void {
    const { context } = this;
    const stepX = (highX - lowX) / width;
    const stepY = (highY - lowY) / height;
    const gap = 1 / scale;
    for (let column = 0; column < width * height; column++) {
      const x = lowX + (column % width) * stepX;
      const y = lowY + Math.floor(column / width) * stepY;
      context.globalAlpha = TINT;
      context.fillStyle = nodes[owners[column]!] ?? line;
      context.fillRect(x, y, stepX - gap, stepY - gap);
    }
    context.globalAlpha = 1;
    context.strokeStyle = lit;
    context.lineWidth = 3 * gap;
    for (const column of moved)
      context.strokeRect(
        lowX + (column % width) * stepX,
        lowY + Math.floor(column / width) * stepY,
        stepX,
        stepY,
      );
  }

  private drawBodies(
    { bodies, inContact, ground, width, height, owners }: Picture,
    { nodes, body: ink, lit }: NonNullable<ColumnsView['colors']>,
    scale: number,
  ): void {
    const { context } = this;
    const [lowX, lowY, highX, highY] = ground;
    const size = Math.max(3, Math.min(7, canvasDot(scale))) / scale;
    const place = (value: number, low: number, high: number, count: number): number =>
      Math.max(0, Math.min(count - 1, Math.floor(((value - low) / (high - low)) * count)));
    for (const isLit of [0, 1]) {
      for (let at = 0; at < inContact.length; at++) {
        if (inContact[at] !== isLit) continue;
        const x = bodies[2 * at]!;
        const y = bodies[2 * at + 1]!;
        const column = place(y, lowY, highY, height) * width + place(x, lowX, highX, width);
        context.fillStyle = isLit ? lit : (nodes[owners[column]!] ?? ink);
        const side = isLit ? 1.5 * size : size;
        context.fillRect(x - side / 2, y - side / 2, side, side);
      }
    }
  }
}

// Returns the approximate size of a body in pixels. The caller clamps this size to between 3 and 7 pixels.
const canvasDot = (scale: number): number => 0.7 * scale;
