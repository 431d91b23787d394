// Writes small STEP files (AP214): boxes and cylinders as solids, each placed in an assembly, with colors.

export interface StepSolid {
  name: string;
  /** The min corner of a box, or the center of the bottom of a cylinder. */
  at: [number, number, number];
  /** The edge lengths of a box, or the radius and height of a cylinder along z. */
  size: [number, number, number] | [number, number];
  /** The assembly that contains the solid; without it, the outermost assembly contains the solid. */
  within?: string;
  /** Red, green and blue, 0 to 1, in sRGB. */
  color?: Point;
}

type Point = readonly number[];

const real = (value: number): string => (Number.isInteger(value) ? `${value}.` : String(value));
const list = (values: readonly (number | string)[]): string =>
  `(${values.map(value => (typeof value === 'number' ? `#${value}` : value)).join(',')})`;

const METERS = { mm: 'SI_UNIT(.MILLI.,.METRE.)', m: 'SI_UNIT($,.METRE.)' };

/** Collects the records of a file. */
class StepWriter {
  readonly lines: string[] = [];

  /** Adds a record; returns its number. */
  add(text: string): number {
    this.lines.push(`#${this.lines.length + 1}=${text};`);
    return this.lines.length;
  }

  point(at: Point): number {
    return this.add(`CARTESIAN_POINT('',(${at.map(real).join(',')}))`);
  }

  direction(along: Point): number {
    return this.add(`DIRECTION('',(${along.map(real).join(',')}))`);
  }

  placement(at: Point, axis: Point, x: Point): number {
    return this.add(
      `AXIS2_PLACEMENT_3D('',#${this.point(at)},#${this.direction(axis)},#${this.direction(x)})`,
    );
  }

  vertex(at: Point): number {
    return this.add(`VERTEX_POINT('',#${this.point(at)})`);
  }

