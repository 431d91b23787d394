// Checks a STEP file of CAD shapes before a library reads it. The check is needed because the library reports
// no error when it leaves out a shape that has a faulty record.
import { AttributeCheck, countAttributes } from './attributeCheck.js';
import type { CadContents } from './cadContents.js';
import type { Rule } from './ifcRules.js';
import { EXPORT_AGAIN, InvalidFile } from './part.js';
import { SEVERAL_ENTITIES, StepFile } from './stepFile.js';
import { countPlacedSolids } from './stepPlacements.js';
import { stepRules } from './stepRules.js';
import { REAL, REFERENCE, TEXT, TYPED } from './stepTokens.js';

const SOLIDS = new Set([
  'MANIFOLD_SOLID_BREP',
  'BREP_WITH_VOIDS',
  'FACETED_BREP',
  'CSG_SOLID',
  'EXTRUDED_AREA_SOLID',
  'REVOLVED_AREA_SOLID',
]);
// Shapes whose triangles need not form a closed surface.
const SURFACES = new Set([
  'SHELL_BASED_SURFACE_MODEL',
  'FACE_BASED_SURFACE_MODEL',
  'GEOMETRIC_SET',
  'TESSELLATED_SHELL',
  'TESSELLATED_SOLID',
]);

// Matches the names of the entities of points and curves. The pattern does not match a surface that has CURVE
// in its name, such as CURVE_BOUNDED_SURFACE.
const CURVE =
  /(^|_)(POINT|P?CURVE|LINE|POLYLINE|CIRCLE|ELLIPSE|HYPERBOLA|PARABOLA)(_REPLICA|_[23]D|_ON_(CURVE|SURFACE)|_SEGMENT|_WITH_KNOTS)*$/;

/**
 * Checks the syntax of a file, the attributes of the entities that stepRules.ts lists, and whether the file has
 * all records to which it refers. Returns what the file contains.
 * @throws InvalidFile
 */
export function checkStep(bytes: Uint8Array): CadContents {
  const file = new StepFile(bytes, true);
  const severals = entitiesOfSeverals(file);
  const namesOf = (record: number): ReadonlySet<string> | [string] =>
    severals.get(record) ?? [file.names[file.entities[record]]];
  const attributes = new AttributeCheck(file, (number, name) => {
    const found = file.recordOf(number);
    if (found < 0) return false;
    return file.names[file.entities[found]] === name || (severals.get(found)?.has(name) ?? false);
  });
  const solids = new Set<number>();
  const contents: CadContents = { solidCount: 0, hasSurfaces: false, documents: [] };
  for (let record = 0; record < file.count; record++) {
    const entity = file.names[file.entities[record]];
    const { kinds, values, count } = file.load(record);
    const fail = (what: string): never => {
      throw new InvalidFile(
        `#${file.numbers[record]} (${entity || 'several entities'}) ${what}`,
        EXPORT_AGAIN,
      );
    };
    const entities = namesOf(record);
    for (let i = 0; i < count; i++) {
      if (kinds[i] === REFERENCE && file.recordOf(values[i]) < 0)
        fail(`refers to #${values[i]}, which is not in the file`);
      if (kinds[i] === REAL && !Number.isFinite(values[i]))
        fail(`has the number ${file.textOf(i)}, which is too large`);
    }
    const rules = stepRules.get(entity);
    const fault = rules && faultOf(file, attributes, rules);
    if (fault !== undefined) fail(fault);
    if ([...entities].some(name => SOLIDS.has(name))) solids.add(file.numbers[record]);
    if ([...entities].some(name => SURFACES.has(name)) && !hasOnlyCurves(file, entity, namesOf))
      contents.hasSurfaces = true;
    if (entity === 'DOCUMENT_FILE') contents.documents.push(nameOf(file));
  }
  contents.solidCount = countPlacedSolids(file, solids);
  return contents;
}

// Describes the first fault of the attributes of the loaded record. The library leaves out a record with too
// few or too many attributes. If this record is a placement, a part would therefore be at the origin.
function faultOf(file: StepFile, attributes: AttributeCheck, rules: readonly Rule[]): string | undefined {
  const { all } = countAttributes(file);
  return all === rules.length
    ? attributes.describeFault(rules)
    : `has ${all} attributes, but must have ${rules.length}`;
}

// Returns whether the loaded record is a set of points and curves, which have no triangles.
function hasOnlyCurves(
  file: StepFile,
  entity: string,
  namesOf: (record: number) => Iterable<string>,
): boolean {
  if (entity !== 'GEOMETRIC_SET') return false;
  const { kinds, values, count } = file.tokens;
  for (let i = 0; i < count; i++)
    if (kinds[i] === REFERENCE && ![...namesOf(file.recordOf(values[i]))].some(name => CURVE.test(name)))
      return false;
  return true;
}

// Returns the names of the entities for each record that has several entities.
function entitiesOfSeverals(file: StepFile): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  for (let record = 0; record < file.count; record++) {
    if (file.names[file.entities[record]] !== SEVERAL_ENTITIES) continue;
    const { kinds, values, count } = file.load(record);
    const names = new Set<string>();
    for (let i = 0; i < count; i++) if (kinds[i] === TYPED) names.add(file.names[values[i]]);
    found.set(record, names);
  }
  return found;
}

// Returns the first nonempty text in the loaded record; 'another file' if there is none.
function nameOf(file: StepFile): string {
  const { kinds, count } = file.tokens;
  for (let i = 0; i < count; i++) {
    const text = kinds[i] === TEXT ? file.textOf(i).slice(1, -1) : '';
    if (text !== '') return text;
  }
  return 'another file';
}
