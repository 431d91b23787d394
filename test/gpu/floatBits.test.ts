// Tests float operations that a GPU computes in integer arithmetic: results have the same bits as on the CPU.

import * as assert from 'uvu/assert';
import { Commands } from '../../dist/gpu/device/commands.js';
import type { Gpu } from '../../dist/gpu/device/gpu.js';
import { shaders } from '../../dist/gpu/device/shaders.js';
import { gpuTest, withGpu } from '../support/gpu.js';
import { makeRandom } from '../support/meshes.js';
import { test } from '../support/test.js';
import { shortText } from './shaderNames.js';

const COUNT = 160 * 256;
const operations: Record<string, { text: string; value: (a: number, b: number) => number }> = {
  sum: { text: 'add4(a,b)', value: (a, b) => a + b },
  difference: { text: 'sub4(a,b)', value: (a, b) => a - b },
  half: { text: 'scaled4(a,-1)', value: a => a / 2 },
  'a larger power of two': { text: 'scaled4(a,9)', value: a => a * 2 ** 9 },
  'a far smaller power of two': { text: 'scaled4(a,-99)', value: a => a * 2 ** -99 },
  'a step up': { text: 'stepUp4(a&vec4(0x7fffffffu))', value: a => Math.abs(a) * (1 + 2 ** -23) },
  min: { text: 'min4(a,b)', value: (a, b) => (b < a ? b : a) },
  max: { text: 'max4(a,b)', value: (a, b) => (a < b ? b : a) },
};

// Makes the bits of two lists of numbers. Two numbers with the same index are hard to add: they are close to
// each other, have few or many digits, give a tie in rounding, are denormal, or are zero. All numbers are
// below 2^100.
function hardBits(): [Uint32Array<ArrayBuffer>, Uint32Array<ArrayBuffer>] {
  const random = makeRandom(5);
  const below = (n: number): number => Math.floor(random() * n);
  const fraction = (): number =>
    [below(2 ** 23), 0, 1, 2 ** 22, 2 ** 23 - 1, 2 ** below(23), 2 ** 23 - 2 ** below(23), 2 ** 22 + 1][
      below(8)
    ];
  const bits = (exponent: number): number => ((below(2) << 31) | (exponent << 23) | fraction()) >>> 0;
  const a = new Uint32Array(COUNT);
  const b = new Uint32Array(COUNT);
  for (let i = 0; i < COUNT; i++) {
    const exponent = [0, 1, below(30), 30 + below(196), 127][below(5)];
    a[i] = bits(exponent);
    b[i] = bits(
      Math.max(0, Math.min(226, exponent + [0, 1, -1, 2, -below(4), 23, 24, -25, below(60) - 30][below(9)])),
    );
  }
  return [a, b];
}

async function compute(gpu: Gpu, text: string, a: Uint32Array, b: Uint32Array): Promise<Uint32Array> {
  const { device } = gpu;
  const bind = [0, 1, 2]
    .map(i => `@group(0) @binding(${i}) var<storage, read_write> of${i}: array<vec4<u32>>;`)
    .join('\n');
  const code = `${shaders.includes.floatBits}\n${bind}\n@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) { let a = of0[id.x]; let b = of1[id.x]; of2[id.x] = ${shortText(text)}; }`;
  const pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code }) },
  });
  const buffers = [a, b, a].map(data => gpu.createBuffer('numbers', data.byteLength));
  const commands = new Commands(gpu);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  commands.upload(buffers[0], 0, a);
  commands.upload(buffers[1], 0, b);
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    }),
  );
  pass.dispatchWorkgroups(COUNT / 4 / 64);
  pass.end();
  device.queue.submit([encoder.finish()]);
  commands.read(buffers[2], 0, a.byteLength);
  return (await commands.submit())[0];
}

gpuTest('sums, scalings, products with 1 + 2^-23, min and max have the same bits as on the CPU', async () => {
  const [a, b] = hardBits();
  const [x, y] = [a, b].map(({ buffer }) => new Float32Array(buffer));
  await withGpu(async gpu => {
    for (const [name, { text, value }] of Object.entries(operations)) {
      const got = await compute(gpu, text, a, b);
      const expected = new Uint32Array(x.map((one, i) => value(one, y[i])).buffer);
      const wrong = got.findIndex((bits, i) => bits !== expected[i]);
      assert.is(
        wrong,
        -1,
        `${name}: ${x[wrong]} and ${y[wrong]} give ${got[wrong]?.toString(16)}, not ${expected[wrong]?.toString(16)}`,
      );
    }
  });
});

test.run();