  line(at: Point, along: Point): number {
    return this.add(`LINE('',#${this.point(at)},#${this.add(`VECTOR('',#${this.direction(along)},1.)`)})`);
  }

  edge(from: number, to: number, curve: number): number {
    return this.add(`EDGE_CURVE('',#${from},#${to},#${curve},.T.)`);
  }

  /**
   * Adds a face. @param edges Each edge of the boundary, and whether the boundary follows the edge's own
   * direction.
   */
  face(surface: number, edges: [number, boolean][]): number {
    const oriented = edges.map(([edge, isForward]) =>
      this.add(`ORIENTED_EDGE('',*,*,#${edge},${isForward ? '.T.' : '.F.'})`),
    );
    const loop = this.add(`EDGE_LOOP('',${list(oriented)})`);
    return this.add(`ADVANCED_FACE('',(#${this.add(`FACE_OUTER_BOUND('',#${loop},.T.)`)}),#${surface},.T.)`);
  }

  /** Adds a style that gives a color to a solid. */
  style(item: number, color: Point): number {
    const fill = this.add(
      `FILL_AREA_STYLE_COLOUR('',#${this.add(`COLOUR_RGB('',${color.map(real).join(',')})`)})`,
    );
    const area = this.add(`SURFACE_STYLE_FILL_AREA(#${this.add(`FILL_AREA_STYLE('',(#${fill}))`)})`);
    const usage = this.add(`SURFACE_STYLE_USAGE(.BOTH.,#${this.add(`SURFACE_SIDE_STYLE('',(#${area}))`)})`);
    return this.add(`STYLED_ITEM('',(#${this.add(`PRESENTATION_STYLE_ASSIGNMENT((#${usage}))`)}),#${item})`);
  }

  solid(name: string, faces: number[]): number {
    return this.add(`MANIFOLD_SOLID_BREP('${name}',#${this.add(`CLOSED_SHELL('',${list(faces)})`)})`);
  }

  box(name: string, size: Point): number {
    const corner = (i: number): Point => size.map((length, axis) => ((i >> axis) & 1) * length);
    const vertices = Array.from({ length: 8 }, (_, i) => this.vertex(corner(i)));
    const edges = new Map<string, number>();
    for (let i = 0; i < 8; i++)
      for (let axis = 0; axis < 3; axis++) {
        const to = i | (1 << axis);
        const along = [0, 1, 2].map(other => (other === axis ? 1 : 0));
        if (to !== i)
          edges.set(`${i}-${to}`, this.edge(vertices[i]!, vertices[to]!, this.line(corner(i), along)));
      }
    const faces = [0, 1, 2].flatMap(axis =>
      [0, 1].map(side => {
        const [u, v] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
        const first = side << axis;
        const around = [first, first | u, first | u | v, first | v];
        if (side === 0) around.reverse();
        const normal = [0, 1, 2].map(other => (other === axis ? 2 * side - 1 : 0));
        const x = [0, 1, 2].map(other => (other === (axis + 1) % 3 ? 1 : 0));
        return this.face(
          this.add(`PLANE('',#${this.placement(corner(first), normal, x)})`),
          around.map((from, k): [number, boolean] => {
            const to = around[(k + 1) % 4]!;
            return [edges.get(`${Math.min(from, to)}-${Math.max(from, to)}`)!, from < to];
          }),
        );
      }),
    );
    return this.solid(name, faces);
  }

  cylinder(name: string, [radius, height]: Point): number {
    const x = [1, 0, 0];
    const up = [0, 0, 1];
    const rim = (z: number): [vertex: number, edge: number] => {
      const vertex = this.vertex([radius!, 0, z]);
      const circle = this.add(`CIRCLE('',#${this.placement([0, 0, z], up, x)},${real(radius!)})`);
      return [vertex, this.edge(vertex, vertex, circle)];
    };
    const [lower, bottom] = rim(0);
    const [upper, top] = rim(height!);
    const seam = this.edge(lower, upper, this.line([radius!, 0, 0], up));
    const side = this.add(`CYLINDRICAL_SURFACE('',#${this.placement([0, 0, 0], up, x)},${real(radius!)})`);
    return this.solid(name, [
      this.face(side, [
        [bottom, true],
        [seam, true],
        [top, false],
        [seam, false],
      ]),
      this.face(this.add(`PLANE('',#${this.placement([0, 0, height!], up, x)})`), [[top, true]]),
      this.face(this.add(`PLANE('',#${this.placement([0, 0, 0], [0, 0, -1], x)})`), [[bottom, false]]),
    ]);
  }
}

/** A product: its shape representation and its definition. */
interface Product {
  shape: number;
  definition: number;
}

/** Returns the text of a STEP file with an assembly of solids. Their coordinates are in `unit`. */
export function step(assembly: string, solids: StepSolid[], unit: keyof typeof METERS = 'mm'): string {
  const writer = new StepWriter();
  const application = writer.add("APPLICATION_CONTEXT('automotive design')");
  const length = writer.add(`(LENGTH_UNIT()NAMED_UNIT(*)${METERS[unit]})`);
  const angle = writer.add('(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))');
  const solidAngle = writer.add('(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())');
  const uncertainty = writer.add(
    `UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-06),#${length},'distance_accuracy_value','')`,
  );
  const context = writer.add(
    `(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#${uncertainty}))` +
      `GLOBAL_UNIT_ASSIGNED_CONTEXT((#${length},#${angle},#${solidAngle}))REPRESENTATION_CONTEXT('',''))`,
  );
  const origin = writer.placement([0, 0, 0], [0, 0, 1], [1, 0, 0]);
  const product = (name: string, representation: number): number => {
    const context = writer.add(`PRODUCT_CONTEXT('',#${application},'mechanical')`);
    const made = writer.add(`PRODUCT('${name}','${name}','',(#${context}))`);
    const formation = writer.add(`PRODUCT_DEFINITION_FORMATION('','',#${made})`);
    const stage = writer.add(`PRODUCT_DEFINITION_CONTEXT('part definition',#${application},'design')`);
    const definition = writer.add(`PRODUCT_DEFINITION('design','',#${formation},#${stage})`);
    const shape = writer.add(`PRODUCT_DEFINITION_SHAPE('','',#${definition})`);
    writer.add(`SHAPE_DEFINITION_REPRESENTATION(#${shape},#${representation})`);
    return definition;
  };
  const placements = solids.map(({ at }) => writer.placement(at, [0, 0, 1], [1, 0, 0]));
  const assemblyOf = (name: string): Product => {
    const shape = writer.add(`SHAPE_REPRESENTATION('',${list([origin, ...placements])},#${context})`);
    return { shape, definition: product(name, shape) };
  };
  let usages = 0;
  const putInto = (outer: Product, name: string, { shape, definition }: Product, placement: number): void => {
    const usage = writer.add(
      `NEXT_ASSEMBLY_USAGE_OCCURRENCE('${++usages}','${name}','',#${outer.definition},#${definition},$)`,
    );
    const used = writer.add(`PRODUCT_DEFINITION_SHAPE('','',#${usage})`);
    const moved = writer.add(`ITEM_DEFINED_TRANSFORMATION('','',#${origin},#${placement})`);
    const relation = writer.add(
      `(REPRESENTATION_RELATIONSHIP('','',#${shape},#${outer.shape})` +
        `REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(#${moved})SHAPE_REPRESENTATION_RELATIONSHIP())`,
    );
    writer.add(`CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(#${relation},#${used})`);
  };
  const root = assemblyOf(assembly);
  const inner = new Map<string, Product>();
  for (const { within } of solids) {
    if (within === undefined || inner.has(within)) continue;
    inner.set(within, assemblyOf(within));
    putInto(root, within, inner.get(within)!, origin);
  }
  const styles: number[] = [];
  solids.forEach(({ name, size, within, color }, i) => {
    const solid = size.length === 3 ? writer.box(name, size) : writer.cylinder(name, size);
    if (color) styles.push(writer.style(solid, color));
    const shape = writer.add(`ADVANCED_BREP_SHAPE_REPRESENTATION('',${list([origin, solid])},#${context})`);
    const part = { shape, definition: product(name, shape) };
    putInto(within === undefined ? root : inner.get(within)!, name, part, placements[i]!);
  });
  if (styles.length > 0)
    writer.add(`MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',${list(styles)},#${context})`);
  return [
    'ISO-10303-21;',
    'HEADER;',
    "FILE_DESCRIPTION((''),'2;1');",
    `FILE_NAME('${assembly}','2024-01-01T00:00:00',(''),(''),'','','');`,
    "FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));",
    'ENDSEC;',
    'DATA;',
    ...writer.lines,
    'ENDSEC;',
    'END-ISO-10303-21;',
    '',
  ].join('\n');
}
