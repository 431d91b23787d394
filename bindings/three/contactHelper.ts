// Draws the intersecting triangles of a scene's contacts with three.js.
import {
  BufferAttribute,
  BufferGeometry,
  type ColorRepresentation,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three';
import { anyValue, copyOptions, type OptionTable, rejectExtraArgument, share } from '../core/checkOptions.js';
import type { Contacts } from '../scene/sceneOptions.js';
import type { ObjectBodies } from './objectBodies.js';

/** How a ContactHelper draws contacts. All options are optional. */
export interface ContactHelperOptions {
  /** Color of the triangles. Default: red (0xff4136). */
  color?: ColorRepresentation;
  /** Opacity, 0 to 1. Below 1 the triangles are transparent. Default 1. */
  opacity?: number;
}

const CONTACT_HELPER: OptionTable<ContactHelperOptions> = { color: anyValue, opacity: share };

/**
 * A three.js mesh that shows the intersecting triangles of contacts, in world coordinates. Add the helper to
 * the three.js scene. addObject3D never makes a body from a helper.
 */
export class ContactHelper extends Mesh<BufferGeometry, MeshBasicMaterial> {
  /** The type name in three.js. */
  override readonly type = 'ContactHelper';
  /** Distinguishes a ContactHelper from other three.js meshes. */
  readonly isContactHelper = true;
  private readonly bodies: readonly ObjectBodies[];
  private readonly corners = [new Vector3(), new Vector3(), new Vector3()];

  /**
   * Creates a helper that shows no triangles yet.
   * @param bodies The result of addObject3D, or an array of such results.
   * @throws Unsupported if an option is unknown or invalid
   */
  constructor(bodies: ObjectBodies | readonly ObjectBodies[], options: ContactHelperOptions = {}) {
    rejectExtraArgument(arguments[2], 'ContactHelper(bodies, options)');
    const { color = 0xff4136, opacity = 1 } = copyOptions(CONTACT_HELPER, options);
    // The polygon offset draws the triangles slightly in front of the surfaces that they are part of.
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

  /** Number of triangles that are drawn. */
  get triangleCount(): number {
    return this.geometry.drawRange.count === Infinity ? 0 : this.geometry.drawRange.count / 3;
  }

  /**
   * Shows the triangles of contacts that `detect` found with narrow 'pairs' or 'contacts'. Each triangle is
   * drawn once. Bodies that were not passed to the constructor are skipped.
   */
  show({
    count,
    a,
    b,
    pairsAt,
    triangles,
  }: Pick<Contacts, 'count' | 'a' | 'b' | 'pairsAt' | 'triangles'>): void {
    const trianglesOf = new Map<number, Set<number>>();
    for (let contact = 0; contact < count; contact++) {
      for (const [body, numbers] of [
        [a[contact], triangles.a],
        [b[contact], triangles.b],
      ] as const) {
        let set = trianglesOf.get(body);
        if (!set) trianglesOf.set(body, (set = new Set()));
        for (let k = pairsAt[contact]; k < pairsAt[contact + 1]; k++) set.add(numbers[k]);
      }
    }
    this.fill(trianglesOf);
  }

  /** Frees the geometry and the material of the helper on the GPU. */
  override dispose(): void {
    this.dispatchEvent({ type: 'dispose' });
    this.geometry.dispose();
    this.material.dispose();
  }

  private fill(trianglesOf: ReadonlyMap<number, ReadonlySet<number>>): void {
    const positions = this.reserve([...trianglesOf.values()].reduce((sum, { size }) => sum + size, 0));
    let at = 0;
    for (const [body, numbers] of trianglesOf) {
      const owner = this.bodies.find(bodies => bodies.objectOf(body));
      if (!owner) continue;
      for (const number of numbers) {
        owner.cornersOf(body, number, this.corners);
        // All positions are relative to the first corner of the first drawn triangle, so that float32 suffices
        // far from the origin.
        if (at === 0) this.position.copy(this.corners[0]);
        for (const corner of this.corners) corner.sub(this.position).toArray(positions, 3 * at++);
      }
    }
    this.geometry.setDrawRange(0, at);
    this.geometry.attributes.position!.needsUpdate = true;
    // three.js computes the bounding sphere again when it needs the sphere.
    this.geometry.boundingSphere = null;
  }

  private reserve(triangleCount: number): Float32Array {
    const { array } = this.geometry.attributes.position as BufferAttribute;
    if (array.length >= 9 * triangleCount) return array as Float32Array;
    // three.js does not resize buffers on the GPU, so the old buffer is freed, and a new one is made.
    this.geometry.dispose();
    const larger = new Float32Array(9 * Math.max(64, 2 * triangleCount));
    this.geometry.setAttribute('position', new BufferAttribute(larger, 3));
    return larger;
  }
}
