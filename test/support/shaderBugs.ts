// Mistakes in the shaders, one at a time: what a text is replaced by, and the kind of questions whose known answers it spoils.

import type { QuestionKind } from '../../dist/gpuSystems.js';
import { shaders } from '../../dist/webgpu/shaders.js';

/** file: a kernel or a part of several; from, to: as the package has it, without comments and spaces. */
export interface ShaderBug { kind: QuestionKind; name: string; file: string; from: string; to: string }

const { kernels, parts } = shaders as unknown as { kernels: Record<string, { text: string; parts: string[] }>; parts: Record<string, string> };

/** Kernels that have a file's text. */
export const kernelsOf = (file: string): string[] => Object.keys(kernels).filter(name => name === file || kernels[name]!.parts.includes(file));

/** Runs with the mistake in it. @throws an Error where there is no such text, or more than one */
export async function withBug<Result>({ file, from, to, name }: ShaderBug, run: () => Promise<Result>): Promise<Result> {
  const isKernel = file in kernels, text = isKernel ? kernels[file]!.text : parts[file]!, pieces = text.split(from);
  if (pieces.length !== 2) throw new Error(`${file}, ${name}: the text occurs ${pieces.length - 1} times: ${from}`);
  const put = (now: string): void => { if (isKernel) kernels[file]!.text = now; else parts[file] = now; };
  put(pieces.join(to));
  try {
    return await run();
  } finally {
    put(text);
  }
}

const bug = (kind: QuestionKind, file: string, name: string, from: string, to: string): ShaderBug => ({ kind, file, name, from, to });

