// Reads SRDF files, which list the pairs of links of a robot that are not tested against each other.
import type { Robot } from './urdf.js';
import { attributeOf, childrenOf, readXml, refuse } from './xmlFile.js';

/** Pairs of links that are not tested. */
export class DisabledPairs {
  readonly #keys: Set<number>;
  readonly #count: number;

  constructor(pairs: [number, number][], linkCount: number) {
    this.#count = linkCount;
    this.#keys = new Set(pairs.map(([a, b]) => this.#keyOf(a, b)));
  }

  has(a: number, b: number): boolean {
    return this.#keys.has(this.#keyOf(a, b));
  }

  #keyOf(a: number, b: number): number {
    return Math.min(a, b) * this.#count + Math.max(a, b);
  }
}

/** Reads the elements `disable_collisions` of a file. @throws InvalidFile, MissingPackage */
export async function readSrdf(path: string, { links }: Robot): Promise<DisabledPairs> {
  const root = await readXml(path);
  if (root.name !== 'robot') refuse(root.where, 'is the root, but the root of an SRDF file is <robot>');
  for (const name of ['disable_default_collisions', 'enable_collisions'])
    for (const { where } of childrenOf(root, name))
      refuse(where, 'is not supported', 'List the pairs as <disable_collisions>.');
  const pairs = childrenOf(root, 'disable_collisions').map((element): [number, number] => {
    const [a, b] = ['link1', 'link2'].map(key => {
      const name = attributeOf(element, key);
      const link = links.findIndex(({ name: own }) => own === name);
      return link >= 0
        ? link
        : refuse(element.where, `names the link ${name}, which the URDF file does not have`);
    });
    return [a, b];
  });
  return new DisabledPairs(pairs, links.length);
}
