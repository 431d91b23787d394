// The contacts of a frame -> their triangles, lit, for three.js to draw.
import {
  BufferAttribute,
  BufferGeometry,
  type ColorRepresentation,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three';
import { anything, checkSurplus, copyOptions, fromZero, type OptionTable } from '../core/optionTable.js';
import type { Contacts } from '../scene/sceneOptions.js';
import type { ObjectBodies } from './objectBodies.js';

/** How contacts are shown; all may be left out. */
export interface ContactHelperOptions {
  /** Of the triangles. Default: a red. */
  color?: ColorRepresentation;
  /** Below 1: what lies behind shows through. Default 1. */
  opacity?: number;
}

const CONTACT_HELPER: OptionTable<ContactHelperOptions> = { color: anything, opacity: fromZero };

/**
 * Shows the triangles that meet others, in the world: add it to the scene of three.js itself. It is never a
 * body.
 */
export class ContactHelper extends Mesh<BufferGeometry, MeshBasicMaterial> {
  /** What three.js knows it by. */
  override readonly type = 'ContactHelper';
  /** Tells it from other meshes. */
  readonly isContactHelper = true;
  private readonly bodies: readonly ObjectBodies[];
  private readonly corners = [new Vector3(), new Vector3(), new Vector3()];

  /** bodies: what addObject3D returned, or several of them. */
  constructor(bodies: ObjectBodies | readonly ObjectBodies[], options: ContactHelperOptions = {}) {
    checkSurplus(arguments[2], 'ContactHelper(bodies, options)');
    const { color = 0xff4136, opacity = 1 } = copyOptions(CONTACT_HELPER, options);
    // In front of the surface that it lies in.
    super(
      new BufferGeometry(),
      new MeshBasicMaterial({
        color,
        opacity,
        transparent: opacity < 1,
        side: DoubleSide,
        toneMapped: false,
        polygonOffset: true,
        polygonOffsetFactor: -1,
        polygonOffsetUnits: -1,
      }),
    );
    this.bodies = Array.isArray(bodies) ? bodies : [bodies as ObjectBodies];
    this.geometry.setAttribute('position', new BufferAttribute(new Float32Array(0), 3));
    this.frustumCulled = false;
  }

  /** How many triangles are lit. */
  get triangleCount(): number {
    return this.geometry.drawRange.count === Infinity ? 0 : this.geometry.drawRange.count / 3;
  }

  /**
   * Lights the triangles of contacts that detect has found with narrow 'pairs', each once; bodies of other
   * objects are passed over.
   */
  show({
    count,
    a,
    b,
    pairsAt,
    triangles,
  }: Pick<Contacts, 'count' | 'a' | 'b' | 'pairsAt' | 'triangles'>): void {
    const lit = new Map<number, Set<number>>();
    for (let contact = 0; contact < count; contact++) {
      for (const [body, numbers] of [
        [a[contact], triangles.a],
        [b[contact], triangles.b],
      ] as const) {
        let set = lit.get(body);
        if (!set) lit.set(body, (set = new Set()));
        for (let k = pairsAt[contact]; k < pairsAt[contact + 1]; k++) set.add(numbers[k]);
      }
    }
    this.fill(lit);
  }

  /** Gives its buffers on the GPU back. */
  override dispose(): void {
    this.dispatchEvent({ type: 'dispose' });
    this.geometry.dispose();
    this.material.dispose();
  }

  private fill(lit: ReadonlyMap<number, ReadonlySet<number>>): void {
    const room = this.reserve([...lit.values()].reduce((sum, { size }) => sum + size, 0));
    let at = 0;
    for (const [body, numbers] of lit) {
      const owner = this.bodies.find(bodies => bodies.objectOf(body));
      if (!owner) continue;
      for (const number of numbers) {
        owner.cornersOf(body, number, this.corners);
        // Relative to the first corner: float32 then suffices far from the origin.
        if (at === 0) this.position.copy(this.corners[0]);
        for (const corner of this.corners) corner.sub(this.position).toArray(room, 3 * at++);
      }
    }
    this.geometry.setDrawRange(0, at);
    this.geometry.attributes.position!.needsUpdate = true;
  }

  private reserve(triangleCount: number): Float32Array {
    const { array } = this.geometry.attributes.position as BufferAttribute;
    if (array.length >= 9 * triangleCount) return array as Float32Array;
    // Another size of buffer is another buffer on the GPU.
    this.geometry.dispose();
    const larger = new Float32Array(9 * Math.max(64, 2 * triangleCount));
    this.geometry.setAttribute('position', new BufferAttribute(larger, 3));
    return larger;
  }
}
