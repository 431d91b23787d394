// Makes the same changes to a scene and to a simple model of the scene, and compares their contacts frame by
// frame. The model finds contacts by single queries of all pairs of bodies whose boxes overlap.

import * as assert from 'uvu/assert';
import type {
  BodyOptions,
  Contacts,
  DetectOptions,
  Engine,
  Mesh,
  Scene,
  UpdateOptions,
} from '../../dist/index.js';
import type { MeshData } from '../../dist/samples/index.js';
import { bodyBox } from '../oracle/bodyBox.js';
import { boxPairsByAll } from '../oracle/boxesOverlap.js';
import type { Pair } from '../oracle/bruteForce.js';
import { pairsOf } from '../support/engines.js';

/**
 * A mesh in the scene's engine (`mesh`), the same mesh in the engine of the model's queries
 * (`referenceMesh`), and the data of both.
 */
export interface Shape {
  data: MeshData;
  mesh: Mesh;
  referenceMesh: Mesh;
}
export interface ModelBody {
  id: number;
  shape: Shape;
  matrix: Float64Array;
  group: number;
  mask: number;
}
type Narrow = NonNullable<DetectOptions['narrow']>;
interface Expected {
  pairs: Pair[];
  triangles: Pair[][];
}

const keys = (pairs: readonly Pair[]): string[] => pairs.map(pair => pair.join());

export class SceneModel {
  readonly bodies = new Map<number, ModelBody>();
  readonly scene: Scene;
  private readonly engine: Engine;
  private readonly queryEngine: Engine;
  private readonly own: Shape[] = [];
  private before: Pair[] = [];

  /**
   * queryEngine: the engine that runs the model's single queries. Other tests compare single queries with exact
   * arithmetic.
   */
  constructor(engine: Engine, scene: Scene, queryEngine: Engine) {
    this.engine = engine;
    this.scene = scene;
    this.queryEngine = queryEngine;
  }

  /** Makes a mesh in both engines. */
  make(data: MeshData, deformable = false): Shape {
    const shape = {
      data,
      mesh: this.engine.createMesh(data, { deformable }),
      referenceMesh: this.queryEngine.createMesh(data, { deformable }),
    };
    this.own.push(shape);
    return shape;
  }

  add(
    shape: Shape,
    { transform, group = 1, mask = 0xffffffff }: BodyOptions & { transform: Float64Array },
  ): ModelBody {
    const id = this.scene.add(shape.mesh, { transform, group, mask });
    assert.not(this.bodies.has(id), `the id ${id} is already used`);
    const body = { id, shape, matrix: transform, group, mask };
    this.bodies.set(id, body);
    return body;
  }

  remove(id: number): ModelBody {
    const body = this.bodies.get(id)!;
    this.scene.remove(id);
    this.bodies.delete(id);
    return body;
  }

  update({ data, mesh, referenceMesh }: Shape, positions: Float32Array, options?: UpdateOptions): void {
    data.positions = positions;
    mesh.update(positions, options);
    referenceMesh.update(positions, options);
  }

  /**
   * Replaces a body by shards that together have its triangles: triangle t becomes part of shard shardOf(t).
   * @returns each shard, and the numbers that its triangles had in the whole body
   */
  shatter(
    id: number,
    shardCount: number,
    shardOf: (triangle: number) => number,
  ): { body: ModelBody; triangles: number[] }[] {
    const {
      shape: { data },
      matrix: transform,
      group,
      mask,
    } = this.remove(id);
    const all = Array.from({ length: data.indices.length / 3 }, (_, triangle) => triangle);
    return Array.from({ length: shardCount }, (_, shard) => {
      const triangles = all.filter(triangle => shardOf(triangle) === shard);
      const indices = Uint32Array.from(
        triangles.flatMap(triangle => [...data.indices.subarray(3 * triangle, 3 * triangle + 3)]),
      );
      return {
        body: this.add(this.make({ positions: data.positions, indices }), { transform, group, mask }),
        triangles,
      };
    });
  }

  /** Detects the contacts of the scene and compares them with the model's contacts. */
  check(options: DetectOptions, what: string): Contacts {
    const { narrow = 'pairs' } = options;
    const expected = this.contactsOf(narrow);
    const contacts = this.scene.detect(options);
    checkFrame(contacts, expected, this.before, narrow, what);
    this.before = expected.pairs;
    return contacts;
  }

  dispose(): void {
    for (const { mesh, referenceMesh } of this.own) {
      mesh.dispose();
      referenceMesh.dispose();
    }
  }

  // Computes the model's contacts. Queries each pair of bodies whose reference boxes overlap and whose groups
  // and masks permit contacts.
  private contactsOf(narrow: Narrow): Expected {
    const sorted = [...this.bodies.values()]
      .filter(({ shape }) => shape.data.indices.length > 0)
      .sort((left, right) => left.id - right.id);
    const boxes = new Float32Array(6 * sorted.length);
    sorted.forEach(({ shape, matrix }, i) => bodyBox(shape.mesh.bounds, matrix, boxes, 6 * i));
    const pairs: Pair[] = [];
    const triangles: Pair[][] = [];
    for (const [i, j] of boxPairsByAll(boxes)) {
      const [a, b] = [sorted[i], sorted[j]];
      if ((a.group & b.mask) === 0 || (b.group & a.mask) === 0) continue;
      const hits =
        narrow === 'boxes'
          ? []
          : pairsOf(
              this.queryEngine.query(a.shape.referenceMesh, b.shape.referenceMesh, {
                transformA: a.matrix,
                transformB: b.matrix,
              }),
            );
      if (narrow !== 'boxes' && hits.length === 0) continue;
      pairs.push([a.id, b.id]);
      triangles.push(hits);
    }
    return { pairs, triangles };
  }
}

/** Returns the triangle pairs of contact i. */
export function trianglesOf({ pairsAt, triangles }: Contacts, i: number): Pair[] {
  const [from, to] = [pairsAt[i], pairsAt[i + 1]];
  return pairsOf({ a: triangles.a.slice(from, to), b: triangles.b.slice(from, to) });
}

function checkFrame(
  contacts: Contacts,
  expected: Expected,
  before: readonly Pair[],
  narrow: Narrow,
  what: string,
): void {
  assert.equal(pairsOf(contacts), expected.pairs, what);
  assert.is(contacts.count, expected.pairs.length);
  const hasCounts = narrow === 'counts' || narrow === 'pairs';
  assert.equal(
    [...contacts.counts],
    expected.triangles.map(({ length }) => (hasCounts ? length : 0)),
    `${what}: counts`,
  );
  expected.triangles.forEach((triangles, i) =>
    assert.equal(trianglesOf(contacts, i), narrow === 'pairs' ? triangles : [], `${what}, contact ${i}`),
  );
  const [now, then] = [new Set(keys(expected.pairs)), new Set(keys(before))];
  assert.equal(
    keys(pairsOf(contacts.began)),
    keys(expected.pairs).filter(key => !then.has(key)),
    `${what}: began`,
  );
  assert.equal(
    keys(pairsOf(contacts.persisted)),
    keys(expected.pairs).filter(key => then.has(key)),
    `${what}: persisted`,
  );
  assert.equal(
    keys(pairsOf(contacts.ended)),
    keys(before).filter(key => !now.has(key)),
    `${what}: ended`,
  );
}
