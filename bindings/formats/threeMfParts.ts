// Places the objects of a 3MF package: each mesh that an item to build contains, directly or through
// components, becomes a part.

import { exactOf, roundInCommonFrame } from './commonFrame.js';
import { nounFor } from './formatCount.js';
import { PART_BYTES } from './memoryBudget.js';
import { EXPORT_AGAIN, InvalidFile, identity, type Part, type WarningHandler } from './part.js';
import { pathNames } from './pathNames.js';
import type { ReadContext } from './readContext.js';
import type { Model, ModelObject, PlacedObject } from './threeMfModel.js';
import { multiplyAffine } from './transforms.js';
import { uniqueNames } from './uniqueNames.js';

interface PlacedMesh {
  object: ModelObject;
  transform: Float64Array;
  /** The names of the objects from the item to the mesh; undefined for objects without a name. */
  path: (string | undefined)[];
}

const MAX_DEPTH = 64;

/**
 * Returns the parts of a package.
 * @param modelAt Returns the model file at a given path.
 * @param models The model files that were read.
 * @throws InvalidFile
 */
export function makeParts(
  root: Model,
  modelAt: (path: string) => Model,
  models: ReadonlyMap<string, Model>,
  context: Pick<ReadContext, 'budget' | 'onWarning' | 'keepsDoubles'>,
): Part[] {
  const { budget, onWarning } = context;
  const placed: PlacedMesh[] = [];
  const used = new Set<ModelObject>();
  const place = (
    { id, path, transform, where }: PlacedObject,
    model: Model,
    above: Float64Array,
    names: (string | undefined)[],
  ): void => {
    const from = path === undefined ? model : modelAt(path);
    const object = from.objects.get(id);
    if (!object) throw new InvalidFile(`${where}, which ${from.path} does not have`, EXPORT_AGAIN);
    if (object.type === 'other' && names.length === 0)
      throw new InvalidFile(`${where}, which has the type other and cannot be built`, EXPORT_AGAIN);
    if (from.unit !== root.unit || from.scale !== root.scale)
      throw new InvalidFile(`${where}, but ${from.path} and ${root.path} have different units`, EXPORT_AGAIN);
    if (names.length >= MAX_DEPTH)
      throw new InvalidFile(
        `${where} is nested more than ${MAX_DEPTH} deep, or contains itself`,
        EXPORT_AGAIN,
      );
    used.add(object);
    const world = multiplyAffine(above, transform);
    if (!world.every(Number.isFinite))
      throw new InvalidFile(`${where} has a transform beyond the range of doubles`, EXPORT_AGAIN);
    const namePath = [...names, object.name ?? (object.mesh ? `object ${id}` : undefined)];
    budget.take(PART_BYTES, 'its parts');
    if (object.mesh) placed.push({ object, transform: world, path: namePath });
    for (const component of object.components) place(component, from, world, namePath);
  };
  const scale = identity().map((value, i) => (i === 15 ? value : root.scale * value));
  for (const item of root.items) place(item, root, scale, []);
  warn(models, used, onWarning);
  return partsOf(placed, root, context);
}

function warn(models: ReadonlyMap<string, Model>, used: Set<ModelObject>, onWarning: WarningHandler): void {
  const all = [...models.values()];
  const unused = all.flatMap(({ objects }) => [...objects.values()]).filter(object => !used.has(object));
  if (unused.length > 0)
    onWarning(
      `left out ${unused.length} ${nounFor(unused.length, 'object')} that no item of the build contains`,
      'Add them to the build to include them in the clash check.',
    );
  const skipped = [...new Set(all.flatMap(({ skipped }) => [...skipped]))];
  if (skipped.length > 0)
    onWarning(
      `left out content of the ${nounFor(skipped.length, 'extension')} ${skipped.slice(0, 3).join(', ')}${skipped.length > 3 ? ', ...' : ''}`,
      'Export the file without these extensions if something is missing.',
    );
}

// Makes the parts. Meshes that are placed more than once are shared.
function partsOf(
  placed: PlacedMesh[],
  { unit }: Model,
  { budget, keepsDoubles }: Pick<ReadContext, 'budget' | 'keepsDoubles'>,
): Part[] {
  const objects = [...new Set(placed.map(({ object }) => object))];
  for (const { mesh } of objects) budget.take((keepsDoubles ? 12 : 4) * mesh!.points.length, 'its vertices');
  const frame = roundInCommonFrame(
    objects.map(({ mesh }) => mesh!.points),
    keepsDoubles,
  );
  const numbers = new Map(objects.map((object, number) => [object, number]));
  const names = uniqueNames(
    pathNames(
      placed.map(({ path }) => path),
      budget,
    ),
    budget,
  );
  return placed
    .map(({ object, transform }, i): Part => {
      const number = numbers.get(object)!;
      const rounding = frame.rounding[number];
      return {
        name: names[i],
        unit,
        up: 'z',
        positions: frame.positions[number],
        indices: object.mesh!.indices,
        transform: multiplyAffine(transform, frame.transform),
        ...(rounding > 0 ? { rounding } : {}),
        ...exactOf(frame.doubles[number], transform),
      };
    })
    .filter(({ indices }) => indices.length > 0);
}
