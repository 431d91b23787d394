// Reads the IFC schema from web-ifc: the entities, their base entities and their numbers of attributes.
type Library = typeof import('web-ifc');
type Constructors = Record<string, { length: number; prototype: unknown } | undefined>;

const VERSIONS = ['IFC2X3', 'IFC4', 'IFC4X3'] as const;

export interface IfcSchema {
  /**
   * Returns the number of attributes of the entity in each IFC version, not counting derived attributes. Equal
   * numbers occur once in the returned set. Returns undefined if no version has the entity.
   * @param name In upper case.
   */
  attributeCounts(name: string): ReadonlySet<number> | undefined;
  /** Returns whether the entity is `base` or inherits from it, in any version. */
  isA(name: string, base: string): boolean;
  /**
   * Returns the names of an entity and of all entities that it inherits from. Returns the same array for the
   * same entity.
   */
  basesOf(name: string): string[];
  /** Returns web-ifc's type code of an entity. */
  codeOf(name: string): number | undefined;
}

export function readSchema(library: Library): IfcSchema {
  const { InheritanceDef, IfcLineObject } = library as unknown as {
    InheritanceDef: Record<string, Record<number, number[]>>;
    IfcLineObject: abstract new () => unknown;
  };
  const constants = library as unknown as Record<string, unknown>;
  const counts = new Map<string, Set<number>>();
  for (const version of VERSIONS) {
    for (const [name, made] of Object.entries(constants[version] as Constructors)) {
      if (!(made?.prototype instanceof IfcLineObject)) continue;
      const upper = name.toUpperCase();
      counts.set(upper, (counts.get(upper) ?? new Set()).add(made.length));
    }
  }
  const codeOf = (name: string) =>
    typeof constants[name] === 'number' ? (constants[name] as number) : undefined;
  const inheritors = new Map<string, Set<number>>();
  const inheritorsOf = (base: string): Set<number> => {
    const known = inheritors.get(base);
    if (known) return known;
    const code = codeOf(base)!;
    const found = new Set([code, ...Object.values(InheritanceDef).flatMap(version => version[code] ?? [])]);
    inheritors.set(base, found);
    return found;
  };
  const isA = (name: string, base: string) => counts.has(name) && inheritorsOf(base).has(codeOf(name)!);
  const bases = new Map<string, string[]>();
  return {
    attributeCounts: name => counts.get(name),
    isA,
    basesOf(name) {
      let found = bases.get(name);
      if (!found) bases.set(name, (found = [...counts.keys()].filter(base => isA(name, base))));
      return found;
    },
    codeOf,
  };
}
