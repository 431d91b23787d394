import { createEngine } from './dist/index.js';
import { poses } from './dist/gpuPoses.js';
import { create } from 'webgpu';
const engine = await createEngine({ threads: 1, backend:'webgpu', gpu: create([]) , warmUp:'off'});
const live = engine.async.runner.live, systems=live.systems; const host = engine.async.host, verbs = engine.async.verbs;
for (const sq of [14, 8, 64]) await poses.sweepBodies({host,verbs,systems}, sq, async ({size,questions}) => { for (const q of questions) { for (let k=0;k<2;k++){ let t=performance.now(); const g=await q.onGpu(); const t1=performance.now()-t; t=performance.now(); const c=q.onCpu(); console.log(sq,size,q.pairs,'contacts',c[0].length,'gpu',t1.toFixed(),'cpu',(performance.now()-t).toFixed(2), JSON.stringify(g.map(x=>[...x]))===JSON.stringify(c.map(x=>[...x])));} } });
process.exit(0);
