// Lists mistakes that a test introduces into the shaders. Each mistake replaces one text of a WGSL file with
// another, and the self-test of one kind of query must then fail.

import { shaders } from '../../dist/gpu/device/shaders.js';
import type { QueryKind } from '../../dist/gpu/gpuSystems.js';
import { shortText } from './shaderNames.js';

/**
 * A mistake. kind: the kind of query whose self-test must fail. file: the name of a kernel or of a shared
 * part. from, to: the text to replace and its replacement, without comments and unnecessary spaces.
 */
export interface ShaderBug {
  kind: QueryKind;
  name: string;
  file: string;
  from: string;
  to: string;
}

const { kernels, includes } = shaders as unknown as {
  kernels: Record<string, { text: string; uses: string[] }>;
  includes: Record<string, string>;
};

/** Returns the kernels whose code includes a file's text. */
export const kernelsOf = (file: string): string[] =>
  Object.keys(kernels).filter(name => name === file || kernels[name].uses.includes(file));

/** Runs a function with the mistake in place. @throws an Error if the text does not occur exactly once */
export async function withBug<Result>(
  { file, from, to, name }: ShaderBug,
  run: () => Promise<Result>,
): Promise<Result> {
  const isKernel = file in kernels;
  const text = isKernel ? kernels[file].text : includes[file];
  const pieces = text.split(shortText(from));
  if (pieces.length !== 2)
    throw new Error(
      `${file}, ${name}: ${from} occurs ${pieces.length - 1} times, but must occur once; edit shaderBugs.ts`,
    );
  const put = (now: string): void => {
    if (isKernel) kernels[file].text = now;
    else includes[file] = now;
  };
  put(pieces.join(shortText(to)));
  try {
    return await run();
  } finally {
    put(text);
  }
}

const bug = (kind: QueryKind, file: string, name: string, from: string, to: string): ShaderBug => ({
  kind,
  file,
  name,
  from,
  to,
});