export const shaderBugs: readonly ShaderBug[] = [
  bug('query', 'traverse', "A's leaf in place of B's", 'leafPairs[at+2u]=step.b&~LEAF_BIT;', 'leafPairs[at+2u]=step.a&~LEAF_BIT;'),
  bug('query', 'traverse', 'children twice', 'stepOf(item.x,item.y,item.z,index&15u)', 'stepOf(item.x,item.y,item.z,index&14u)'),
  bug('query', 'traverse', 'the last pass is one pair short', 'let end=16u*passes[params.level].count;', 'let end=16u*passes[params.level].count-min(16u,passes[params.level].count);'),
  bug('query', 'traverse', 'places of a workgroup begin at 0', 'nextFrom=atomicAdd(&counts[params.level+1u],atomicLoad(&nextCount));', 'atomicAdd(&counts[params.level+1u],atomicLoad(&nextCount));nextFrom=0u;'),
  bug('query', 'traverse', 'room of the next list is one too little', 'nextFrom+place<params.listCapacity', 'nextFrom+place+1u<params.listCapacity'),
  bug('query', 'testFront', "B's tree is A's", 'b=below(pairs[node.x].firstNodeB,node.z);', 'b=below(pairs[node.x].firstNodeA,node.z);'),
  bug('query', 'testFront', 'lane of B', 'node.z&3u', 'node.y&3u'),
  bug('query', 'growFront', 'half of the children', 'stepOf(node.x,node.y,node.z,index&15u)', 'stepOf(node.x,node.y,node.z,index&7u)'),
  bug('query', 'growFront', 'dear leaf pairs are lost', '(index&15u)==0u', '(index&15u)==1u'),
  bug('query', 'writeDispatch', 'one item is forgotten', 'passes[params.level].count=todo;', 'passes[params.level].count=todo-min(todo,1u);'),
  bug('query', 'writeDispatch', 'the last workgroup is forgotten', '(params.each*todo+WORKGROUP-1u)/WORKGROUP', '(params.each*todo)/WORKGROUP'),
  bug('query', 'writeDispatch', 'lists that are too short go on', 'let isWhole=count<=params.capacity&&counts[LEAF_PAIR_COUNT]<=params.leafCapacity;', 'let isWhole=true;'),
  bug('query', 'boxes', 'a row of the other frame', '(*p).toB2', '(*p).toB1'),
  bug('query', 'boxes', 'no slack', 'dot(r0.xyz,v)+r0.w', 'dot(r0.xyz,v)'),
  bug('query', 'boxes', 'a quarter of the reach', 'return all(abs(a-b)<=reach);', 'return all(abs(a-b)<=0.25*reach);'),
  bug('query', 'step', 'a leaf of A and its brothers', 'step.isThere=i==0u;', 'step.isThere=i==1u;'),
  bug('selfQuery', 'step', 'children of a node with itself', '!(isSelf&&i>j)', '!(isSelf&&i>=j)'),
  bug('query', 'append', 'counts of a workgroup', 'atomicAdd(total,atomicLoad(&appendCount))', 'atomicAdd(total,count)'),
  bug('query', 'touchLeaves', 'lane of B is forgotten', '(index<<4u)|(lane<<2u)|firstTrailingBit(lanes)', '(index<<4u)|firstTrailingBit(lanes)'),
  bug('query', 'touchLeaves', 'boxes have no slack', 'let slack=2.0*', 'let slack=0.0*'),
  bug('query', 'touchLeaves', 'a corner is left out', 'most4((*a).az,(*a).bz,(*a).cz)+slack', 'most4((*a).az,(*a).bz,(*a).bz)+slack'),
  bug('query', 'touchLeaves', 'fourth lane', 'vec4(1u,2u,4u,8u)', 'vec4(1u,2u,4u,0u)'),
  bug('query', 'touchLeaves', 'what is left in the queue', 'atomicStore(&queueEnd,left)', 'atomicStore(&queueEnd,0u)'),
  bug('query', 'touchLeaves', 'the last leaf pairs', 'let isLast=tile+groups.x>=tiles;', 'let isLast=tile+groups.x>tiles;'),
  bug('query', 'touchLeaves', 'the numbers exchanged', 'select(idA,min(idA,idB),isSelf),select(idB,max(idA,idB),isSelf)', 'select(idA,max(idA,idB),isSelf),select(idB,min(idA,idB),isSelf)'),
  bug('selfQuery', 'touchLeaves', 'the numbers of a mesh with itself exchanged', 'select(idA,min(idA,idB),isSelf),select(idB,max(idA,idB),isSelf)', 'select(idA,max(idA,idB),isSelf),select(idB,min(idA,idB),isSelf)'),
  bug('selfQuery', 'touchLeaves', 'a third vertex is not compared', '||vertex==vertices[at+2u];', ';'),
  bug('selfQuery', 'touchLeaves', 'each two of a leaf twice', 'laneA<laneB', 'laneA!=laneB'),
  bug('query', 'touchLeaves', 'no error of A', 'let errorA=pairs[pair].pointErrorA+0x1p-23*greatestOf(a);', 'let errorA=0.0;'),
  bug('query', 'judge', 'a sign exchanged', 'signOf(vf+vg+vh+so,tauS)', 'signOf(vf+vg-vh+so,tauS)'),
  bug('query', 'judge', 'a side that is not looked at', '(sideP&sideQ&sideR)!=0u', '(sideP&sideQ)!=0u'),
  bug('query', 'judge', 'volumes without a bound', 'let tauV=dotError(moment,momentError,sizeA,offA);', 'let tauV=0.0;'),
  bug('query', 'judge', 'plane without a bound', 'let tauD=dotError(greatest(n),crossError(greatest(u),offA,greatest(v),offA),sizeB,offB);', 'let tauD=0.0;'),
  bug('query', 'judge', 'differences of volumes without a bound', 'let tauW=2.0*(tauD+tauV);', 'let tauW=0.0;'),
  bug('query', 'judge', 'misses by one', '(start&end)!=0u||(x|y|z)==3u', '(start&end)!=0u||(x|y)==3u'),
  bug('query', 'bounds', 'signs without a bound', 'select(0u,1u,value>bound)', 'select(0u,1u,value>0.0)'),
  bug('query', 'bounds', 'products without a bound', '+0x1p-17*(sizeA*sizeB)+0x1p-116;', '+0x1p-116;'),
  bug('query', 'bounds', 'normals without a bound', '+0x1p-20*(sizeA*sizeB)+0x1p-116;', '+0x1p-116;'),
  bug('query', 'placedTriangles', 'tails are forgotten', 'dot(tail.xyz,o)+', ''),
  bug('query', 'placedTriangles', 'the rest of an origin is forgotten', '(tail.w-splitA.rest)', 'tail.w'),
  bug('query', 'placedTriangles', 'a sign exchanged', 'select(whole,-whole,(bits&0x80000000u)!=0u)', 'whole'),
  bug('query', 'placedTriangles', 'a row twice', 'dot((*at).toA2.xyz,d)', 'dot((*at).toA1.xyz,d)'),
  bug('query', 'placedTriangles', 'no error of what is placed', '(*at).pointErrorB+(*at).localError*greatestOf(own)+(*at).offsetError*greatest(offset)', '0.0'),
  bug('query', 'separate', 'a side turned round', 'greatest(v),edgeError);\nreturn isOutside(n,normalError,u,', 'greatest(v),edgeError);\nreturn isOutside(n,normalError,-u,'),
  bug('query', 'separate', 'a third corner is not looked at', 'dot(out,y)<below&&dot(out,z)<below', 'dot(out,y)<below'),
  bug('query', 'separate', 'without a bound', 'let below=-dotError(', 'let below=0.0*dotError('),
  bug('boxPairs', 'boxKeys', 'negative numbers turned round', 'return ~bits+', 'return bits+'),
  bug('boxPairs', 'boxKeys', '-0 is not 0', '+u32(bits==0x80000000u)', ''),
  bug('boxPairs', 'walkCells', 'a box that ends at a cut', 'box.high[split.x]>=split.y', 'box.high[split.x]>split.y'),
  bug('boxPairs', 'walkCells', 'the wrong brother', '2u*(walk.node>>(params.depth-level))+1u', '2u*(walk.node>>(params.depth-level))'),
  bug('boxPairs', 'countCells', 'one cell less', 'var count=1u;', 'var count=0u;'),
  bug('boxPairs', 'enterCells', 'the wrong axis', 'boxes[6u*i+params.axis]', 'boxes[6u*i+(params.axis+1u)%3u]'),
  bug('boxPairs', 'placeInCell', 'negative numbers are rounded upward', '-i32((digits+(1u<<drop)-1u)>>drop)', '-i32(digits>>drop)'),
  bug('boxPairs', 'gatherEntries', 'a flag in the wrong place', '(isBefore.y<<1u)', 'isBefore.y'),
  bug('boxPairs', 'gatherEntries', 'where it ends', 'boxes[6u*i+3u+params.axis]', 'boxes[6u*i+params.axis]'),
  bug('boxPairs', 'kindOf', 'the first of the second set', 'i>=params.secondFrom', 'i>params.secondFrom'),
  bug('boxPairs', 'sweepEntries', 'boxes that touch', 'all(other.low.xyz<=own.high.xyz)', 'all(other.low.xyz<own.high.xyz)'),
  bug('boxPairs', 'sweepEntries', 'one that begins where it ends', 'keys[next]<=own.high.w', 'keys[next]<own.high.w'),
  bug('boxPairs', 'sweepEntries', 'in any order', 'report(min(first,second),max(first,second))', 'report(first,second)'),
  bug('boxPairs', 'countPairs', 'the last row', 'sweepAll(id.x,groups.x*WORKGROUP);\nendRow();', 'sweepAll(id.x,groups.x*WORKGROUP);'),
  bug('boxPairs', 'countPairs', 'the number of all', 'let earlier=atomicAdd(&told[PAIRS_LOW],all);', 'let earlier=atomicAdd(&told[PAIRS_LOW],low);'),
  bug('boxPairs', 'writePairs', 'numbers of the second set', 'pairsB[at]=b-params.firstB;', 'pairsB[at]=b;'),
  bug('boxPairs', 'rankPairs', 'order turned round', 'pairsB[other]<b', 'pairsB[other]>b'),
  bug('boxPairs', 'sortRows', 'the second digit', 'value>>(turn*params.digitBits)', 'value>>(min(turn,1u)*params.digitBits)'),
  bug('boxPairs', 'sumTiles', 'only one number', 'sum+=data[i];', 'sum=data[i];'),
  bug('boxPairs', 'scanTiles', 'tiles before it', 'var at=sums[tile]+scanGroup(sum,local);', 'var at=scanGroup(sum,local);'),
  bug('boxPairs', 'scanSums', 'what comes before', 'sums[i]=at;\nat+=value;', 'at+=value;\nsums[i]=at;'),
  bug('boxPairs', 'scanSums', 'rounds', 'before+=scanTotal();', 'before=scanTotal();'),
  bug('boxPairs', 'scanGroup', 'a block before it', 'i<block;', 'i+1u<block;'),
  bug('boxPairs', 'countDigits', 'the lowest digit always', '(keys[i]>>params.shift)&params.mask', 'keys[i]&params.mask'),
  bug('boxPairs', 'scanDigits', 'strips before it', 'at+=sums[before];', 'at=sums[before];'),
  bug('boxPairs', 'moveDigits', 'chunks before it', 'places[digit]+=table[chunk*DIGITS+digit];', 'places[digit]+=0u*table[chunk*DIGITS+digit];'),
  bug('boxPairs', 'digitPlaces', 'its own bit', '((1u<<(local&31u))-1u)', '((2u<<(local&31u))-1u)'),
  bug('boxPairs', 'digitPlaces', 'words before it', 'word<own;', 'word+1u<own;'),
  bug('boxPairs', 'chunks', 'a round too little', 'return(rounds+chunks-1u)/chunks', 'return max(1u,rounds/chunks)'),
  bug('sweep', 'dropFarPairs', 'the verdict turned round', 'isKept=!isFar(', 'isKept=isFar('),
  bug('sweep', 'dropFarPairs', 'the end is the start', 'differencesOf(vertices,3u)', 'differencesOf(vertices,0u)'),
  bug('sweep', 'dropFarPairs', 'the other number', 'keptB[at]=pairsB[pair];', 'keptB[at]=pairsA[pair];'),
  bug('sweep', 'dropFarPairs', 'faces of the first mesh', 'select(params.firstA+a,params.firstB+b,isSwapped)', 'params.firstA+a'),
  bug('sweep', 'dropFarPairs', 'an edge that shares a vertex', '||v.x==v.w||', '||'),
  bug('sweepFeatures', 'farApart', 'a bound negative', 'return vec2f(-gap,gap);', 'return vec2f(gap,-gap);'),
  bug('sweep', 'farApart', 'one side is enough', 'return low>limit||high<-limit;', 'return high>limit||high<-limit;'),
  bug('sweep', 'farApart', 'only the start', 'i<8u;i++){\nlet height', 'i<4u;i++){\nlet height'),
  bug('sweep', 'farApart', 'one is behind', 'if(count==0f){return true;}', 'if(count<=1f){return true;}'),
  bug('sweep', 'neverCoplanar', 'a bound negative', 'let limit=VOLUME_ERROR*', 'let limit=-VOLUME_ERROR*'),
  bug('sweep', 'neverCoplanar', 'the last volume', 'min(after,last))>limit', 'min(after,after))>limit'),
  bug('sweep', 'isFar', 'a direction that is behind', 'areBeyond(&d,middle,most)||', '!areBeyond(&d,middle,most)||'),
  bug('sweepFeatures', 'dropFarQueries', 'the verdict turned round', '!isPairFar(pair)', 'isPairFar(pair)'),
  bug('sweepFeatures', 'dropFarQueries', 'z is y', 'differences[at+2u*params.count]', 'differences[at+params.count]'),
  bug('sweepFeatures', 'dropFarQueries', 'half of the bits', '1u<<(local % 32u)', '1u<<(local % 16u)'),
  bug('sweepFeatures', 'dropFarQueries', 'words of a tile', 'kept[tile*(WORKGROUP/32u)+local]', 'kept[local]'),
  bug('sweepFeatures', 'isFar', 'edges as faces', 'completed(end[0],end[1],end[2])', 'end[2]'),
  bug('sweepFeatures', 'farApart', 'the fourth difference', 'return select(third,third+(first-second),params.isEdge !=0u);', 'return third;'),
  bug('sweepFeatures', 'farApart', 'without a bound', 'return low>limit||high<-limit;', 'return low>=-limit||high<=limit;'),
];
