// Finds groups of vertices that must move together, by union-find.

/** Disjoint sets of vertices, called zones. At first, each vertex is a zone of its own. */
export class Zones {
  private readonly parents: Int32Array;
  private readonly joined = new Set<number>();

  constructor(count: number) {
    this.parents = Int32Array.from({ length: count }, (_, vertex) => vertex);
  }

  /** Merges the zones of these vertices into one zone. */
  join(vertices: readonly number[]): void {
    for (const vertex of vertices) {
      this.joined.add(vertex);
      this.parents[this.find(vertex)] = this.find(vertices[0]!);
    }
  }

  /** Returns whether all vertices are in the same zone. */
  isSameZone(vertices: readonly number[]): boolean {
    const zone = this.find(vertices[0]!);
    return vertices.every(vertex => this.find(vertex) === zone);
  }

  /** Returns the vertices of each zone with more than one vertex. */
  all(): Iterable<number[]> {
    const zones = new Map<number, number[]>();
    for (const vertex of this.joined) {
      const zone = this.find(vertex);
      const vertices = zones.get(zone);
      if (vertices) vertices.push(vertex);
      else zones.set(zone, [vertex]);
    }
    return zones.values();
  }

  private find(vertex: number): number {
    let root = vertex;
    while (this.parents[root] !== root) root = this.parents[root]!;
    for (let at = vertex; at !== root; ) [at, this.parents[at]] = [this.parents[at]!, root];
    return root;
  }
}