export const shaderBugs: readonly ShaderBug[] = [
  bug(
    'query',
    'traverse',
    "A's leaf in place of B's",
    'leafPairs[at+2u]=child.b&~LEAF_BIT;',
    'leafPairs[at+2u]=child.a&~LEAF_BIT;',
  ),
  bug(
    'query',
    'traverse',
    'the last pass lacks half of its pairs',
    'let end=16u*passes[params.level].count;',
    'let end=8u*passes[params.level].count;',
  ),
  bug('query', 'testFront', 'the lane of B is wrong', 'node.z&3u', 'node.y&3u'),
  bug(
    'query',
    'growFront',
    'only half of the child pairs are made',
    'node.y,node.z,index&15u)',
    'node.y,node.z,index&7u)',
  ),
  bug(
    'query',
    'writePassSize',
    'one item is forgotten',
    'select(min(count,params.beam),count,isWhole)',
    'select(min(count,params.beam),count-min(count,1u),isWhole)',
  ),
  bug('query', 'boxes', 'the slack is left out', 'dot(r0.xyz,v)+r0.w', 'dot(r0.xyz,v)'),
  bug('selfQuery', 'childPair', 'a child with itself is skipped', 'slotA==slotB&&i>j', 'slotA==slotB&&i>=j'),
  bug(
    'query',
    'append',
    "an invocation's count in place of the workgroup's",
    'atomicAdd(&counts[slot],atomicLoad(&appendCount))',
    'atomicAdd(&counts[slot],count)',
  ),
  bug(
    'query',
    'testLeafPairs',
    'lane of B is forgotten',
    '(index<<4u)|(lane<<2u)|firstTrailingBit(lanes)',
    '(index<<4u)|firstTrailingBit(lanes)',
  ),
  bug('query', 'testLeafPairs', 'all hits in one count', 'counts[COUNTS+triple.x],1u', 'counts[COUNTS],1u'),
  bug('query', 'testLeafPairs', 'boxes have no slack', 'let slack=2.0*', 'let slack=0.0*'),
  bug('selfQuery', 'testLeafPairs', 'a third vertex is not compared', '||vertex==vertices[at+2u];', ';'),
  bug('query', 'filterTriTri', 'a sign is flipped', 'signOf(vf+vg+vh+so,tauS)', 'signOf(vf+vg-vh+so,tauS)'),
  bug(
    'query',
    'filterTriTri',
    'volumes without a bound',
    'let tauV=dotError(moment,momentError,sizeA,offA);',
    'let tauV=0.0;',
  ),
  bug('query', 'bounds', 'signs without a bound', 'select(0u,1u,value>bound)', 'select(0u,1u,value>0.0)'),
  bug('query', 'placedTriangles', 'tails are forgotten', 'dot(tail.xyz,o)+', ''),
  bug('query', 'separatesInPlane', 'the error bound is 0', 'let below=-dotError(', 'let below=0.0*dotError('),
  bug('boxPairs', 'boxKeys', 'negative numbers in reverse order', 'return ~bits+', 'return bits+'),
  bug('boxPairs', 'boxKeys', '-0 is not 0', '+u32(bits==0x80000000u)', ''),
  bug(
    'boxPairs',
    'walkCells',
    'a box that ends at a cut is missed',
    'box.high[split.x]>=split.y',
    'box.high[split.x]>split.y',
  ),
  bug(
    'boxPairs',
    'gatherEntries',
    'the min in place of the max',
    'boxes[6u*i+3u+params.axis]',
    'boxes[6u*i+params.axis]',
  ),
  bug(
    'boxPairs',
    'kindOf',
    'the first box of the second set is in the first set',
    'i>=params.secondFrom',
    'i>params.secondFrom',
  ),
  bug(
    'boxPairs',
    'sweepEntries',
    'boxes that touch are missed',
    'all(other.low.xyz<=own.high.xyz)',
    'all(other.low.xyz<own.high.xyz)',
  ),
  bug(
    'boxPairs',
    'countPairs',
    'the last row is not ended',
    'sweepAll(id.x,groups.x*WORKGROUP);endRow();',
    'sweepAll(id.x,groups.x*WORKGROUP);',
  ),
  bug('boxPairs', 'writePairs', 'B without its offset', 'pairsB[at]=b-params.firstB;', 'pairsB[at]=b;'),
  bug('boxPairs', 'rankPairs', 'reverse order', 'pairsB[other]<b', 'pairsB[other]>b'),
  bug(
    'boxPairs',
    'sortRows',
    'the second digit in place of later ones',
    'value>>(digitIndex*params.digitBits)',
    'value>>(min(digitIndex,1u)*params.digitBits)',
  ),
  bug(
    'boxPairs',
    'scanItems',
    'earlier tiles are not added',
    'var at=before+scanGroup(sum,local);',
    'var at=scanGroup(sum,local);',
  ),
  bug(
    'boxPairs',
    'countDigits',
    'the lowest digit is always counted',
    '(keys[i]>>params.shift)&params.mask',
    'keys[i]&params.mask',
  ),
  bug('boxPairs', 'scanDigits', 'only one earlier strip is added', 'at+=sums[before];', 'at=sums[before];'),
  bug('sweep', 'filterFeaturePairs', 'the opposite verdict', 'isKept=!isFar(', 'isKept=isFar('),
  bug('sweepFeatures', 'farApart', 'a negative bound', 'return vec2f(-gap,gap);', 'return vec2f(gap,-gap);'),
  bug(
    'sweep',
    'farApart',
    'one point is ignored',
    'if(count==0f){return true;}',
    'if(count<=1f){return true;}',
  ),
  bug('sweep', 'neverCoplanar', 'a negative bound', 'let limit=VOLUME_ERROR*', 'let limit=-VOLUME_ERROR*'),
  bug(
    'sweepFeatures',
    'filterFeatureQueries',
    'only half of the bits are used',
    '1u<<(local % 32u)',
    '1u<<(local % 16u)',
  ),
  bug(
    'sweepFeatures',
    'filterFeatureQueries',
    'all tiles write the same words',
    'kept[tile*(WORKGROUP/32u)+local]',
    'kept[local]',
  ),
  bug(
    'sweepBodies',
    'traverseMoving',
    'boxes are too small',
    'box.half*(*at).frame.w',
    '0.1*box.half*(*at).frame.w',
  ),
  bug(
    'sweepBodies',
    'filterBodyPairs',
    'all hits in one state',
    'atomicMax(&counts[COUNTS+pair],NEAR)',
    'atomicMax(&counts[COUNTS],NEAR)',
  ),
];
