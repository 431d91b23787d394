// Defines the properties that identify a part, such as its name and GlobalId. The JSON and the CSV of `pfront
// clash` list them.

/** The properties of a part, except its shape. Only IFC, STEP and IGES files define the optional ones. */
export interface PartIdentity {
  name: string;
  /** IFC's GlobalId. */
  id?: string;
  /** The IFC class, such as IfcWall. */
  type?: string;
  /** The name of the type object, such as `Basic Wall:Interior - 92mm`. */
  objectType?: string;
  /**
   * The name of the building storey, or of the section of a bridge, road or other facility, that contains the
   * part.
   */
  storey?: string;
  /** The names of the presentation layers. */
  layer?: string;
  /** The names of the systems. */
  system?: string;
  /** The names of the assemblies in a STEP or IGES file, outermost first, separated by slashes. */
  assembly?: string;
  /** The path of the file. */
  file: string;
}

/** The properties that may be missing, in the order in which outputs list them. */
export const OPTIONAL_PROPERTIES = [
  'id',
  'type',
  'objectType',
  'storey',
  'layer',
  'system',
  'assembly',
] as const;

/** Returns the identity of a part, without the properties that are missing or empty. */
export function identityOf(part: PartIdentity): PartIdentity {
  const known = OPTIONAL_PROPERTIES.flatMap(key => (part[key] ? [[key, part[key]]] : []));
  return { name: part.name, ...Object.fromEntries(known), file: part.file };
}
