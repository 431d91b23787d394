// Groups of vertices that move as one -> which belong together, as more of them are joined.

/** Disjoint sets of vertices. */
export class Zones {
  private readonly parents: Int32Array;
  private readonly joined = new Set<number>();

  constructor(count: number) {
    this.parents = Int32Array.from({ length: count }, (_, vertex) => vertex);
  }

  /** All of them are of one zone from now on. */
  join(vertices: readonly number[]): void {
    for (const vertex of vertices) {
      this.joined.add(vertex);
      this.parents[this.find(vertex)] = this.find(vertices[0]!);
    }
  }

  areOne(vertices: readonly number[]): boolean {
    const zone = this.find(vertices[0]!);
    return vertices.every(vertex => this.find(vertex) === zone);
  }

  /** Vertices of each zone of more than one. */
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
    let top = vertex;
    while (this.parents[top] !== top) top = this.parents[top]!;
    for (let at = vertex; at !== top; ) [at, this.parents[at]] = [this.parents[at]!, top];
    return top;
  }
}
